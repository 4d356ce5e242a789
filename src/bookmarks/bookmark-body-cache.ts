import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Stamps } from "../database/moment.ts";
import { RowCache } from "../database/row-cache.ts";
import { entityTag } from "../http/caching/etags.ts";
import { toDetails } from "./bookmark.ts";
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
  find(
    id: number | bigint,
    extras: readonly string[] | undefined,
    moment: Stamps,
  ): Awaitable<CachedBody | undefined> {
    if (extras !== undefined || typeof id === "bigint") return this.#make(id, extras);
    return this.#cache.get(id, this.#plain, moment);
  }

  async #make(id: number | bigint, extras: readonly string[] | undefined): Promise<CachedBody | undefined> {
    const bookmark = await findBookmark(this.#read, id);
    if (bookmark === undefined) return undefined;
    const body = JSON.stringify(toDetails(bookmark, extras));
    return { body, etag: entityTag(this.#epoch, bookmark.version) };
  }
}
