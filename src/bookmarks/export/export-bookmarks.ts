import { pages } from "../../batches.ts";
import type { Sql } from "../../database/database.ts";
import {
  bookmarksAfter,
  bookmarksOf,
  type ExportedBookmark,
  type FolderRow,
  folderRowsAfter,
  folderRowsOf,
  lastToolbar,
} from "./export-store.ts";
import { PlacedBookmarks } from "./placed-bookmarks.ts";
import { CSV_HEADER, csvRecord } from "./write-csv.ts";
import { bookmarkEntry, folderEnd, folderStart, HEAD, TAIL } from "./write-netscape.ts";

/** The number of bookmarks that are read at a time; the description of each can have 1 MiB. */
const BATCH = 100;

/** The number of import rows that are read at a time; they are small. */
const ROWS = 1_000;

/** Called with the number of bookmarks written so far. */
export type OnWritten = (count: number) => void;

/**
 * All bookmarks in the Netscape format, in pieces: first those that were not imported, in the order of their ids,
 * then, folder by folder, the imported ones, in the order of their files. Descriptions keep the hashtags
 * inside them; the tag line is an attribute ({@link bookmarkEntry}). The folder of the browser's toolbar is marked.
 *
 * No transaction stays open between the pieces. A bookmark that exists and is unchanged throughout appears exactly
 * once. Only the folders are kept in memory.
 */
export async function* exportNetscape(sql: Sql, onWritten: OnWritten): AsyncGenerator<string> {
  using placed = await placeBookmarks(sql);
  const folders = new OpenFolders(await toolbarOf(sql, placed));
  yield HEAD;
  for await (const batch of allBookmarks(sql)) {
    const unplaced = placed.without(batch.map(({ id }) => id));
    const outside = batch.filter(({ id }) => unplaced.has(id));
    yield outside.map((bookmark) => bookmarkEntry(bookmark, 0)).join("");
    onWritten(outside.length);
  }
  for (const { path, ids } of placed.parts(BATCH)) {
    const batch = await inOrder(sql, ids);
    if (batch.length === 0) continue;
    yield folders.go(path) + batch.map((bookmark) => bookmarkEntry(bookmark, path.length)).join("");
    onWritten(batch.length);
  }
  yield folders.go([]);
  yield TAIL;
}

/** The existing bookmarks with these ids, in this order. */
async function inOrder(sql: Sql, ids: readonly number[]): Promise<ExportedBookmark[]> {
  const found = new Map((await bookmarksOf(sql, ids)).map((bookmark) => [bookmark.id, bookmark]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** All bookmarks as CSV (RFC 4180) with a header, in chunks, ordered by id. */
export async function* exportCsv(sql: Sql, onWritten: OnWritten): AsyncGenerator<string> {
  yield CSV_HEADER;
  for await (const batch of allBookmarks(sql)) {
    const folders = await foldersOf(
      sql,
      batch.map(({ id }) => id),
    );
    yield batch.map((bookmark) => csvRecord(bookmark, folders.get(bookmark.id) ?? [])).join("");
    onWritten(batch.length);
  }
}

/** All bookmarks as the items of a JSON array, in chunks, one per line, ordered by id. */
export async function* exportJson(sql: Sql, onWritten: OnWritten): AsyncGenerator<string> {
  let isFirst = true;
  for await (const batch of allBookmarks(sql)) {
    const folders = await foldersOf(
      sql,
      batch.map(({ id }) => id),
    );
    const lines = batch.map((bookmark) => JSON.stringify(toJson(bookmark, folders.get(bookmark.id) ?? [])));
    yield `${isFirst ? "" : ","}\n${lines.join(",\n")}`;
    isFirst = false;
    onWritten(batch.length);
  }
}

/** The folders of imported bookmarks, outermost first. @param ids at least one */
export async function foldersOf(sql: Sql, ids: readonly number[]): Promise<Map<number, string[]>> {
  const folders = new Map<number, string>();
  // The last import counts, unless it left the bookmark unchanged.
  for (const { bookmarkId, folders: found, isSkipped } of await folderRowsOf(sql, ids))
    if (!isSkipped || !folders.has(bookmarkId)) folders.set(bookmarkId, found);
  return new Map([...folders].map(([id, path]) => [id, JSON.parse(path) as string[]]));
}

/** A bookmark as archives have it. */
export function lineOf(
  { notBefore: _, version, createdAt, updatedAt, createdBy, statesUpdatedAt, ...bookmark }: ExportedBookmark,
  folders: string[],
) {
  const { unread, archived, shared, ...same } = bookmark;
  return {
    ...same,
    ...{ created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
    ...{ created_by: createdBy, version, unread, archived, shared },
    ...{ states_updated_at: statesUpdatedAt?.toISOString() ?? null, folders },
  };
}

function toJson(bookmark: ExportedBookmark, folders: string[]) {
  const { version: _, states_updated_at: __, ...json } = lineOf(bookmark, folders);
  return json;
}

function allBookmarks(sql: Sql): AsyncGenerator<readonly ExportedBookmark[]> {
  return pages<ExportedBookmark>((last) => bookmarksAfter(sql, last?.id ?? 0, BATCH));
}

async function placeBookmarks(sql: Sql): Promise<PlacedBookmarks> {
  const placed = new PlacedBookmarks();
  const after = (last?: FolderRow) => folderRowsAfter(sql, ROWS, last);
  for await (const rows of pages(after)) for (const row of rows) placed.add(row);
  return placed;
}

/** The English name of the browsers' toolbar folder, for imports that did not record it. */
const TOOLBARS = ["bookmarks bar", "bookmarks toolbar", "favorites bar", "favourites bar"];

/** The toolbar folder: the one marked by the last import that has one, otherwise one with this name. */
async function toolbarOf(sql: Sql, { topFolders }: PlacedBookmarks): Promise<readonly string[]> {
  const marked = await lastToolbar(sql);
  if (marked !== undefined) return marked;
  return topFolders.filter((name) => TOOLBARS.includes(name.toLowerCase())).slice(0, 1);
}

/** The folders of the file that are open. */
class OpenFolders {
  readonly #toolbar: string;
  #open: readonly string[] = [];

  constructor(toolbar: readonly string[]) {
    this.#toolbar = JSON.stringify(toolbar);
  }

  /** Closes and opens folders to get to the one with a path. */
  go(to: readonly string[]): string {
    const from = this.#open;
    this.#open = to;
    const shared = countSharedFolders(from, to);
    const left = from.slice(shared).map((_, index) => folderEnd(from.length - 1 - index));
    const entered = to.slice(shared).map((name, index) => {
      const depth = shared + index;
      return folderStart(name, depth, JSON.stringify(to.slice(0, depth + 1)) === this.#toolbar);
    });
    return [...left, ...entered].join("");
  }
}

function countSharedFolders(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  return count;
}
