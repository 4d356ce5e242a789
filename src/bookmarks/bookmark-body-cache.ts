import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Stamps } from "../database/moment.ts";
import { RowCache } from "../database/row-cache.ts";
import { entityTag } from "../http/caching/etags.ts";
import { toDetails } from "./bookmark.ts";
import { type Extras, newestCopies } from "./bookmark-list.ts";
import { findBookmark } from "./bookmark-store.ts";

/** The maximum number of cached bodies, and of characters of one: 16 MB in total. */
const CACHED_MAX = 2_000;
const LONGEST_CACHED = 4_000;

/** The response that fetches a bookmark. */
export interface CachedBody {
  readonly body: string;
  readonly etag: string;
}

/** A cache of the responses that fetch one bookmark, valid until the next commit of any process. */
export class BookmarkBodyCache {
  readonly #epoch: string;
  readonly #read: Sql;
  readonly #cache: RowCache<CachedBody>;
  readonly #plain = (id: number | bigint) => this.#make(id, undefined);

  constructor(database: Database) {
    this.#epoch = database.epoch;
    this.#read = database.read;
    this.#cache = new RowCache(database, CACHED_MAX, ({ body }) => body.length <= LONGEST_CACHED);
  }

  /**
   * @param extras additional members; with them the bookmark is not cached
   * @param moment of the request
   */
  find(id: number | bigint, extras: Extras | undefined, moment: Stamps): Awaitable<CachedBody | undefined> {
    if (extras !== undefined || typeof id === "bigint") return this.#make(id, extras);
    return this.#cache.get(id, this.#plain, moment);
  }

  async #make(id: number | bigint, extras: Extras | undefined): Promise<CachedBody | undefined> {
    const bookmark = await findBookmark(this.#read, id);
    if (bookmark === undefined) return undefined;
    const copies = await newestCopies(this.#read, [bookmark], extras);
    const copy = copies?.get(bookmark.id);
    const body = JSON.stringify(toDetails(bookmark, extras?.names, copy));
    return { body, etag: entityTag(this.#epoch, bookmark.version, ...(copies ? copyPart(copy?.id) : [])) };
  }
}

/** The part of a bookmark's tag for the copy that is in the response. */
function copyPart(id = 0): readonly string[] {
  return [`copy${id}`];
}

/** The tag of a bookmark itself, of one that also stands for its copy. */
export function withoutCopyPart(etag: string): string {
  return etag.replace(/\.copy\d+"$/, '"');
}
