import type { Awaitable } from "../awaitable.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Access, AccessPolicy } from "../http/access.ts";
import type { ResponseCache } from "../http/caching/response-cache.ts";
import type { Search } from "../search/search.ts";
import type { Pages } from "../web/page.tsx";
import type { Bookmark, CopyOfBookmark, PictureOfBookmark } from "./bookmark.ts";
import type { FetchPageDetails } from "./capture/fetch-page-details.ts";
import type { MovedParts } from "./parts-of-bookmarks.ts";

/** What bookmarks know of the copies of their pages, which are made of them. */
export interface CopiesOfBookmarks {
  /** The newest copies; bookmarks without one are absent. */
  newest(sql: Sql, bookmarkIds: readonly number[]): Promise<ReadonlyMap<number, CopyOfBookmark>>;
  /** The pictures of their pages, for callers who may read copies; bookmarks without one are absent. */
  pictures(sql: Sql, bookmarkIds: readonly number[]): Promise<ReadonlyMap<number, PictureOfBookmark>>;
  /** Passes the texts of the copies that are read, one by one. */
  eachText(
    sql: Sql,
    bookmarkIds: readonly number[],
    take: (bookmarkId: number, text: string) => void,
  ): Promise<void>;
  /** Who may know of them, and find by the words inside them. */
  readonly readAccess: Access | AccessPolicy;
  /**
   * What follows when somebody adds a link, in the transaction that stores it: a copy is requested where the site keeps what
   * is added. Called by each way of adding one link, never by imports, undo and merges, nor where its page is sent with it.
   */
  onAdded(sql: Sql, bookmarkId: number, accountId: number | undefined): Awaitable<unknown>;
  /** Deletes the copies of bookmarks that were deleted for good, and the pictures of their pages, in the same transaction. */
  forget(sql: Sql, bookmarks: readonly Pick<Bookmark, "id" | "url">[], now: Date): Promise<unknown>;
  /**
   * Moves copies to the bookmark that stays in a merge, in the same transaction.
   * @returns what moved, by which an undo moves it back
   */
  move(sql: Sql, to: number, from: readonly number[]): Promise<MovedParts>;
}

/** What the endpoints and the pages of bookmarks are made of. */
export interface BookmarkParts {
  readonly pages: Pages;
  readonly database: Database;
  readonly cache: ResponseCache;
  /** Searches bookmarks. */
  readonly search: Search;
  readonly copies: CopiesOfBookmarks;
  readonly readAccess: Access | AccessPolicy;
  readonly writeAccess: Access | AccessPolicy;
  /** Undefined when pages are not fetched. */
  readonly readPage: FetchPageDetails | undefined;
}
