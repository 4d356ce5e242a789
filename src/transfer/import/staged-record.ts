import type { RecordKind, RecordOf } from "../../records/record.ts";
import type { RecordOutcome, ReportRow } from "./import-report.ts";

/** A valid record that waits to be imported. */
export interface StagedRecord<K extends RecordKind> {
  readonly position: number;
  readonly ref: string | null;
  readonly parent: string | null;
  readonly wantedId: number | null;
  /** As of {@link UncheckedRecord}. */
  readonly hides?: string | undefined;
  readonly record: RecordOf<K>;
}

/** The outcome of a record. */
export interface RecordResult {
  readonly position: number;
  readonly outcome: RecordOutcome | "updated";
  readonly reason?: string;
  readonly detail?: string;
  readonly id?: number | null;
  readonly key?: string | null;
  readonly version?: number | null;
  readonly path?: string | null;
}

/** Of a record that is here. */
export function thereAlready(
  position: number,
  detail: string,
  known: Pick<RecordResult, "id" | "key"> = {},
): RecordResult {
  return { position, outcome: "skipped", reason: "there_already", detail, ...known };
}

/** Of a record whose post did not come in. */
export const NO_POST = {
  outcome: "refused",
  reason: "no_post",
  detail: "Its post was not imported.",
} as const;

/** A row of the report, with the stored version of the record, which shows whether it has changed since. */
export interface FinishedRow extends ReportRow {
  readonly version: number | null;
}
