import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SQL } from "bun";

/**
 * A site with a row or more in every table, made and asked by the program of commit 73274df2 itself: its SQLite file, the
 * same after a move to PostgreSQL (as pg_dump writes it), and its responses to an account.
 */
const FOLDER = join(import.meta.dir, "../../upgrade/commit-73274df2");

/** Puts the earlier database where a URL says. On PostgreSQL that is an empty database. */
export async function placeEarlier(url: string): Promise<void> {
  if (isSqlite(url)) return writeFileSync(pathOf(url), unzipped("sqlite.db.gz"), { mode: 0o600 });
  const sql = new SQL(url, { max: 1 });
  await sql.unsafe(String(unzipped("postgres.sql.gz"))).simple();
  await sql.close();
}

export interface EarlierAnswer {
  readonly status: number;
  /** If it is made of the version, and not of the bytes. */
  readonly etag?: string | null;
  readonly body: string;
}

/** What the earlier program answered, by path, to requests with a token. */
export function earlierAnswers(): {
  readonly token: string;
  readonly answers: Readonly<Record<string, EarlierAnswer>>;
} {
  return JSON.parse(String(unzipped("answers.json.gz")));
}

/** Reads a database beside the service. */
export interface Reader extends AsyncDisposable {
  all(query: string): Promise<Record<string, unknown>[]>;
}

export function readerOf(url: string): Reader {
  if (isSqlite(url)) {
    const database = new DatabaseSync(pathOf(url));
    return {
      async all(query) {
        const statement = database.prepare(query);
        statement.setReadBigInts(true);
        return statement.all();
      },
      [Symbol.asyncDispose]: async () => database.close(),
    };
  }
  const sql = new SQL(url, { max: 1 });
  return { all: async (query) => sql.unsafe(query), [Symbol.asyncDispose]: () => sql.close() };
}

/** The columns of each table in a schema. */
export async function columnsIn(reader: Reader, url: string, schema: string): Promise<Map<string, string[]>> {
  const rows = await reader.all(
    isSqlite(url)
      ? `select t.name as "table", c.name as "column" from sqlite_schema t join pragma_table_info(t.name) c
         where t.type = 'table' and t.name not like 'sqlite~_%' escape '~' order by 1, c.cid`
      : `select table_name as "table", column_name as "column" from information_schema.columns
         where table_schema = '${schema}' order by 1, ordinal_position`,
  );
  return new Map(
    [...Map.groupBy(rows, (row) => String(row.table))].map(([table, of]) => [
      table,
      of.map(({ column }) => String(column)),
    ]),
  );
}

export function isSqlite(url: string): boolean {
  return url.startsWith("sqlite:");
}

export function pathOf(url: string): string {
  return url.slice("sqlite:".length);
}

function unzipped(name: string): Uint8Array {
  return Buffer.from(Bun.gunzipSync(readFileSync(join(FOLDER, name))));
}
