import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDerived } from "../../../src/database/move/table.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { until } from "../machine/until.ts";
import { COMMAND, type Ran, run } from "../server/server.ts";
import type { Cluster } from "./postgres.ts";

/** Runs `commonplace move`. */
export function move(from: string, to: string, ...args: string[]): Promise<Ran> {
  return run(["move", "--from", from, "--to", to, ...args]);
}

/** Makes a database with the current schema and no records. */
export async function makeEmpty(url: string): Promise<void> {
  await (await openDatabase(url)).close();
}

/** The path in a SQLite URL. */
export function pathOf(url: string): string {
  return url.slice("sqlite:".length);
}

/** Opens a SQLite file outside the service and runs some work on it. */
export function inFile<T>(url: string, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(pathOf(url));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** All rows of all tables of a SQLite file except derived ones, as SQLite lists them, and the last ids. */
export function everything(url: string): Record<string, unknown[]> {
  return inFile(url, (database) => {
    const tables = database
      .prepare(
        `select name from sqlite_schema where type = 'table' and not ${isDerived("name")} order by name`,
      )
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        database.prepare(`select * from "${name}" order by 1, 2`).all(),
      ]),
    );
  });
}

/** Stores bookmarks, posts and three comments on each post without a server, each a little different. */
export function fillFile(url: string, { bookmarks, posts }: { bookmarks: number; posts: number }): void {
  const numbers = (count: number) =>
    `(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count}) select n from numbers)`;
  inFile(url, (database) =>
    database.exec(`begin;
      insert into bookmarks (title, url, description, created_at, updated_at)
        select 'Bookmark ' || n, 'https://example.com/' || n, 'About the ' || n || 'th thing. #web #dev/js',
          1700000000000 + n * 977, 1700000000000 + n * 1977 from ${numbers(bookmarks)};
      insert into posts (title, content, published, created_at, updated_at, published_at)
        select 'Post ' || n, replace(hex(zeroblob(n % 1000)), '00', 'word '), n % 3 > 0,
          1700000000000 + n * 977, 1700000000000 + n * 1977,
          case when n % 3 > 0 then 1700000000000 + n * 1977 end from ${numbers(posts)};
      insert into comments (post_id, author, text, status, created_at)
        select posts.id, 'A reader', 'Comment ' || n || ' on ' || posts.id,
          case n when 1 then 'shown' when 2 then 'waiting' else 'rejected' end, posts.created_at + n
        from posts, ${numbers(3)};
      commit`),
  );
}

/** Starts `commonplace move`. */
export function spawnMove(from: string, to: string) {
  return Bun.spawn([COMMAND, "move", "--from", from, "--to", to], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
}

/** The temporary files of a move to the given target. */
export function begun(target: string): string[] {
  const folder = join(pathOf(target), "..");
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".moving")) : [];
}

/** The names of the tables of a PostgreSQL database. */
export async function tablesOf(cluster: Cluster, name: string): Promise<string[]> {
  const sql = cluster.connect(name);
  const rows =
    await sql`select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  await sql.close();
  return rows.map(({ relname }: { relname: string }) => relname);
}

/** Waits until a PostgreSQL server notices that the client of a move's transaction is gone. */
export function untilUndone(cluster: Cluster, name: string): Promise<void> {
  return until("the transaction is undone", async () => {
    const [row] = await cluster.admin`
      select count(*) as n from pg_stat_activity where datname = ${name} and application_name = 'commonplace move'`;
    return Number(row.n) === 0;
  });
}

/** Opens a database as a server does; fails if it is not in use, or no longer. */
export async function expectInUse(url: string): Promise<void> {
  await (await openDatabase(url)).close();
}
