import { otherTitleNote, repeatsNote } from "./import-notes.ts";
import type { Note } from "./import-report.ts";
import { isTooLong, joinBookmarks, type StagedBookmark, type StagedRow } from "./import-staging.ts";

type Accepted = Extract<StagedRow, { bookmark: StagedBookmark }>;

/**
 * Makes of all rows with the same URL the bookmark that the first one stands for: with its date, the first title, and
 * the texts and tags of all. Some exports have a row for each folder or label that a bookmark is in.
 */
export function mergeDuplicates(rows: readonly StagedRow[]): StagedRow[] {
  const byUrl = Map.groupBy(rows.filter(isAccepted), ({ bookmark }) => bookmark.url);
  return rows.map((staged) => {
    if (!isAccepted(staged)) return staged;
    const same = byUrl.get(staged.bookmark.url) ?? [];
    return same.length > 1 && same[0] === staged ? merged(staged, same) : staged;
  });
}

function merged(first: Accepted, all: readonly Accepted[]): Accepted {
  const titled = all.find(({ bookmark }) => bookmark.title !== "") ?? first;
  const bookmark = joinBookmarks(
    { ...first.bookmark, title: titled.bookmark.title },
    all.map((row) => row.bookmark),
  );
  if (isTooLong(bookmark)) return { ...first, notes: [...first.notes, repeatsNote(first.row.line)] };
  const notes = all.flatMap((row) => lostTitle(titled, row));
  return { ...first, bookmark, notes: [...first.notes, ...notes] };
}

function lostTitle(titled: Accepted, { row, bookmark: { title } }: Accepted): Note[] {
  if (title === "" || title === titled.bookmark.title) return [];
  return [otherTitleNote(row.line, title, titled.row.line)];
}

function isAccepted(staged: StagedRow): staged is Accepted {
  return "bookmark" in staged;
}
