import type { Database } from "../../database/database.ts";
import type { Pages } from "../../web/page.tsx";
import type { PreviewCache } from "./preview-cache.ts";

/** What the parts of the import's pages share. */
export interface BlogImportContext extends BlogImportDependencies {
  readonly previews: PreviewCache;
}

export interface BlogImportDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** Lets a background job that was requested begin at once. */
  readonly wakeJobs?: (() => void) | undefined;
}
