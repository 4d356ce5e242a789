import { setImmediate } from "node:timers/promises";
import type { BookmarkFields, BookmarkVersion, INSERT_MAX } from "../../bookmarks/bookmark-writer.ts";
import type { Sql } from "../../database/database.ts";
import { rowList } from "../../database/fragment.ts";
import type { Value } from "../../database/value.ts";
import type { FinishedRow, StagedRecord } from "../../kept/staged-record.ts";
import type { SourceRow } from "../../readers/bookmarks/check-row.ts";
import type { RefusalCode } from "../../readers/remarks.ts";
import type { RecordOf } from "../../records/record.ts";
import type { Outcome } from "./import-report.ts";
import type { StagedBookmarks, StagedSite } from "./staged-file.ts";

/** Records an import. @returns its id */
export async function recordImport(
  sql: Sql,
  {
    fileName,
    format,
    now,
    toolbar,
  }: Pick<StagedBookmarks, "fileName" | "now" | "toolbar"> & { readonly format: string },
): Promise<number> {
  const toolbarFolder = toolbar && JSON.stringify(toolbar);
  const [row] = await sql<{ id: number }>`
    insert into imports (file_name, format, created_at, toolbar_folder)
    values (${fileName}, ${format}, ${now}, ${toolbarFolder}) returning id`;
  if (row === undefined) throw new Error("an insert returned no row");
  return Number(row.id);
}

/** A row to record, with its outcome. */
export interface RowRecord {
  readonly row: SourceRow;
  readonly outcome: Outcome;
  readonly reason: RefusalCode | null;
  /** The bookmark as it is after the import; null when the row was refused. */
  readonly bookmark: BookmarkVersion | null;
  /** An updated bookmark as it was before. */
  readonly before: BookmarkFields | null;
}

/** Records the outcomes of rows, at most {@link INSERT_MAX}. */
export async function recordRows(sql: Sql, importId: number, records: readonly RowRecord[]): Promise<void> {
  const rows = records.map(({ row, outcome, reason, bookmark, before }) => [
    ...[importId, row.position, "bookmark", "", row.line, row.title, outcome, reason, null],
    ...[bookmark?.id ?? null, null, bookmark?.version ?? null, before && contents(before)],
    ...[row.url, row.tags, row.date, JSON.stringify(row.folders)],
  ]);
  await insertRows(sql, rows);
}

/** What became of a text of a page, or of a mark, that a file brings. */
export interface BroughtRecord {
  readonly position: number;
  /** `bookmark` for one whose note has changed. */
  readonly kind: "copy" | "mark" | "bookmark";
  /** The row that it is of. */
  readonly row: Pick<SourceRow, "line" | "title">;
  readonly outcome: Outcome;
  readonly reason?: string | null;
  readonly detail?: string | null;
  /** The copy or mark that it became, or the bookmark, with its version and how it was before. */
  readonly id?: number;
  readonly version?: number;
  readonly before?: BookmarkFields;
}

/** Records what became of texts and marks, after the rows of their file; at most {@link INSERT_MAX}. */
export async function recordBrought(
  sql: Sql,
  importId: number,
  brought: readonly BroughtRecord[],
): Promise<void> {
  const rows = brought.map(({ position, kind, row, outcome, reason, detail, id, version, before }) => [
    ...[
      importId,
      position,
      kind,
      "",
      row.line,
      row.title,
      outcome,
      reason ?? null,
      detail ?? null,
      id ?? null,
    ],
    ...[null, version ?? null, before === undefined ? null : contents(before), null, null, null, null],
  ]);
  await insertRows(sql, rows);
}

async function insertRows(sql: Sql, rows: Value[][]): Promise<void> {
  await sql`
    insert into import_rows (import_id, position, kind, file, line, title, outcome, reason, detail, record_id, record_key,
      record_version, before, raw_url, raw_tags, raw_date, folders) values ${rowList(rows)}`;
}

function contents({ title, url, description }: BookmarkFields): string {
  return JSON.stringify({ title, url, description });
}

/** The records of an archive that are recorded at a time. */
const RECORDS_AT_ONCE = 50;

/** Records an import and the outcome of each record of its file. @returns its id */
export async function recordSiteImport(
  sql: Sql,
  { fileName, format, now, records }: StagedSite,
): Promise<number> {
  const id = await recordImport(sql, { fileName, format, now, toolbar: null });
  for (const batch of records.finished("bookmark", RECORDS_AT_ONCE))
    await insertRows(
      sql,
      batch.map((staged) => bookmarkRow(id, staged)),
    );
  let batch: Value[][] = [];
  const flush = async () => {
    if (batch.length > 0) await insertRows(sql, batch);
    batch = [];
    // On SQLite, only this lets other requests of the process run.
    await setImmediate();
  };
  for (const other of records.otherRows) {
    batch.push(recordRow(id, other));
    if (batch.length === RECORDS_AT_ONCE) await flush();
  }
  await flush();
  return id;
}

/** Bookmarks are recorded like those of bookmark imports, so that their folders are known. */
function bookmarkRow(
  importId: number,
  { position, record, result }: StagedRecord<RecordOf<"bookmark">> & { result: FinishedRow },
): Value[] {
  const { url, title, created_at, folders } = record;
  const version = result.outcome === "added" ? result.version : null;
  return [
    ...[importId, position, "bookmark", "", result.line, title, result.outcome, null, null],
    ...[result.id, null, version, null, url, null, created_at, JSON.stringify(folders)],
  ];
}

function recordRow(importId: number, row: FinishedRow): Value[] {
  return [
    ...[importId, row.position, row.kind, row.file, row.line, row.title, row.outcome, row.reason, row.detail],
    ...[row.id, row.key, row.version, null, null, null, null, null],
  ];
}
