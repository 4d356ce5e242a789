import type { Sql } from "../../database/database.ts";
import {
  bookmarksAfter,
  bookmarksOf,
  type ExportedBookmark,
  type FoundRow,
  foundBookmarks,
  foundInFolders,
} from "./export-store.ts";
import { bookmarkEntry, folderEnd, folderStart, HEAD, TAIL } from "./write-netscape.ts";

/** How many bookmarks are read at once; each may have a description of a mebibyte. */
const BATCH = 100;

/** How many rows of imports are read at once, which are small. */
const ROWS = 1_000;

/** Told of so many bookmarks that were written. */
export type OnWritten = (count: number) => void;

/**
 * All bookmarks in the Netscape format, in pieces: those in no folder first, then folder by folder, as imports
 * have found them, in the order of their ids. Descriptions keep their hashtags, which are their `TAGS` too.
 *
 * No transaction stays open between the pieces. A bookmark that is there and unchanged throughout is in it
 * exactly once. What is kept in memory is which bookmark is in which folder.
 */
export async function* exportNetscape(sql: Sql, onWritten: OnWritten): AsyncGenerator<string> {
  const folderOf = await readFolders(sql);
  yield HEAD;
  for await (const batch of allBookmarks(sql)) {
    const outside = batch.filter(({ id }) => !folderOf.has(id));
    yield outside.map((bookmark) => bookmarkEntry(bookmark, 0)).join("");
    onWritten(outside.length);
  }
  let open: readonly string[] = [];
  for (const { path, ids } of byFolder(folderOf)) {
    yield between(open, path);
    open = path;
    for (let start = 0; start < ids.length; start += BATCH) {
      const batch = await bookmarksOf(sql, ids.slice(start, start + BATCH));
      yield batch.map((bookmark) => bookmarkEntry(bookmark, path.length)).join("");
      onWritten(batch.length);
    }
  }
  yield between(open, []);
  yield TAIL;
}

/** All bookmarks as the items of a JSON array, in pieces, one a line, in the order of their ids. */
export async function* exportJson(sql: Sql, onWritten: OnWritten): AsyncGenerator<string> {
  let isFirst = true;
  for await (const batch of allBookmarks(sql)) {
    const found = await foundBookmarks(
      sql,
      batch.map(({ id }) => id),
    );
    const folders = new Map<number, string>();
    for (const row of found) note(folders, row);
    const lines = batch.map((bookmark) => JSON.stringify(toJson(bookmark, folders.get(bookmark.id))));
    yield `${isFirst ? "" : ","}\n${lines.join(",\n")}`;
    isFirst = false;
    onWritten(batch.length);
  }
}

/** The folders in which imports have found bookmarks, from the outermost in. @param ids at least one */
export async function foldersOf(sql: Sql, ids: readonly number[]): Promise<Map<number, string[]>> {
  const folders = new Map<number, string>();
  for (const row of await foundBookmarks(sql, ids)) note(folders, row);
  return new Map([...folders].map(([id, path]) => [id, JSON.parse(path) as string[]]));
}

function toJson(bookmark: ExportedBookmark, folders: string | undefined) {
  const { id, title, url, description, createdAt, updatedAt, createdBy, states } = bookmark;
  return {
    id,
    title,
    url,
    description,
    created_at: createdAt,
    updated_at: updatedAt,
    created_by: createdBy,
    ...states,
    folders: folders === undefined ? [] : JSON.parse(folders),
  };
}

async function* allBookmarks(sql: Sql): AsyncGenerator<ExportedBookmark[]> {
  let batch = await bookmarksAfter(sql, 0, BATCH);
  for (let last = batch.at(-1); last !== undefined; last = batch.at(-1)) {
    yield batch;
    batch = await bookmarksAfter(sql, last.id, BATCH);
  }
}

/** The folders of all bookmarks that have one, each as a JSON array of names. */
async function readFolders(sql: Sql): Promise<Map<number, string>> {
  const folderOf = new Map<number, string>();
  // One string for each folder, however many bookmarks it has.
  const known = new Map<string, string>();
  let rows = await foundInFolders(sql, ROWS, undefined);
  while (rows.length > 0) {
    for (const row of rows) {
      const folders = known.get(row.folders) ?? row.folders;
      known.set(folders, folders);
      note(folderOf, { ...row, folders });
    }
    rows = await foundInFolders(sql, ROWS, rows.at(-1));
  }
  return folderOf;
}

/** The last import counts; but one that left the bookmark as it was does not take it out of its folder. */
function note(folderOf: Map<number, string>, { bookmarkId, folders, isSkipped }: FoundRow): void {
  if (!isSkipped || !folderOf.has(bookmarkId)) folderOf.set(bookmarkId, folders);
}

interface FolderContents {
  readonly path: readonly string[];
  readonly ids: readonly number[];
}

/** Folders in an order in which each one comes right before those inside it. */
function byFolder(folderOf: ReadonlyMap<number, string>): FolderContents[] {
  const idsOf = new Map<string, number[]>();
  for (const [id, folders] of folderOf) {
    const ids = idsOf.get(folders);
    if (ids === undefined) idsOf.set(folders, [id]);
    else ids.push(id);
  }
  return [...idsOf]
    .map(([folders, ids]) => ({ path: JSON.parse(folders) as string[], ids: ids.sort((a, b) => a - b) }))
    .sort((one, other) => comparePaths(one.path, other.path));
}

function comparePaths(one: readonly string[], other: readonly string[]): number {
  const shared = sharedDepth(one, other);
  const [a, b] = [one[shared], other[shared]];
  if (a === undefined || b === undefined) return one.length - other.length;
  return a < b ? -1 : 1;
}

function sharedDepth(one: readonly string[], other: readonly string[]): number {
  let depth = 0;
  while (depth < one.length && one[depth] === other[depth]) depth++;
  return depth;
}

/** Leaves the folders of one path and enters those of another, as far as they differ. */
function between(from: readonly string[], to: readonly string[]): string {
  const shared = sharedDepth(from, to);
  const left = from.slice(shared).map((_, index) => folderEnd(from.length - 1 - index));
  const entered = to.slice(shared).map((name, index) => folderStart(name, shared + index));
  return [...left, ...entered].join("");
}
