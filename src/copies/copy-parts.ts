import type { BookmarkParts } from "../bookmarks/bookmark-parts.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Access, AccessPolicy } from "../http/access.ts";
import type { CopyStore } from "./copy-store.ts";
import type { CopyKeeper } from "./keep-copy.ts";
import type { SentPages } from "./sent-pages.ts";

/** Lets pages be fetched for copies. */
export interface CopyFetching {
  /** Requests the job that fetches the page of a bookmark, in the transaction after which it can run. */
  request(sql: Sql, bookmarkId: number, accountId: number | undefined): Promise<void>;
  /** Lets it run at once. */
  wake(): void;
}

/** What the endpoints and the pages of copies are made of. */
export interface CopyParts {
  readonly database: Database;
  readonly bookmarks: BookmarkParts;
  readonly store: CopyStore;
  readonly keeper: CopyKeeper;
  readonly sent: SentPages;
  /** Accounts, and tokens that may read bookmarks; where nobody has an account yet, as the bookmarks. */
  readonly readAccess: Access | AccessPolicy;
  readonly writeAccess: Access | AccessPolicy;
  /** Undefined where no pages are fetched. */
  readonly fetching: CopyFetching | undefined;
}
