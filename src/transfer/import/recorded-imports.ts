import { pages } from "../../batches.ts";
import type { Database, Instant, Sql } from "../../database/database.ts";
import { type Fragment, fragment } from "../../database/fragment.ts";
import type { RecordedRow, RecordOutcome } from "../../kept/staged-record.ts";
import type { RowUnit } from "../../readers/bookmarks/bookmark-format.ts";
import type { RefusalCode } from "../../readers/remarks.ts";
import { type Outcome, SITE_FORMATS } from "./import-report.ts";

/** A recorded import, with the outcomes of its rows. */
export interface RecordedImport {
  readonly id: number;
  readonly fileName: string;
  readonly format: string;
  readonly createdAt: Date;
  readonly undoneAt: Date | null;
  readonly added: number;
  readonly updated: number;
  readonly skipped: number;
  readonly refused: number;
}

interface ImportRow {
  readonly id: number;
  readonly file_name: string;
  readonly format: string;
  readonly created_at: Instant;
  readonly undone_at: Instant | null;
  readonly added: number;
  readonly updated: number;
  readonly skipped: number;
  readonly refused: number;
}

/** All imports that added or updated anything, ordered by number. Copies and marks in archives are counted, texts and marks in files of bookmarks are not. */
export async function listImports(sql: Sql): Promise<RecordedImport[]> {
  const rows = await sql<ImportRow>`
    select i.id, i.file_name, i.format, i.created_at, i.undone_at,
      sum(case when r.outcome = 'added' then 1 else 0 end) as added,
      sum(case when r.outcome = 'updated' then 1 else 0 end) as updated,
      sum(case when r.outcome = 'skipped' then 1 else 0 end) as skipped,
      sum(case when r.outcome = 'refused' then 1 else 0 end) as refused
    from imports i left join import_rows r
      on r.import_id = i.id and not (r.kind in ('copy', 'mark') and r.file = '')
    group by i.id, i.file_name, i.format, i.created_at, i.undone_at order by i.id`;
  return rows.map((row) => ({
    id: Number(row.id),
    fileName: row.file_name,
    format: row.format,
    createdAt: new Date(row.created_at),
    undoneAt: row.undone_at === null ? null : new Date(row.undone_at),
    added: Number(row.added),
    updated: Number(row.updated),
    skipped: Number(row.skipped),
    refused: Number(row.refused),
  }));
}

/** The import's own columns. */
export type ImportRecord = Pick<RecordedImport, "id" | "fileName" | "createdAt" | "undoneAt">;

/** @returns undefined when there is no such import */
export async function findImport(sql: Sql, id: number): Promise<ImportRecord | undefined> {
  const [row] =
    await sql<ImportRow>`select id, file_name, created_at, undone_at from imports where id = ${id}`;
  return (
    row && {
      id,
      fileName: row.file_name,
      createdAt: new Date(row.created_at),
      undoneAt: row.undone_at === null ? null : new Date(row.undone_at),
    }
  );
}

/** The rows of bookmarks, as their file has them; the others are of other records, or of what cannot be read as one. */
const OF_BOOKMARKS = fragment`folders is not null`;

/** The unit of `line` in the rows of an import: bookmarks if it equals the row number, as in JSON and archives. */
export async function rowUnitOf(sql: Sql, importId: number): Promise<RowUnit> {
  const others = await sql`
    select 1 as one from import_rows
    where import_id = ${importId} and ${OF_BOOKMARKS} and line <> position limit 1`;
  return others.length > 0 ? "line" : "bookmark";
}

/** A row of an imported file and its outcome. */
export interface ImportedRow {
  readonly position: number;
  readonly line: number;
  readonly outcome: Outcome;
  /** Why it was refused. */
  readonly reason: RefusalCode | null;
  /** The bookmark that was added, updated or skipped. */
  readonly bookmark_id: number | null;
  readonly url: string;
  readonly title: string;
  /** `TAGS`, unsplit. */
  readonly tags: string | null;
  readonly date: string | null;
  /** The names of its folders, outermost first. */
  readonly folders: readonly string[];
}

interface StoredRow extends Omit<ImportedRow, "bookmark_id" | "url" | "tags" | "date" | "folders"> {
  readonly kind: string;
  readonly file: string;
  readonly detail: string | null;
  readonly record_id: number | null;
  readonly record_key: string | null;
  readonly record_version: number | null;
  readonly raw_url: string;
  readonly raw_tags: string | null;
  readonly raw_date: string | null;
  readonly folders: string;
}

const ROWS_AT_ONCE = 500;

/** Rows of an import in the order of its file, in batches. */
function storedRows(sql: Sql, importId: number, wanted: Fragment): AsyncGenerator<readonly StoredRow[]> {
  return pages<StoredRow>(
    (last) => sql`
      select position, kind, file, line, title, outcome, reason, detail, record_id, record_key, record_version, raw_url,
        raw_tags, raw_date, folders
      from import_rows where import_id = ${importId} and position > ${Number(last?.position ?? 0)} and ${wanted}
      order by position limit ${ROWS_AT_ONCE}`,
  );
}

/** The rows of bookmarks of an import. */
export async function* importedRows(
  sql: Sql,
  importId: number,
  wanted: "all" | "refused",
): AsyncGenerator<ImportedRow[]> {
  for await (const rows of storedRows(sql, importId, fragment`${OF_BOOKMARKS} ${WANTED[wanted]}`))
    yield rows.map(toImportedRow);
}

function toImportedRow(row: StoredRow): ImportedRow {
  const { position, line, outcome, reason, record_id, title } = row;
  return {
    ...{ position, line, outcome, reason },
    bookmark_id: record_id === null ? null : Number(record_id),
    url: row.raw_url,
    title,
    tags: row.raw_tags,
    date: row.raw_date,
    folders: JSON.parse(row.folders),
  };
}

/** @param format what an import is recorded with */
export function isSiteFormat(format: string | undefined): boolean {
  return SITE_FORMATS.some((known) => known === format);
}

/** The format of an import; undefined when there is no such import. */
export async function formatOfImport(sql: Sql, id: number): Promise<string | undefined> {
  const [row] = await sql<{ format: string }>`select format from imports where id = ${id}`;
  return row?.format;
}

const WANTED = {
  all: fragment``,
  refused: fragment`and outcome = 'refused'`,
  "left out": fragment`and outcome <> 'added'`,
};

/** The rows of an import that are no bookmarks: posts, comments, images and the like. */
export async function* recordedRows(
  sql: Sql,
  importId: number,
  wanted: keyof typeof WANTED,
): AsyncGenerator<RecordedRow[]> {
  for await (const rows of storedRows(sql, importId, fragment`folders is null ${WANTED[wanted]}`))
    yield rows.map(toRecordedRow);
}

/** Those of a kind that it added. */
export async function* addedRows(sql: Sql, importId: number, kind: string): AsyncGenerator<RecordedRow[]> {
  for await (const rows of storedRows(sql, importId, fragment`kind = ${kind} and outcome = 'added'`))
    yield rows.map(toRecordedRow);
}

function toRecordedRow(row: StoredRow): RecordedRow {
  const { kind, file, title, reason, detail, record_id, record_version } = row;
  return {
    ...{ position: Number(row.position), kind, file, line: Number(row.line), title },
    ...{ outcome: row.outcome as RecordOutcome, reason, detail },
    id: record_id === null ? null : Number(record_id),
    key: row.record_key,
    version: record_version === null ? null : Number(record_version),
  };
}

/** The number of rows deleted in a transaction: few, so that requests do not wait. */
const BATCH = 2_000;

/** How long an undone import is listed, in milliseconds: 30 days. */
const UNDONE_FOR = 30 * 24 * 60 * 60 * 1000;

/**
 * Deletes the record of an import: it can no longer be undone or shown, and exports lose the folders of its bookmarks.
 * The bookmarks stay.
 *
 * @returns whether there was such an import
 */
export async function forgetImport(database: Database, id: number, now: Date): Promise<boolean> {
  let isKnown = false;
  while ((await database.write((sql) => forgetRows(sql, id, now, BATCH))) > 0) isKnown = true;
  return isKnown;
}

/**
 * Forgets a part of an import that was undone long ago; others are recorded as long as their bookmarks.
 * @returns 0 when there is none
 */
export async function purgeImports(sql: Sql, now: Date, batch: number): Promise<number> {
  const undoneBefore = new Date(now.getTime() - UNDONE_FOR);
  const [expired] = await sql<{ id: number }>`
    select id from imports where undone_at <= ${undoneBefore} order by id limit 1`;
  return expired === undefined ? 0 : forgetRows(sql, Number(expired.id), now, batch);
}

/** @returns the number of deleted rows, plus 1 for the import itself; 0 when there is none */
async function forgetRows(sql: Sql, id: number, now: Date, batch: number): Promise<number> {
  // Marked as undone from the first batch on, so that the rest cannot be undone alone.
  const found = await sql`
    update imports set undone_at = coalesce(undone_at, ${now}) where id = ${id} returning id`;
  if (found.length === 0) return 0;
  const rows = await sql`
    delete from import_rows where import_id = ${id} and position in (
      select position from import_rows where import_id = ${id} order by position limit ${batch})
    returning position`;
  if (rows.length < batch) await sql`delete from imports where id = ${id}`;
  return rows.length + 1;
}
