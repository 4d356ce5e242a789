import { expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../src/database/open.ts";
import { removeUnused } from "./data-sets.ts";
import { fill } from "./fill.ts";
import { fillSqlite } from "./fill-sqlite.ts";
import { sampleBookmarks } from "./sample-bookmarks.ts";
import { samplePosts } from "./sample-posts.ts";

const TABLES = ["bookmarks", "posts", "comments", "counters", "sqlite_schema"];

test("the same count gives the same bookmarks and posts, and another seed other bookmarks", () => {
  expect([...sampleBookmarks(50)]).toEqual([...sampleBookmarks(50)]);
  expect([...samplePosts(50)]).toEqual([...samplePosts(50)]);
  const urls = new Set([...sampleBookmarks(50), ...sampleBookmarks(50, 3)].map(({ url }) => url));
  expect(urls.size).toBe(100);
});

test("posts are of nearly ten years", () => {
  const times = [...samplePosts(1_000)].map(({ createdAt }) => createdAt.getTime());
  const years = (Math.max(...times) - Math.min(...times)) / (365 * 24 * 60 * 60 * 1000);
  expect(years).toBeGreaterThan(9);
  expect(years).toBeLessThan(10.9);
});

test("filling a database fast comes to what the service itself would have stored", async () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-bench-test-"));
  try {
    const set = { bookmarks: 40, posts: 40 };
    const fast = await emptyDatabase(join(folder, "fast.db"));
    fillSqlite(fast, set);
    const slow = await emptyDatabase(join(folder, "slow.db"));
    const database = await openDatabase(`sqlite:${slow}`);
    await fill(database, set);
    await database.close();
    expect(contentOf(fast)).toEqual(contentOf(slow));
    expect(existsSync(`${fast}-wal`)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("data sets that were not used for a day are deleted", () => {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-bench-test-"));
  try {
    mkdirSync(join(folder, "old"));
    mkdirSync(join(folder, "recent"));
    const now = Date.now();
    utimesSync(join(folder, "old"), now / 1000 - 90_000, now / 1000 - 90_000);
    removeUnused(folder, now);
    expect(readdirSync(folder)).toEqual(["recent"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

async function emptyDatabase(path: string): Promise<string> {
  await (await openDatabase(`sqlite:${path}`)).close();
  return path;
}

/** Every row of the tables, in an order that does not depend on insertion. */
function contentOf(path: string): unknown {
  const database = new DatabaseSync(path);
  const columns = (table: string) => (table === "sqlite_schema" ? "name, sql" : "*");
  const rows = TABLES.map((table) =>
    database.prepare(`select ${columns(table)} from ${table} order by 1, 2`).all(),
  );
  const mode = database.prepare("pragma journal_mode").get();
  database.close();
  return { rows, mode };
}
