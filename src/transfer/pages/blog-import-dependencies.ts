import type { Database } from "../../database/database.ts";
import type { Pages } from "../../web/page.tsx";
import type { KeptPreview } from "./kept-preview.ts";

/** What the parts of the import's pages share. */
export interface BlogImportParts extends BlogImportDependencies {
  readonly kept: KeptPreview;
}

export interface BlogImportDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** Lets a background job that was requested begin at once. */
  readonly wakeJobs?: (() => void) | undefined;
}
