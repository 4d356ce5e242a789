import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { Bookmark } from "../bookmark.ts";
import { type BookmarkRow, bookmarkColumns, bookmarkOf } from "../bookmark-row.ts";

/** An exported bookmark. */
export interface ExportedBookmark extends Omit<Bookmark, "createdBy"> {
  /** The name of the account that created it; null if it was anonymous or the account was removed. */
  readonly createdBy: string | null;
}

type Row = BookmarkRow & { readonly username: string | null };

const SELECT = fragment`
  select ${bookmarkColumns()}, username from bookmarks b left join accounts on accounts.id = b.created_by`;

/** At most `limit` bookmarks with ids above one, up to another, ordered by id. */
export async function bookmarksAfter(
  sql: Sql,
  id: number,
  limit: number,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<ExportedBookmark[]> {
  const rows = await sql<Row>`
    ${SELECT} where b.id > ${id} and b.id <= ${upTo} order by b.id limit ${limit}`;
  return rows.map(fromRow);
}

/** The existing bookmarks with these ids, in this order. @param ids at least one */
export async function bookmarksOf(sql: Sql, ids: readonly number[]): Promise<ExportedBookmark[]> {
  const rows = await sql<Row>`
    ${SELECT} where b.id in ${ids} order by b.id`;
  return rows.map(fromRow);
}

/** The folder of a bookmark in an import. */
export interface FolderRow {
  readonly importId: number;
  readonly position: number;
  readonly bookmarkId: number;
  /** The names of its folders, outermost first, as a JSON array. */
  readonly folders: string;
  /** Whether the import left the bookmark unchanged. */
  readonly isSkipped: boolean;
}

interface ImportRow {
  readonly import_id: number;
  readonly position: number;
  readonly record_id: number;
  readonly folders: string;
  readonly outcome: string;
}

/** At most `limit` rows of imports with a bookmark, in the order of the imports. */
export async function folderRowsAfter(
  sql: Sql,
  limit: number,
  after: Pick<FolderRow, "importId" | "position"> | undefined,
): Promise<FolderRow[]> {
  const { importId, position } = after ?? { importId: 0, position: 0 };
  const rows = await sql<ImportRow>`
    select import_id, position, record_id, folders, outcome from import_rows
    where (import_id, position) > (${importId}, ${position}) and folders is not null and record_id is not null
    order by import_id, position limit ${limit}`;
  return rows.map(toFolderRow);
}

/** The browser's toolbar folder, from the last import that recorded one. */
export async function lastToolbar(sql: Sql): Promise<readonly string[] | undefined> {
  const [row] = await sql<{ toolbar_folder: string }>`
    select toolbar_folder from imports where toolbar_folder is not null order by id desc limit 1`;
  return row && (JSON.parse(row.toolbar_folder) as string[]);
}

/** The import rows of some bookmarks with folders. @param ids at least one */
export async function folderRowsOf(sql: Sql, ids: readonly number[]): Promise<FolderRow[]> {
  const rows = await sql<ImportRow>`
    select import_id, position, record_id, folders, outcome from import_rows
    where record_id in ${ids} and folders <> '[]' order by import_id, position`;
  return rows.map(toFolderRow);
}

function fromRow(row: Row): ExportedBookmark {
  return { ...bookmarkOf(row), createdBy: row.username };
}

function toFolderRow({ import_id, position, record_id, folders, outcome }: ImportRow): FolderRow {
  return {
    importId: Number(import_id),
    position: Number(position),
    bookmarkId: Number(record_id),
    folders,
    isSkipped: outcome === "skipped",
  };
}
