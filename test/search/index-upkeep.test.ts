import { afterAll, describe, expect, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import { listTags } from "../../src/bookmarks/tags/tag-list.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { countWaiting, indexWaiting, repairIndex, WORDS_AT_ONCE } from "../../src/search/index/entries.ts";
import { INDEX_VERSION } from "../../src/search/index/index-version.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { startApp } from "../support/server/app.ts";
import { engines } from "../support/server/engines.ts";

describe.each(engines)("The search index ($name)", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  async function newDatabase() {
    const { url } = toEnd.use(await engine.createDatabase());
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    return { url, database };
  }

  test(`has the words of the first ${WORDS_AT_ONCE} changes of a transaction at once, and those of the others after a job`, async () => {
    const { database } = await newDatabase();
    await save(database, WORDS_AT_ONCE);
    expect(await jobs(database)).toEqual([]);
    expect(await countWaiting(database.read, indexedBookmarks)).toBe(0);
    await save(database, WORDS_AT_ONCE + 50);
    expect(await countWaiting(database.read, indexedBookmarks)).toBe(50);
    expect(await jobs(database)).toEqual(["bookmarks"]);
    expect(await count(database, "river")).toBe(2 * WORDS_AT_ONCE);
    // Tags are exact at once, and so is a list without words.
    const [tag] = (await listTags(database.read, { sort: "name", limit: 5 })).tags;
    expect(tag).toMatchObject({ name: "deep", count: 2 * WORDS_AT_ONCE + 50 });
    const steps: number[] = [];
    await indexWaiting(database, indexedBookmarks, { onStep: (left) => steps.push(left) });
    expect(steps.at(-1)).toBe(0);
    expect(await count(database, "river")).toBe(2 * WORDS_AT_ONCE + 50);
    const [same] = (await listTags(database.read, { sort: "name", limit: 5 })).tags;
    expect(same).toMatchObject({ name: "deep", count: 2 * WORDS_AT_ONCE + 50 });
  });

  test("says how many records wait, in a header and by another entity tag", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const app = await startApp({ DATABASE_URL: url });
    toEnd.defer(() => app.close());
    await save(app.database, WORDS_AT_ONCE + 1);
    const path = "/bookmarks/?q=river&limit=1";
    const before = await app.request(path);
    expect(before.headers.get("search-behind")).toBe("1");
    await indexWaiting(app.database, indexedBookmarks);
    const after = await app.request(path, { headers: { "if-none-match": before.headers.get("etag") ?? "" } });
    expect({ status: after.status, behind: after.headers.get("search-behind") }).toEqual({
      status: 200,
      behind: null,
    });
  });

  test("finds entries of an earlier version until the job has replaced them, and leaves newer ones alone", async () => {
    const { database } = await newDatabase();
    await save(database, 3);
    await database.write((sql) => sql`update search_bookmarks set version = -1 where id <= 2`);
    await database.write(
      (sql) => sql`update search_bookmarks set version = ${INDEX_VERSION + 1} where id = 3`,
    );
    expect(await count(database, "river")).toBe(3);
    await indexWaiting(database, indexedBookmarks);
    expect(await count(database, "river")).toBe(3);
    const rows = await database.read<{ version: number }>`select version from search_bookmarks order by id`;
    expect(rows.map(({ version }) => Number(version))).toEqual([
      INDEX_VERSION,
      INDEX_VERSION,
      INDEX_VERSION + 1,
    ]);
  });

  test("that two processes bring up to date counts each tag once", async () => {
    const { url, database } = await newDatabase();
    const other = await openDatabase(url);
    toEnd.defer(() => other.close());
    await save(database, 1_200);
    await database.write((sql) => sql`update search_bookmarks set version = -1`);
    await Promise.all([indexWaiting(database, indexedBookmarks), indexWaiting(other, indexedBookmarks)]);
    expect(await countWaiting(database.read, indexedBookmarks)).toBe(0);
    expect(await count(database, "river", 2_000)).toBe(1_200);
    expect((await listTags(database.read, { sort: "name", limit: 5 })).tags).toMatchObject([
      { count: 1_200 },
    ]);
  });

  test("is made again from the records, with its tags", async () => {
    const { database } = await newDatabase();
    await save(database, 700);
    await repairIndex(database);
    expect(await jobs(database)).toEqual(["bookmarks", "copies", "posts"]);
    expect(await countWaiting(database.read, indexedBookmarks)).toBe(700);
    await indexWaiting(database, indexedBookmarks);
    expect(await count(database, "river")).toBe(700);
    expect((await listTags(database.read, { sort: "name", limit: 5 })).tags).toMatchObject([{ count: 700 }]);
  });

  test("forgets tags, spellings and sites that no record has any more", async () => {
    const { database } = await newDatabase();
    await save(database, 2);
    await writeBookmarks(database, new Date(), async (writer) => {
      await writer.update(
        { id: 1, version: 1, url: "https://b.example/" },
        { title: "a", url: "https://b.example/", description: "#Deep/sea" },
      );
      await writer.delete({ id: 2, version: 1 });
    });
    const { tags } = await listTags(database.read, { sort: "name", limit: 5 });
    expect(tags).toMatchObject([{ name: "Deep/sea", count: 1, withBelow: 1 }]);
    const sites = await database.read<{ host: string }>`
      select host from search_bookmarks_sites group by host having sum(records) <> 0`;
    expect(sites.map(({ host }) => host)).toEqual(["b.example"]);
  });

  test("that misses a table is made again by the next search", async () => {
    const { database } = await newDatabase();
    await save(database, 3);
    await database.write((sql) =>
      engine.name === "SQLite" ? sql`drop table search_bookmarks_words` : sql`drop table search_bookmarks`,
    );
    const damages: unknown[] = [];
    const search = new Search(database, indexedBookmarks, { onDamage: (error) => damages.push(error) });
    expect(await search.count({ query: parseQuery("river", indexedBookmarks.vocabulary) })).toMatchObject({
      matches: 0,
    });
    expect(damages).toHaveLength(1);
    expect(await search.behind()).toBe(3);
    await indexWaiting(database, indexedBookmarks);
    expect(await count(database, "river")).toBe(3);
  });
});

describe("A damaged index in a SQLite file", () => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  // Its table of contents, its words, or a table of it.
  test.each([
    ["update search_bookmarks_words_data set block = x'ffffffff' where id = 10", ["/library", "/library/1"]],
    ["update search_bookmarks_words_data set block = x'ffffffff' where id > 10", ["/library", "/library/1"]],
    ["drop table search_bookmarks_tag_counts", ["/library/1"]],
  ])("prevents no write, and is made again: %s", async (damage, pages) => {
    const { url } = toEnd.use(await (engines[0] as (typeof engines)[0]).createDatabase());
    const app = await startApp({ DATABASE_URL: url });
    toEnd.defer(() => app.close());
    const add = async (title: string) =>
      (await app.request("/bookmarks/", { method: "POST", json: { title, url: "https://example.com/" } }))
        .status;
    expect([await add("A river"), await add("Another river")]).toEqual([201, 201]);
    const file = new DatabaseSync(url.slice("sqlite:".length), { defensive: false });
    file.exec(damage);
    file.close();
    // Pages count and list by the index what they could do without.
    for (const path of pages) expect([path, (await app.request(path)).status]).toEqual([path, 200]);
    const together = Array.from({ length: 8 }, (_, index) => add(`River ${index}`));
    expect(await Promise.all(together)).toEqual(Array.from({ length: 8 }, () => 201));
    const { status } = await app.request("/bookmarks/?q=river&limit=20");
    expect(status).toBe(200);
    await indexWaiting(app.database, indexedBookmarks);
    const found = await app.request("/bookmarks/?q=river&limit=20");
    expect(await found.json()).toHaveLength(10);
  });
});

// Otherwise FTS5 writes and merges a segment for each of them, which takes most of the time of a creation.
test("Creations that share a commit in a SQLite file write their words once", async () => {
  await using storage = await (engines[0] as (typeof engines)[0]).createDatabase();
  const database = await openDatabase(storage.url);
  await using _ = { [Symbol.asyncDispose]: () => database.close() };
  const now = new Date();
  const segments = async () =>
    Number((await database.read<{ n: number }>`select count(*) as n from search_bookmarks_words_idx`)[0]?.n);
  const create = (index: number) =>
    writeBookmarks(database, now, (writer) =>
      writer.insert(
        { title: `River ${index}`, url: `https://example.com/${index}`, description: "#deep #wide/and" },
        undefined,
      ),
    );
  await Promise.all(Array.from({ length: 20 }, (_, index) => create(index)));
  expect(await segments()).toBe(1);
  expect(await count(database, "river")).toBe(20);
});

async function save(database: Database, count: number): Promise<void> {
  const now = new Date();
  const bookmarks = Array.from({ length: count }, (_, index) => ({
    title: `River ${index}`,
    url: `https://example.com/${index}`,
    description: "#deep",
    createdAt: new Date(now.getTime() - index * 37_000),
  }));
  await writeBookmarks(database, now, async (writer) => {
    for (let first = 0; first < count; first += 50)
      await writer.insertMany(bookmarks.slice(first, first + 50));
  });
}

async function count(database: Database, words: string, max = 20_000): Promise<number> {
  const query = parseQuery(words, indexedBookmarks.vocabulary);
  return (await new Search(database, indexedBookmarks).count({ query }, max)).matches;
}

async function jobs(database: Database): Promise<string[]> {
  const rows = await database.read<{ key: string }>`
    select key from jobs where kind = 'search-index' order by key`;
  return rows.map(({ key }) => key);
}
