import type { Instant, Sql } from "../../database/database.ts";

/** An import as it was recorded, and what became of the rows of its file. */
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

/** Every import that added or updated anything, in the order of their numbers. */
export async function listImports(sql: Sql): Promise<RecordedImport[]> {
  const rows = await sql<ImportRow>`
    select i.id, i.file_name, i.format, i.created_at, i.undone_at,
      sum(case when r.outcome = 'added' then 1 else 0 end) as added,
      sum(case when r.outcome = 'updated' then 1 else 0 end) as updated,
      sum(case when r.outcome = 'skipped' then 1 else 0 end) as skipped,
      sum(case when r.outcome = 'refused' then 1 else 0 end) as refused
    from imports i left join import_rows r on r.import_id = i.id
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

/** What stands about an import itself. */
export type ImportRecord = Pick<RecordedImport, "id" | "fileName" | "createdAt" | "undoneAt">;

/** @returns undefined when there is none of that number */
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
