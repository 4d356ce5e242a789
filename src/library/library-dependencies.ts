import type { FetchPageDetails } from "../bookmarks/capture/fetch-page-details.ts";
import type { Database } from "../database/database.ts";
import type { Access, AccessPolicy } from "../http/access.ts";
import type { FindPostsLinkingTo } from "../posts/citations.ts";
import type { Search } from "../search/search.ts";
import type { Pages } from "../web/page.tsx";

/** The dependencies of the library's pages. */
export interface LibraryDependencies {
  readonly pages: Pages;
  readonly database: Database;
  readonly search: Search;
  readonly readAccess: Access | AccessPolicy;
  readonly writeAccess: Access | AccessPolicy;
  /** Undefined when pages are not fetched. */
  readonly readPage: FetchPageDetails | undefined;
  /** Makes a requested background job start at once. */
  readonly wakeJobs?: (() => void) | undefined;
  readonly wakeReadings?: (() => void) | undefined;
  /** Undefined where there are no posts. */
  readonly findPostsLinkingTo: FindPostsLinkingTo | undefined;
}
