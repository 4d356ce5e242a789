import { accessOf } from "../accounts/scope.ts";
import type { ServiceAccess } from "../accounts/service-access.ts";
import { noSuchChange } from "../changes/undo.ts";
import type { StampedRequest } from "../database/request-stamp.ts";
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
import { UNDOABLE } from "../nouns.ts";

const { writeAccess: ofPosts } = accessOf("private", "posts");

/** What a caller may undo: the changes of those kinds of records that it may change. */
export interface Permitted {
  /** At least one. */
  readonly records: readonly string[];
  /** The kinds of records that it may read. */
  readonly readable: readonly string[];
  /** @throws Refusal `unauthenticated` or `forbidden`, or `not_found` where the server has none of this kind */
  readonly permit: (record: string) => void;
}

/** Who may undo changes, on a server of bookmarks, of posts or of both. */
export class UndoAccess {
  readonly #bookmarks: ServiceAccess | undefined;
  readonly #copies: ServiceAccess | undefined;
  readonly #hasPosts: boolean;

  /** @param services who may use bookmarks, and copies of their pages; undefined where there are none */
  constructor(
    services: { readonly bookmarks: ServiceAccess | undefined; readonly copies: ServiceAccess | undefined },
    hasPosts: boolean,
  ) {
    this.#bookmarks = services.bookmarks;
    this.#copies = services.copies;
    this.#hasPosts = hasPosts;
  }

  /** The rule of an endpoint or page whose handler asks {@link of}. */
  get rule(): AccessPolicy {
    return {
      current: async (asked) => ({
        anonymous:
          this.#bookmarks !== undefined &&
          (await currentAccess(this.#bookmarks.writeAccess, asked)).anonymous,
      }),
      documented: documentedAccess(this.#bookmarks?.writeAccess) ?? ofPosts,
    };
  }

  /**
   * @param byScopes whether only an account may, and a token only with the scopes, also where anybody may change bookmarks
   * @throws Refusal `unauthenticated` or `forbidden` when the caller may undo nothing
   */
  async of(call: StampedRequest & { readonly caller: Caller }, byScopes = false): Promise<Permitted> {
    const services = { bookmarks: this.#bookmarks, copies: this.#copies, posts: undefined };
    const rules = new Map<string, { readonly write: Access; readonly read: Access }>();
    for (const { kind, undo } of UNDOABLE)
      if (undo.service === "posts" ? this.#hasPosts : services[undo.service] !== undefined)
        rules.set(kind, undo.access ?? (await configured(services[undo.service], call)));
    const { caller } = call;
    const permit = (record: string) => {
      const rule = rules.get(record);
      if (rule === undefined) throw noSuchChange();
      authorize(caller, byScopes ? { ...rule.write, anonymous: false } : rule.write);
    };
    const records = [...rules.keys()].filter((record) => passes(() => permit(record)));
    if (records.length === 0) permit(this.#bookmarks === undefined ? "post" : "bookmark");
    const readable = [...rules].flatMap(([record, { read }]) => (isAllowed(caller, read) ? [record] : []));
    return { records, readable, permit };
  }
}

async function configured(service: ServiceAccess | undefined, asked: StampedRequest) {
  if (service === undefined) throw new Error("a service that is off has no access");
  return {
    write: await currentAccess(service.writeAccess, asked),
    read: await currentAccess(service.readAccess, asked),
  };
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
