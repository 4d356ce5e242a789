import { afterAll, describe, expect, test } from "bun:test";
import { engines } from "../../../test/support/server/engines.ts";
import { writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { RecentChanges } from "./recent-changes.ts";

describe.each(engines)("On $name", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("recent changes are counted, of another process too; few are not", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const [database, other] = await Promise.all([open(url), open(url)]);
    const recent = new RecentChanges(database.read);
    await add(database, 500);
    expect(await recent.perSecond()).toBe(0);
    const started = performance.now();
    await add(other, 10_000);
    expect(await recent.perSecond()).toBeGreaterThan(10_000_000 / (performance.now() - started) / 2);
    expect(await recent.perSecond()).toBe(0);
    await add(database, 8);
    expect(await recent.perSecond()).toBe(0);
  });

  async function open(url: string): Promise<Database> {
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    return database;
  }
});

/** Adds bookmarks in one transaction. */
async function add(database: Database, count: number): Promise<void> {
  const bookmarks = Array.from({ length: count }, (_, index) => ({
    title: "Changed",
    url: `https://example.com/${index}`,
    description: "",
    createdAt: new Date(),
  }));
  await writeBookmarks(database, new Date(), async (writer) => {
    for (let start = 0; start < count; start += 1_000)
      await writer.insertMany(bookmarks.slice(start, start + 1_000));
  });
}
