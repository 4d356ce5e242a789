import type { Database } from "../database/database.ts";
import type { Access, AccessPolicy } from "../http/access.ts";
import type { ResponseCache } from "../http/caching/response-cache.ts";
import type { Search } from "../search/search.ts";
import type { Pages } from "../web/page.tsx";
import type { FetchPageDetails } from "./capture/fetch-page-details.ts";

/** What the endpoints and the pages of bookmarks are made of. */
export interface BookmarkParts {
  readonly pages: Pages;
  readonly database: Database;
  readonly cache: ResponseCache;
  /** Searches bookmarks. */
  readonly search: Search;
  readonly readAccess: Access | AccessPolicy;
  readonly writeAccess: Access | AccessPolicy;
  /** Undefined when pages are not fetched. */
  readonly readPage: FetchPageDetails | undefined;
}
