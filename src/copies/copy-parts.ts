import type { Awaitable } from "../awaitable.ts";
import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Access, AccessPolicy } from "../http/access.ts";
import type { CopyRoom } from "./copy-room.ts";
import type { CopyStore } from "./copy-store.ts";
import type { CopyKeeper } from "./keep-copy.ts";
import type { SentPages } from "./sent-pages.ts";

/** Lets pages be fetched for copies. */
export interface CopyFetching {
  /**
   * Requests the job that fetches the page of a bookmark, in the transaction after which it can run.
   * @throws Refusal `unsupported_media_type` where the site keeps no copies
   */
  request(sql: Sql, bookmarkId: number, accountId: number | undefined): Promise<void>;
  /** The same for a link that is added, where the site keeps what is added; else it does nothing. It wakes the job itself. */
  requestAdded(sql: Sql, bookmarkId: number, accountId: number): Awaitable<unknown>;
  /** Lets it run at once. */
  wake(): void;
}

/** What the endpoints and the pages of copies are made of. */
export interface CopyParts {
  readonly database: Database;
  readonly bookmarks: BookmarkParts;
  readonly store: CopyStore;
  readonly keeper: CopyKeeper;
  readonly room: CopyRoom;
  readonly sent: SentPages;
  /** Accounts, and tokens that may read bookmarks; where nobody has an account yet, as the bookmarks. */
  readonly readAccess: Access | AccessPolicy;
  readonly writeAccess: Access | AccessPolicy;
  /** Undefined where no pages are fetched. */
  readonly fetching: CopyFetching | undefined;
}
