/** The location of a record in its archive or folder. */
export interface RecordLocation {
  /** The path of the file within the archive or folder, or the name of a single file. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** A record as a reader found it, before validation, with its references. */
export interface UncheckedRecord<Raw> {
  readonly record: Raw;
  readonly location: RecordLocation;
  /** The reference by which other records of the file name it. */
  readonly ref?: string;
  /**
   * The reference of the record that it is part of, such as the post of a comment; null for a working copy of a new post. The post
   * of a comment may be one that is here: then it is a path, which begins with a slash.
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
export interface StagedRecord<Checked> {
  readonly position: number;
  readonly ref: string | null;
  readonly parent: string | null;
  readonly wantedId: number | null;
  /** As of {@link UncheckedRecord}. */
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
