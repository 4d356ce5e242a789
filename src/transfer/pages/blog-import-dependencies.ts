import type { FirstReadings } from "../../bookmarks/import/first-readings.ts";
import type { PreviewCache } from "../../bookmarks/import/preview-cache.ts";
import type { Database } from "../../database/database.ts";
import type { Pages } from "../../web/page.tsx";
import type { StagedSite } from "../import/staged-site.ts";

/** What the parts of the import's pages share. */
export interface BlogImportContext extends BlogImportDependencies {
  readonly previews: PreviewCache<StagedSite>;
  readonly readings: FirstReadings;
}

export interface BlogImportDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** Lets a background job that was requested begin at once. */
  readonly wakeJobs?: (() => void) | undefined;
}
