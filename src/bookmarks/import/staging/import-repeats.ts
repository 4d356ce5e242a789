import type { CountedBy } from "../formats/file-row.ts";
import { otherTitleNote, repeatsNote } from "../import-notes.ts";
import type { Note } from "../import-report.ts";
import {
  type AcceptedRow,
  DESCRIPTION_MAX,
  isTooLong,
  joinBookmarks,
  type StagedBookmark,
} from "./staged-row.ts";

/**
 * Makes of all rows with the same URL the bookmark that the first one stands for: with its date, the first title, and
 * the texts and tags of all. Some exports have a row for each folder or label that a bookmark is in.
 */
export function joinDuplicates(
  first: AcceptedRow,
  all: Iterable<AcceptedRow>,
  countedBy: CountedBy,
): AcceptedRow {
  const different = new Map<string, StagedBookmark>();
  const notes: Note[] = [];
  let titled: AcceptedRow | undefined;
  let length = 0;
  for (const row of all) {
    const { title, text, tags, states } = row.bookmark;
    const key = JSON.stringify([text, tags, states]);
    if (!different.has(key)) length += text.length;
    if (length > DESCRIPTION_MAX) return tooLong(first);
    different.set(key, row.bookmark);
    if (title === "") continue;
    titled ??= row;
    if (title !== titled.bookmark.title)
      notes.push(otherTitleNote(row.row.line, title, `${countedBy} ${titled.row.line}`));
  }
  const title = titled?.bookmark.title ?? "";
  const bookmark = joinBookmarks({ ...first.bookmark, title }, [...different.values()]);
  return isTooLong(bookmark) ? tooLong(first) : { ...first, bookmark, notes: [...first.notes, ...notes] };
}

function tooLong(first: AcceptedRow): AcceptedRow {
  return { ...first, notes: [...first.notes, repeatsNote(first.row.line)] };
}
