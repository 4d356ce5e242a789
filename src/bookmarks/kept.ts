import type { Sql } from "../database/database.ts";
import type { ImportRun, StagedOfKind } from "../kept/import-run.ts";
import { FIRST_INSTANT, kept, LAST_INSTANT, type RecordCount } from "../kept/kept.ts";
import { idsAfter, LONG_AT_ONCE } from "../kept/lines.ts";
import { type RecordResult, type StagedRecord, thereAlready } from "../kept/staged-record.ts";
import { hasAnyState } from "../records/bookmark-members.ts";
import { BookmarkRecord, type RecordOf } from "../records/record.ts";
import type { Bookmark } from "./bookmark.ts";
import { changeBookmarks } from "./bookmark-writer.ts";
import { findBookmarksByUrl, hasBookmarks } from "./bookmarks-by-url.ts";
import { foldersOf, lineOf } from "./export/export-bookmarks.ts";
import { bookmarksAfter } from "./export/export-store.ts";
import { bookmarkUndoer } from "./undo-bookmarks.ts";

/** The number of URLs looked up at a time: each lookup reads the whole collection. */
const URLS_AT_ONCE = 20_000;

/** Bookmarks. The undo of an import of bookmarks, which may have changed some, takes back those of an archive, too. */
export const keptBookmarks = kept({
  kind: "bookmark",
  names: ["bookmark", "bookmarks"],
  archive: {
    file: "bookmarks.jsonl",
    shape: BookmarkRecord,
    title: "title",
    isCounted: true,
    table: "bookmarks",
    lines: {
      read: (sql, [after] = [0], [upTo] = [Number.MAX_SAFE_INTEGER]) =>
        linesAfter(sql, Number(after), Number(upTo)),
      keyOf: ({ id = 0 }) => [id],
      keysAfter: (sql, after) => idsAfter(sql, "bookmarks", after),
    },
    bringIn,
  },
  undo: { undoer: bookmarkUndoer, service: "bookmarks" },
  check: async (sql) => [
    [
      "bookmarks with an id or version below 1, or a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from bookmarks where id < 1 or version < 1
        or created_at < ${FIRST_INSTANT} or created_at > ${LAST_INSTANT} or updated_at < ${FIRST_INSTANT} or updated_at > ${LAST_INSTANT}`,
    ],
    [
      "bookmarks whose URL is not http or https",
      await sql<RecordCount>`select count(*) as n, min(id) as example from bookmarks
        where url not like 'http://_%' and url not like 'https://_%'`,
    ],
  ],
});

async function linesAfter(sql: Sql, after: number, upTo: number) {
  const page = await bookmarksAfter(sql, after, LONG_AT_ONCE, upTo);
  const ids = page.map(({ id }) => id);
  const folders = ids.length === 0 ? new Map<number, string[]>() : await foldersOf(sql, ids);
  return page.map((bookmark) => lineOf(bookmark, folders.get(bookmark.id) ?? []));
}

/** Imports the bookmarks whose URLs did not exist before the import. */
async function bringIn(run: ImportRun, bookmarks: StagedOfKind<RecordOf<"bookmark">>): Promise<void> {
  const { references } = run;
  const ids = await run.ids("bookmarks");
  const isEmpty = !(await hasBookmarks(run.sql));
  const haveParts = run.hasPartsOf("bookmark");
  await changeBookmarks(run.sql, run.now, async (writer) => {
    if (!isEmpty) await findKnown(run, bookmarks);
    await bookmarks.each(async (batch) => {
      await ids.prepare(batch.length);
      const added: Bookmark[] = [];
      const results = batch.map((staged): RecordResult => {
        const { position, ref, record, wantedId } = staged;
        const there = isEmpty ? undefined : references.resolve("bookmark", record.url)?.id;
        const id = there ?? ids.take(wantedId);
        if (haveParts && ref !== null)
          references.bind("bookmark", ref, there == null && run.isDry ? null : id, there == null);
        if (there != null)
          return thereAlready(position, `Bookmark ${there} has this URL already.`, { id: there });
        added.push(placedBookmark(run, staged, id));
        return { position, outcome: "added", id: run.isDry ? null : id, version: record.version };
      });
      // The collection's version must grow by at least the versions of its bookmarks.
      const versions = added.reduce((sum, { version }) => sum + version, 0);
      if (!run.isDry) await writer.placeMany(added, versions);
      return results;
    });
  });
}

/** Finds the existing bookmarks whose URLs the file has, too. */
async function findKnown(run: ImportRun, bookmarks: StagedOfKind<RecordOf<"bookmark">>): Promise<void> {
  let urls = new Set<string>();
  const look = async () => {
    if (urls.size > 0)
      for (const [url, { id }] of await findBookmarksByUrl(run.sql, [...urls]))
        run.references.bind("bookmark", url, id, false);
    urls = new Set();
  };
  for (const batch of bookmarks.batches()) {
    for (const { record } of batch) urls.add(record.url);
    if (urls.size >= URLS_AT_ONCE) await look();
  }
  await look();
}

function placedBookmark(
  run: ImportRun,
  { record }: StagedRecord<RecordOf<"bookmark">>,
  id: number,
): Bookmark {
  const { created_at, updated_at, created_by, states_updated_at, folders: _, ...same } = record;
  const changedAt = states_updated_at ?? (hasAnyState(same) ? updated_at : null);
  return {
    ...{ ...same, id },
    createdAt: new Date(created_at),
    updatedAt: new Date(updated_at),
    createdBy: run.ownerOf(created_by),
    statesUpdatedAt: changedAt === null ? null : new Date(changedAt),
    notBefore: null,
  };
}
