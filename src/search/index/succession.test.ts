import { afterAll, describe, expect, test } from "bun:test";
import { engines } from "../../../test/support/server/engines.ts";
import { writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { Log } from "../../log.ts";
import { parseQuery } from "../query/parser.ts";
import { Search } from "../search.ts";
import { compareVersions, INDEX_VERSION } from "./index-state.ts";
import { Indexer } from "./indexer.ts";
import { Succession } from "./succession.ts";

const OLDER = "0.9.9";
const NEWER = "99.0.0";
const QUERY = parseQuery("river", indexedBookmarks.vocabulary);

test("versions are compared number by number", () => {
  expect(compareVersions("1.2.5", "1.2.5")).toBe(0);
  expect(compareVersions("1.2.10", "1.2.9")).toBeGreaterThan(0);
  expect(compareVersions("1.3.1", "1.2.9")).toBeGreaterThan(0);
  expect(compareVersions("1.2", "1.2.1")).toBeLessThan(0);
  expect(compareVersions("old", "1.2.1")).toBeLessThan(0);
});

describe.each(engines)("On $name", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("a process replaces an older index once, and a newer one only when nobody follows it", async () => {
    const { database, indexer } = await openProcess();
    let now = 0;
    const succession = new Succession(database, "bookmarks", () => now);
    const lookFor = async (milliseconds: number) => {
      await succession.look();
      now += milliseconds;
      await succession.look();
    };
    expect([undefined, OLDER, NEWER].map((version) => succession.mayReplace(version))).toEqual([
      true,
      true,
      false,
    ]);
    succession.noteHeld();
    expect([undefined, OLDER, NEWER].map((version) => succession.mayReplace(version))).toEqual([
      true,
      false,
      false,
    ]);

    await lookFor(14_000);
    expect(succession.mayReplace(NEWER)).toBe(false);
    // A process of the other version removes the sign like any mark.
    await indexer.finish(indexedBookmarks);
    await lookFor(14_000);
    expect(succession.mayReplace(NEWER)).toBe(false);

    await lookFor(16_000);
    expect(succession.mayReplace(NEWER)).toBe(true);
    succession.noteHeld();
    expect(succession.mayReplace(NEWER)).toBe(false);
  });

  test("a server leaves an index alone that a newer version has taken over, and reports that it may be incomplete", async () => {
    const { database, indexer, search } = await openProcess();
    await save(database, "river");
    indexer.start();
    toEnd.defer(() => indexer.stop());
    const found = () =>
      search.following(async ({ behind }) => ({
        behind,
        ...(await search.page({ query: QUERY, sort: "newest", limit: 5 })),
      }));
    expect(await found()).toMatchObject({ behind: 0, ids: [1] });
    await setVersion(database, NEWER);
    await save(database, "river");
    expect(await found()).toMatchObject({ behind: 2, ids: [1] });
    await database.write((sql) => sql`drop table search_bookmarks`);
    expect(await found().catch((error) => error)).toMatchObject({ reason: "unavailable" });
    expect(await version(database)).toBe(NEWER);
    expect(indexer.mends).toBe(0);
  });

  test("a server replaces the index of an older version", async () => {
    const { database, indexer, search } = await openProcess();
    await save(database, "river");
    await setVersion(database, OLDER);
    indexer.start();
    toEnd.defer(() => indexer.stop());
    expect(await search.following(async ({ behind }) => behind)).toBe(0);
    expect(await version(database)).toBe(INDEX_VERSION);
  });

  async function openProcess() {
    const { url } = toEnd.use(await engine.createDatabase());
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
    return { database, indexer, search: new Search(database, indexer, indexedBookmarks) };
  }
});

async function save(database: Database, title: string): Promise<void> {
  const bookmark = { title, url: "https://example.com/", description: "", createdAt: new Date() };
  await writeBookmarks(database, new Date(), (writer) => writer.insertMany([bookmark]));
}

async function setVersion(database: Database, value: string): Promise<void> {
  await database.write(
    (sql) => sql`insert into search_state (name, value) values ('version', ${value})
      on conflict (name) do update set value = excluded.value`,
  );
}

async function version({ read }: Database): Promise<string | undefined> {
  const [row] = await read<{ value: string }>`select value from search_state where name = 'version'`;
  return row?.value;
}
