import type { Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { BookmarkStates } from "../../records/bookmark-members.ts";
import { type StatesRow, statesOf } from "../bookmark-states.ts";

/** An exported bookmark. */
export interface ExportedBookmark {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The name of the account that created it; null if it was anonymous or the account was removed. */
  readonly createdBy: string | null;
  readonly states: BookmarkStates;
}

interface Row extends Omit<ExportedBookmark, "createdAt" | "updatedAt" | "createdBy" | "states">, StatesRow {
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly username: string | null;
}

const SELECT = fragment`
  select bookmarks.id, title, url, description, bookmarks.created_at, bookmarks.updated_at, username,
    unread, archived, shared
  from bookmarks left join accounts on accounts.id = created_by`;

/** At most `limit` bookmarks with ids above one, ordered by id. */
export async function bookmarksAfter(sql: Sql, id: number, limit: number): Promise<ExportedBookmark[]> {
  const rows = await sql<Row>`
    ${SELECT} where bookmarks.id > ${id} order by bookmarks.id limit ${limit}`;
  return rows.map(fromRow);
}

/** The existing bookmarks with these ids, in this order. @param ids at least one */
export async function bookmarksOf(sql: Sql, ids: readonly number[]): Promise<ExportedBookmark[]> {
  const rows = await sql<Row>`
    ${SELECT} where bookmarks.id in ${ids} order by bookmarks.id`;
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
  const { id, title, url, description, created_at, updated_at, username } = row;
  return {
    id: Number(id),
    title,
    url,
    description,
    createdAt: new Date(created_at),
    updatedAt: new Date(updated_at),
    createdBy: username,
    states: statesOf(row),
  };
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
