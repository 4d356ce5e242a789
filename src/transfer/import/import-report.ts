import type { RecordOutcome, ReportRow, Visibility } from "../../kept/staged-record.ts";
import type { ArchivedKind } from "../../nouns.ts";
import { BLOG_FORMATS } from "../../readers/blog-formats.ts";
import type { FormatName, RowUnit } from "../../readers/bookmarks/bookmark-format.ts";
import type { Note, RecordNote, RefusalCode } from "../../readers/remarks.ts";
import type { TextRefusal } from "./staged-texts.ts";

/** The formats with records other than bookmarks: those of posts, and our own archive and JSON. */
export const SITE_FORMATS = ["archive", "everything", ...BLOG_FORMATS] as const;
export type SiteFormat = (typeof SITE_FORMATS)[number];

/** The numbers of added posts by who sees them. */
export type VisibilityCounts = Readonly<Record<Visibility, number>>;

export type RecordCounts = Readonly<Record<RecordOutcome, number>>;

/** The report of an import of posts or of an archive, and the document that `import --json` prints. */
export interface SiteImportReport extends RecordCounts {
  readonly file: string;
  readonly format: SiteFormat;
  readonly dry_run: boolean;
  readonly imported_at: string;
  /** The import's id; null when nothing was added, so that nothing is recorded. */
  readonly import_id: number | null;
  readonly counts: Readonly<Partial<Record<ArchivedKind, RecordCounts>>>;
  readonly visibility: VisibilityCounts;
  /** How many posts an earlier import made public here that are hidden in the file, and whether they become drafts. */
  readonly hidden_there: number;
  readonly made_drafts: boolean;
  /** In the order of their positions; read when they are iterated. */
  readonly rows: Iterable<ReportRow>;
  readonly notes: Iterable<RecordNote>;
}

/** The outcome of a row. */
export type Outcome = "added" | "updated" | "skipped" | "refused";

/**
 * Why a row was skipped: its address existed before the import, was in an earlier row of the same file, or (under
 * `update`) exists with exactly these contents; or it has none, and brings marks alone.
 */
export type SkipReason = "kept_already" | "repeated" | "unchanged" | "marks_alone";

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

/** What became of the texts of pages that a file brings. */
export interface TextsReport {
  readonly found: number;
  /** Those that are copies of their pages, or marks, now; 0 in a dry run. */
  readonly kept: number;
  /** Those that an earlier import has brought. */
  readonly there_already: number;
  readonly refused: number;
  /** The numbers of refused ones, by their reasons. */
  readonly reasons: Partial<Readonly<Record<TextRefusal, number>>>;
}

/** Why a mark is refused. */
export type MarkRefusal = "too_many" | "too_long" | "public_note" | "no_link";

/** What became of the marks that a file brings. */
export interface MarksReport extends Omit<TextsReport, "reasons"> {
  /** Those that are marks of links without a copy, since others may read notes; `kept` are those of links with one. */
  readonly without_copy: number;
  /** Those that are quotations in the notes of their links. */
  readonly in_notes: number;
  readonly reasons: Partial<Readonly<Record<MarkRefusal, number>>>;
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
  /** Only of a file that brings some. */
  readonly texts?: TextsReport;
  readonly marks?: MarksReport;
  readonly refusals: Iterable<RefusedRow>;
  readonly skips: Iterable<SkippedRow>;
  readonly notes: Iterable<Note>;
}
