import { setImmediate } from "node:timers/promises";
import type { Sql } from "../../database/database.ts";
import { fragment, rowList } from "../../database/fragment.ts";
import type { Value } from "../../database/value.ts";
import type { SiteFormat } from "./import-report.ts";
import type { FinishedRow, StagedRecord } from "./staged-record.ts";
import type { StagedSite } from "./staged-site.ts";

const ROWS_AT_ONCE = 50;

/** The formats with records other than bookmarks. */
const SITE_FORMATS: readonly SiteFormat[] = [
  "archive",
  "everything",
  "markdown",
  "ghost",
  "wordpress",
  "medium",
  "substack",
  "blogger",
];

/** @param format what an import is recorded with */
export function isSiteFormat(format: string | undefined): boolean {
  return SITE_FORMATS.some((known) => known === format);
}

/** Records an import and the outcome of each record of its file. @returns its id */
export async function recordSiteImport(
  sql: Sql,
  { fileName, format, now, records }: StagedSite,
): Promise<number> {
  const [row] = await sql<{ id: number }>`
    insert into imports (file_name, format, created_at) values (${fileName}, ${format}, ${now}) returning id`;
  if (row === undefined) throw new Error("an insert returned no row");
  const id = Number(row.id);
  for (const batch of records.finished("bookmark", ROWS_AT_ONCE))
    await sql`
      insert into import_rows (import_id, position, line, outcome, reason, bookmark_id, bookmark_version, before,
        raw_url, raw_title, raw_tags, raw_date, folders)
      values ${rowList(batch.map((staged) => bookmarkRow(id, staged)))}`;
  let batch: Value[][] = [];
  const flush = async () => {
    if (batch.length > 0)
      await sql`
        insert into import_records (import_id, position, kind, file, line, title, outcome, reason, detail,
          record_id, record_key, record_version) values ${rowList(batch)}`;
    batch = [];
    // On SQLite, only this lets other requests of the process run.
    await setImmediate();
  };
  for (const other of records.otherRows) {
    batch.push(recordRow(id, other));
    if (batch.length === ROWS_AT_ONCE) await flush();
  }
  await flush();
  return id;
}

/** Bookmarks are recorded like those of bookmark imports, so that their folders are known. */
function bookmarkRow(
  importId: number,
  { position, record, result }: StagedRecord<"bookmark"> & { result: FinishedRow },
): Value[] {
  const { url, title, created_at, folders } = record;
  const version = result.outcome === "added" ? result.version : null;
  return [
    ...[importId, position, result.line, result.outcome, null, result.id, version, null],
    ...[url, title, null, created_at, JSON.stringify(folders)],
  ];
}

function recordRow(importId: number, row: FinishedRow): Value[] {
  return [
    ...[importId, row.position, row.kind, row.file, row.line, row.title, row.outcome, row.reason, row.detail],
    ...[row.id, row.key, row.version],
  ];
}

/** The format of an import; undefined when there is no such import. */
export async function formatOfImport(sql: Sql, id: number): Promise<string | undefined> {
  const [row] = await sql<{ format: string }>`select format from imports where id = ${id}`;
  return row?.format;
}

/** A recorded outcome of an import, for lists. */
export type RecordedRow = Omit<FinishedRow, "path">;

interface StoredRow extends Omit<RecordedRow, "id" | "key" | "version"> {
  readonly record_id: number | null;
  readonly record_key: string | null;
  readonly record_version: number | null;
}

const WANTED = {
  all: fragment``,
  added: fragment`and outcome = 'added'`,
  refused: fragment`and outcome = 'refused'`,
  "left out": fragment`and outcome <> 'added'`,
};

/** The recorded outcomes of an import, without its bookmarks, in order and in batches. */
export async function* recordedRows(
  sql: Sql,
  importId: number,
  wanted: keyof typeof WANTED,
): AsyncGenerator<RecordedRow[]> {
  const only = WANTED[wanted];
  for (let last = 0; ; ) {
    const rows: StoredRow[] = await sql<StoredRow>`
      select position, kind, file, line, title, outcome, reason, detail, record_id, record_key, record_version
      from import_records where import_id = ${importId} and position > ${last} ${only}
      order by position limit 500`;
    if (rows.length === 0) return;
    yield rows.map(({ record_id, record_key, record_version, ...row }) => ({
      ...row,
      position: Number(row.position),
      line: Number(row.line),
      id: record_id === null ? null : Number(record_id),
      key: record_key,
      version: record_version === null ? null : Number(record_version),
    }));
    last = Number(rows.at(-1)?.position);
  }
}
