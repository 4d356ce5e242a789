import type { RecordKind } from "./record.ts";

/** The formats of posts, and our own archive and JSON. */
export type SiteFormat =
  | "archive"
  | "everything"
  | "markdown"
  | "ghost"
  | "wordpress"
  | "medium"
  | "substack"
  | "blogger";

export type RecordOutcome = "added" | "skipped" | "refused";

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

/** A part of a file that could not be imported unchanged, and its replacement. */
export interface RecordNote {
  readonly file: string;
  readonly line: number;
  readonly code: string;
  readonly detail: string;
}

/** Who sees an added post: everybody, only its writers, or only they until its time. */
export type Visibility = "public" | "draft" | "scheduled";

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
  readonly counts: Readonly<Partial<Record<RecordKind, RecordCounts>>>;
  readonly visibility: VisibilityCounts;
  /** In the order of their positions; read when they are iterated. */
  readonly rows: Iterable<ReportRow>;
  readonly notes: Iterable<RecordNote>;
}
