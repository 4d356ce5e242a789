import type { FindExisting } from "../../bookmarks/bookmarks-by-url.ts";
import type { Note } from "../../readers/remarks.ts";
import { previewImport } from "../../transfer/import/import-bookmarks.ts";
import type { ImportReport } from "../../transfer/import/import-report.ts";
import { openStaged, type StagedBookmarks } from "../../transfer/import/staged-file.ts";
import { CHOICES } from "../choices.ts";
import {
  type BookmarkPreview,
  type FirstRemarks,
  type NewBookmark,
  type RefusedSource,
  type Remark,
  SHOWN,
} from "./preview.ts";

/**
 * Plans the import of bookmarks that were read, for each choice, without a database.
 * @param records the path of a copy of the records, which is changed
 * @param find looks up bookmarks by their URLs
 * @param onRefused takes the rows that cannot be imported
 * @returns a preview for each of {@link CHOICES}
 */
export async function planBookmarks(
  records: string,
  { fileName, now }: { readonly fileName: string; readonly now: Date },
  find: FindExisting,
  onRefused: (rows: Iterable<RefusedSource>) => void,
): Promise<BookmarkPreview[]> {
  const previews: BookmarkPreview[] = [];
  for (const { rule, tags } of CHOICES) {
    using staged = openStaged(records, { fileName, now, tags }) as StagedBookmarks;
    // Once, with the first choice, under which most rows are refused.
    if (previews.length === 0) onRefused(refusedRows(staged));
    previews.push(previewOf(staged, await previewImport(find, staged, rule)));
  }
  return previews;
}

function previewOf(staged: StagedBookmarks, report: ImportReport): BookmarkPreview {
  const { file, counted_by, added, updated, refused } = report;
  let [skipped, repeated] = [0, 0];
  for (const { reason } of report.skips) {
    // Without an address, it is no link.
    if (reason !== "marks_alone") skipped++;
    if (reason === "repeated") repeated++;
  }
  const remarks = distinctNotes(report.notes);
  return {
    ...{ file, counted_by, added, updated, skipped, repeated, refused },
    refusals: first(report.refusals),
    remarks: firstOf(remarks),
    remarksAlone: firstOf(remarks.filter(({ code }) => code !== "private")),
    news: first(newBookmarks(staged, report)),
    ...{ texts: staged.texts.count, marks: staged.marks.count },
  };
}

function firstOf(remarks: readonly Remark[]): FirstRemarks {
  return { first: remarks.slice(0, SHOWN), count: remarks.length };
}

/** The notes, those with the same text as one. */
function distinctNotes(notes: Iterable<Note>): Remark[] {
  const byDetail = new Map<string, Remark>();
  for (const { code, detail, line } of notes) {
    const before = byDetail.get(detail);
    byDetail.set(detail, { code, detail, line: before?.line ?? line, count: (before?.count ?? 0) + 1 });
  }
  return [...byDetail.values()];
}

/** The bookmarks that would be added, in the order of the file. */
function* newBookmarks(staged: StagedBookmarks, { skips }: ImportReport): Generator<NewBookmark> {
  const skipped = new Set<number>();
  for (const { position } of skips) skipped.add(position);
  for (const { staged: row, existing } of staged.rows.rows())
    if ("bookmark" in row && existing === undefined && !skipped.has(row.row.position)) {
      const { title, url, tags } = row.bookmark;
      yield { title, url, tags };
    }
}

function* refusedRows(staged: StagedBookmarks): Generator<RefusedSource> {
  for (const row of staged.rows.rows()) {
    if (!("refusal" in row.staged)) continue;
    const { line, url, title, tags, date, folders } = row.staged.row;
    yield { line, reason: row.staged.refusal.code, url, title, tags, date, folders };
  }
}

function first<T>(items: Iterable<T>): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === SHOWN) break;
  }
  return taken;
}
