import type { BookmarkFacts } from "../../readers/bookmarks/read-bookmarks.ts";
import type { FileFacts, SiteFacts } from "./file-facts.ts";
import type { StagedMarks } from "./staged-marks.ts";
import { StagedRecords } from "./staged-records.ts";
import type { StagedRows, WantedRows } from "./staged-rows.ts";
import type { StagedTexts } from "./staged-texts.ts";

interface StagedFile extends Disposable {
  readonly fileName: string;
  /** The time of the import. */
  readonly now: Date;
  readonly records: StagedRecords;
}

/** A file of posts, or an archive, that was read and checked, ready to be imported. */
export interface StagedSite extends StagedFile, SiteFacts {}

/** A file of bookmarks that was read and checked, ready to be imported. */
export interface StagedBookmarks extends StagedFile, Omit<BookmarkFacts, "tagNotes"> {
  readonly rows: StagedRows;
  readonly texts: StagedTexts;
  readonly marks: StagedMarks;
}

/** The name of a file, and what is chosen about its import. */
export interface WantedImport extends WantedRows {
  /** Without its folder; `-` for the standard input. */
  readonly fileName: string;
}

/** What was read of a file. The caller disposes of the result. @param records with the facts about the file */
export function stagedFile(
  records: StagedRecords,
  { fileName, now, tags }: WantedImport,
): StagedSite | StagedBookmarks {
  const facts = records.about as FileFacts;
  const file = { fileName, now, records, [Symbol.dispose]: () => records[Symbol.dispose]() };
  if (!("rowUnit" in facts)) return { ...facts, ...file };
  const { tagNotes, notes, ...known } = facts;
  const { bookmarkRows: rows, texts, marks } = records;
  rows.want({ now, tags });
  return { ...known, ...file, rows, texts, marks, notes: tags ? [...notes, ...tagNotes] : notes };
}

/** Opens what another process has put into a named file. The caller disposes of the result. */
export function openStaged(path: string, wanted: WantedImport): StagedSite | StagedBookmarks {
  return stagedFile(StagedRecords.open(path), wanted);
}

/** Whether a file has more than bookmarks, or nothing of them. */
export function isSite(staged: StagedSite | StagedBookmarks): staged is StagedSite {
  return "lastIds" in staged;
}
