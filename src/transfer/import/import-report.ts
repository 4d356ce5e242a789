import type { RecordKind } from "./record.ts";

/** The formats of posts, and our own archive. */
export type SiteFormat = "archive" | "markdown" | "ghost" | "wordpress";

export type RecordOutcome = "added" | "skipped" | "refused";

/** What became of a record of the file: the row of a report, and what `import --show` lists. */
export interface ReportRow {
  /** Its place among all records, from 1. */
  readonly position: number;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly outcome: RecordOutcome;
  /** Why it was skipped or refused: a code. */
  readonly reason: string | null;
  readonly detail: string | null;
  /** The record that was added, or was there already. */
  readonly id: number | null;
  /** The same of what has no id: the name of an image, the key of a working copy, the name of a setting. */
  readonly key: string | null;
  /** Of a post: where it is or will be, when it is published. */
  readonly path: string | null;
}

/** What could not be taken over as it was, and what became of it. */
export interface RecordNote {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

export type RecordCounts = Readonly<Record<RecordOutcome, number>>;

/** The report of an import of posts or of an archive, and the document that `import --json` prints. */
export interface SiteImportReport extends RecordCounts {
  readonly file: string;
  readonly format: SiteFormat;
  readonly dry_run: boolean;
  readonly imported_at: string;
  /** The import's id; null when nothing was added, so that nothing is recorded. */
  readonly import_id: number | null;
  readonly counts: Readonly<Partial<Record<RecordKind, RecordCounts>>>;
  /** In the order of their positions; read when they are iterated. */
  readonly rows: Iterable<ReportRow>;
  readonly notes: Iterable<RecordNote>;
}
