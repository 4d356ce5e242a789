import type { BookmarkFacts } from "../../readers/bookmarks/read-bookmarks.ts";
import type { SiteFormat } from "./import-report.ts";

/** The last ids assigned by the archive's database, by table; they are not reused. */
export type LastIds = Readonly<Record<string, number>>;

/** What is known of a file of posts, or of an archive, besides its records. */
export interface SiteFacts {
  readonly format: SiteFormat;
  readonly lastIds: LastIds;
}

/** What is known of any file besides its records. */
export type FileFacts = SiteFacts | BookmarkFacts;
