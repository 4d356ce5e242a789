import type { StagedBookmark } from "../../readers/bookmarks/check-row.ts";
import type { Note } from "../../readers/remarks.ts";
import type { ImportReport, RefusedRow } from "../../transfer/import/import-report.ts";

/** Rows of each kind that are shown. */
export const SHOWN = 20;

/** A remark about one or several rows. */
export interface Remark extends Pick<Note, "code"> {
  readonly detail: string;
  /** The line of the first row. */
  readonly line: number;
  readonly count: number;
}

/** The preview of a file's import for a choice, with the first rows of each kind. */
export interface BookmarkPreview
  extends Pick<ImportReport, "file" | "counted_by" | "added" | "updated" | "skipped" | "refused"> {
  /** Of the skipped rows, those with the address of an earlier one; plans of earlier versions do not say it. */
  readonly repeated?: number;
  readonly refusals: readonly RefusedRow[];
  /** Those to show where others may read bookmarks, and the number of all. */
  readonly remarks: FirstRemarks;
  /** The same without the mark as private, which changes nothing where nobody else can read. */
  readonly remarksAlone: FirstRemarks;
  readonly news: readonly NewBookmark[];
  /** How many texts of pages and marks come along; plans of earlier versions do not say it. */
  readonly texts?: number;
  readonly marks?: number;
}

export interface FirstRemarks {
  readonly first: readonly Remark[];
  readonly count: number;
}

/** A bookmark that would be added. */
export type NewBookmark = Pick<StagedBookmark, "title" | "url" | "tags">;

/** A row that cannot be imported, exactly as in the file. */
export interface RefusedSource {
  readonly line: number;
  readonly reason: string | null;
  readonly url: string;
  readonly title: string;
  readonly tags: string | null;
  readonly date: string | null;
  readonly folders: readonly string[];
}
