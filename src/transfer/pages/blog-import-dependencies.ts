import type { Database } from "../../database/database.ts";
import type { Pages } from "../../web/page.tsx";

export interface BlogImportDependencies {
  readonly pages: Pages;
  readonly database: Database;
  /** Lets a background job that was requested begin at once. */
  readonly wakeJobs?: (() => void) | undefined;
}
