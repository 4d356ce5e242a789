import type { SiteFormat } from "./import-report.ts";
import type { LastIds } from "./import-run.ts";
import type { StagedRecords } from "./staged-records.ts";

/** A file that was read and checked, ready to be imported. */
export interface StagedSite extends Disposable {
  readonly fileName: string;
  readonly format: SiteFormat;
  /** The time of the import. */
  readonly now: Date;
  readonly records: StagedRecords;
  readonly lastIds: LastIds;
}
