import { type Awaitable, thenSync } from "../awaitable.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Stamps } from "../database/moment.ts";
import { RowCache } from "../database/row-cache.ts";
import { entityTag } from "../http/caching/etags.ts";
import { toDetails } from "./bookmark.ts";
import { findBookmark } from "./bookmark-store.ts";

/** Most cached bodies, and the longest, in characters: 16 MB at the very most. */
const CACHED_MAX = 2_000;
const LONGEST_CACHED = 4_000;

/** A bookmark as the answer that fetches it. */
export interface BookmarkBody {
  readonly body: string;
  readonly etag: string;
}

/** The answers that fetch one bookmark, cached until the next commit of anyone. */
export class BookmarkBodies {
  readonly #epoch: string;
  readonly #read: Sql;
  readonly #cache: RowCache<BookmarkBody>;
  readonly #plain = (id: number | bigint) => this.#make(id, undefined);

  constructor(database: Database) {
    this.#epoch = database.epoch;
    this.#read = database.read;
    this.#cache = new RowCache(database, CACHED_MAX, ({ body }) => body.length <= LONGEST_CACHED);
  }

  /**
   * @param extras additional members; with them it is read anew
   * @param moment of the request
   */
  find(
    id: number | bigint,
    extras: readonly string[] | undefined,
    moment: Stamps,
  ): Awaitable<BookmarkBody | undefined> {
    if (extras !== undefined || typeof id === "bigint") return this.#make(id, extras);
    return this.#cache.get(id, this.#plain, moment);
  }

  #make(id: number | bigint, extras: readonly string[] | undefined): Awaitable<BookmarkBody | undefined> {
    return thenSync(findBookmark(this.#read, id), (bookmark) => {
      if (bookmark === undefined) return undefined;
      const body = JSON.stringify(toDetails(bookmark, extras));
      return { body, etag: entityTag(this.#epoch, bookmark.version) };
    });
  }
}
