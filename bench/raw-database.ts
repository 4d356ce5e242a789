import { DatabaseSync } from "node:sqlite";
import { SQL } from "bun";

type Rows = (statement: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The URL of a database that is given by path or URL. */
export function urlOf(database: string): string {
  return isPostgres(database) ? database : `sqlite:${database}`;
}

/** Whether a database is given by the URL of one on PostgreSQL. */
export function isPostgres(database: string): boolean {
  return database.startsWith("postgres://");
}

/** Runs statements from outside the service. @param database a path or URL */
export async function inDatabase(
  database: string,
  work: (rows: Rows, isPostgres: boolean) => Promise<void>,
): Promise<void> {
  if (isPostgres(database)) {
    const client = new SQL({ url: database, max: 1 });
    await work((statement) => client.unsafe(statement), true).finally(() => client.close());
    return;
  }
  const file = new DatabaseSync(database, { timeout: 5_000 });
  await work(async (statement) => file.prepare(statement).all(), false).finally(() => file.close());
}
