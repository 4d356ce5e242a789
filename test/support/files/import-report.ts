import type { Note } from "../../../src/readers/remarks.ts";
import type { ImportReport, RefusedRow, SkippedRow } from "../../../src/transfer/import/import-report.ts";

/** A report with its lists as arrays, which remain after the staged import is closed. */
export interface WholeReport extends ImportReport {
  readonly refusals: readonly RefusedRow[];
  readonly skips: readonly SkippedRow[];
  readonly notes: readonly Note[];
}

export function whole(report: ImportReport): WholeReport {
  return {
    ...report,
    refusals: [...report.refusals],
    skips: [...report.skips],
    notes: [...report.notes],
  };
}
