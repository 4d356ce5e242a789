import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Stamps } from "../database/request-stamp.ts";
import { RowCache } from "../database/row-cache.ts";
import { entityTag } from "../http/caching/etags.ts";
import { type PageOfBookmark, toDetails } from "./bookmark.ts";
import { type Extras, pagesOf } from "./bookmark-list.ts";
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
   * @param stamp of the request
   */
  find(id: number | bigint, extras: Extras | undefined, stamp: Stamps): Awaitable<CachedBody | undefined> {
    if (extras !== undefined || typeof id === "bigint") return this.#make(id, extras);
    return this.#cache.get(id, this.#plain, stamp);
  }

  async #make(id: number | bigint, extras: Extras | undefined): Promise<CachedBody | undefined> {
    const bookmark = await findBookmark(this.#read, id);
    if (bookmark === undefined) return undefined;
    const page = (await pagesOf(this.#read, [bookmark], extras))(bookmark.id);
    const body = JSON.stringify(toDetails(bookmark, extras?.names, page));
    return { body, etag: entityTag(this.#epoch, bookmark.version, ...pageParts(page, extras?.names ?? [])) };
  }
}

/** The parts of a bookmark's tag for the copy and the picture that are in the response. */
function pageParts({ copy, picture }: PageOfBookmark, names: readonly string[]): readonly string[] {
  return [
    ...(names.includes("copy") ? [`copy${copy?.id ?? 0}`] : []),
    ...(names.includes("picture") ? [`picture${picture?.url.match(/\/([0-9a-f]+)\.webp$/)?.[1] ?? 0}`] : []),
  ];
}

/** The tag of a bookmark itself, of one that also stands for its copy and its picture. */
export function withoutCopyPart(etag: string): string {
  return etag.replace(/(?:\.copy\d+)?(?:\.picture[0-9a-f]+)?"$/, '"');
}
