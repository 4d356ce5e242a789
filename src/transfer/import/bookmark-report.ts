import type { ValidationCode } from "../../errors.ts";
import type { FormatName, RowUnit } from "../bookmarks/format-name.ts";

/** The outcome of a row. */
export type Outcome = "added" | "updated" | "skipped" | "refused";

/** Why a row was refused: an error in its address or texts, or the end of the file in the middle of it. */
export type RefusalCode = ValidationCode | "cut_off";

/**
 * Why a row was skipped: its address existed before the import, was in an earlier row of the same file, or (under
 * `update`) exists with exactly these contents.
 */
export type SkipReason = "kept_already" | "repeated" | "unchanged";

/** A note on an accepted row: which part of it could not be imported unchanged. */
export type NoteCode =
  | "date_missing"
  | "date_unreadable"
  | "date_absurd"
  | "private"
  | "keyword"
  | "folders_shortened"
  | "folder_description"
  | "important"
  | "tag_unfit"
  | "tag_changed"
  | "folder_unfit"
  | "title_shortened"
  | "other_title"
  | "repeats_too_long"
  | "other_encoding"
  | "encoding"
  | "bad_bytes"
  | "trash"
  | "not_kept"
  | "unknown_members"
  | "posts"
  | "other_file";

export interface Note {
  readonly line: number;
  readonly code: NoteCode;
  readonly detail: string;
}

export interface RefusedRow {
  readonly position: number;
  readonly line: number;
  readonly title: string;
  readonly url: string;
  readonly code: RefusalCode;
  readonly detail: string;
}

export interface SkippedRow {
  readonly position: number;
  readonly line: number;
  readonly url: string;
  readonly reason: SkipReason;
  /** The bookmark that has this address; null in a dry run that would only now add it. */
  readonly bookmark_id: number | null;
}

/** The number of rows with each outcome. */
export type OutcomeCounts = Record<Outcome, number>;

/**
 * The report of an import, and the document that `import --json` prints. The lists are read when they are iterated,
 * as long as the staged import is open: there can be as many items as the file has rows.
 */
export interface ImportReport extends Readonly<OutcomeCounts> {
  /** The file's name without its folder; `-` for the standard input. */
  readonly file: string;
  readonly format: FormatName;
  /** What each `line` counts: lines, or bookmarks where a file may be one long line, or is an archive. */
  readonly counted_by: RowUnit;
  /** How the file's bytes were read, as the encoding standard names it. */
  readonly encoding: string;
  readonly dry_run: boolean;
  readonly imported_at: string;
  /** The import's id in the database; null when it added and updated nothing, so that none was recorded. */
  readonly import_id: number | null;
  readonly refusals: Iterable<RefusedRow>;
  readonly skips: Iterable<SkippedRow>;
  readonly notes: Iterable<Note>;
}
