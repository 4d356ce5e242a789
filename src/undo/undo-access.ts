import { accessOf, type Scope } from "../accounts/scope.ts";
import type { ServiceAccess } from "../accounts/service-access.ts";
import { CHANGED_RECORDS, type ChangedRecord } from "../changes/change-store.ts";
import { noSuchChange } from "../changes/undo.ts";
import { Refusal } from "../errors.ts";
import {
  type Access,
  type AccessPolicy,
  authorize,
  type Caller,
  currentAccess,
  documentedAccess,
  isAllowed,
} from "../http/access.ts";

const { readAccess: readsPosts, writeAccess: ofPosts } = accessOf("private", "posts");
const ofComments: Access = { scope: "comments:moderate" satisfies Scope, anonymous: false };

/** What a caller may undo: the changes of those kinds of records that it may change. */
export interface Permitted {
  /** At least one. */
  readonly records: readonly ChangedRecord[];
  /** The kinds of records that it may read. */
  readonly readable: readonly ChangedRecord[];
  /** @throws Refusal `unauthenticated` or `forbidden`, or `not_found` where the server has none of this kind */
  readonly permit: (record: ChangedRecord) => void;
}

/** Who may undo changes, on a server of bookmarks, of posts or of both. */
export class UndoAccess {
  readonly #bookmarks: ServiceAccess | undefined;
  readonly #hasPosts: boolean;

  /** @param bookmarks who may use bookmarks; undefined where there are none */
  constructor(bookmarks: ServiceAccess | undefined, hasPosts: boolean) {
    this.#bookmarks = bookmarks;
    this.#hasPosts = hasPosts;
  }

  /** The rule of an endpoint or page whose handler asks {@link of}. */
  get rule(): AccessPolicy {
    return {
      current: async (request, moment) => ({
        anonymous:
          this.#bookmarks !== undefined &&
          (await currentAccess(this.#bookmarks.writeAccess, request, moment)).anonymous,
      }),
      documented: documentedAccess(this.#bookmarks?.writeAccess) ?? ofPosts,
    };
  }

  /** @throws Refusal `unauthenticated` or `forbidden` when the caller may undo nothing */
  async of({ caller, request }: { readonly caller: Caller; readonly request: Request }): Promise<Permitted> {
    const bookmarks = this.#bookmarks;
    const rules: Partial<Record<ChangedRecord, Access>> = {
      ...(bookmarks && { bookmark: await currentAccess(bookmarks.writeAccess, request) }),
      ...(this.#hasPosts && { post: ofPosts, comment: ofComments }),
    };
    const readers: typeof rules = {
      ...(bookmarks && { bookmark: await currentAccess(bookmarks.readAccess, request) }),
      ...(this.#hasPosts && { post: readsPosts, comment: ofComments }),
    };
    const permit = (record: ChangedRecord) => {
      const rule = rules[record];
      if (rule === undefined) throw noSuchChange();
      authorize(caller, rule);
    };
    const records = CHANGED_RECORDS.filter((record) => passes(() => permit(record)));
    if (records.length === 0) permit(this.#bookmarks === undefined ? "post" : "bookmark");
    const readable = CHANGED_RECORDS.filter((record) => {
      const rule = readers[record];
      return rule !== undefined && isAllowed(caller, rule);
    });
    return { records, readable, permit };
  }
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
