import type { RecordOutcome, ReportRow } from "./import-report.ts";
import type { RawRecord, RecordKind, RecordLocation, RecordOf } from "./record.ts";

/** A record as a reader found it, before validation, with its references. */
export interface UncheckedRecord<K extends RecordKind> {
  readonly record: RawRecord<K>;
  readonly location: RecordLocation;
  /** The reference by which other records of the file name it. */
  readonly ref?: string;
  /**
   * The reference of its post; null for a working copy of a new post. The post of a comment may be one that is here: then it is a
   * path, which begins with a slash.
   */
  readonly parent?: string | null;
  /**
   * What readers saw of a post in the other program, in HTML or Markdown: the report says which of its words are missing. It has
   * nothing of what is left out and named otherwise.
   */
  readonly source?: readonly string[];
  /** What of a post is left out since it was hidden there: what an earlier import may have made public. */
  readonly hides?: string;
  /** Its former id, if it may keep it. */
  readonly id?: number | undefined;
}

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
