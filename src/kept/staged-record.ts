/** A valid record that waits to be imported. */
export interface StagedRecord<Checked> {
  readonly position: number;
  readonly ref: string | null;
  readonly parent: string | null;
  readonly wantedId: number | null;
  /** What of a post is left out since it was hidden there. */
  readonly hides?: string | undefined;
  readonly record: Checked;
}

export type RecordOutcome = "added" | "skipped" | "refused";

/** Who sees an added post: everybody, only its writers, or only they until its time. It is the reason of its outcome. */
export type Visibility = "public" | "draft" | "scheduled";

/** The reason of a skipped post that an earlier import made public here, and that is hidden in the file. */
export const HIDDEN_THERE = "hidden_there";

/** The outcome of a record. */
export interface RecordResult {
  readonly position: number;
  readonly outcome: RecordOutcome | "updated";
  readonly reason?: string;
  readonly detail?: string;
  readonly id?: number | null;
  readonly key?: string | null;
  /** A number that grows with each change of the record: an undo leaves one alone that has another by then. */
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

/** The outcome of a record: a row of the report, and of `import --show`. */
export interface ReportRow {
  /** Its position among all records, from 1. */
  readonly position: number;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly outcome: RecordOutcome;
  /** Why it was skipped or refused: a code. Of an added post, its {@link Visibility}. */
  readonly reason: string | null;
  readonly detail: string | null;
  /** The id of the added or existing record. */
  readonly id: number | null;
  /** The key of a record without an id: an image's name, a working copy's key, a setting's name. */
  readonly key: string | null;
  /** The path of a published post. */
  readonly path: string | null;
}

/** A row of the report, with the stored version of the record, which shows whether it has changed since. */
export interface FinishedRow extends ReportRow {
  readonly version: number | null;
}

/** A recorded outcome of an import. */
export type RecordedRow = Omit<FinishedRow, "path">;
