import { afterAll, expect, spyOn, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { answerMatches } from "../../src/bookmarks/search/bookmark-matches.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { ResponseCache } from "../../src/http/caching/response-cache.ts";
import { EncodedBody } from "../../src/http/encoding/content-coding.ts";
import { StreamBudget } from "../../src/http/encoding/stream-budget.ts";
import { Log } from "../../src/log.ts";
import { INDEX_TABLES } from "../../src/search/collection.ts";
import { type CommonPairs, NO_PAIRS } from "../../src/search/index/common-pairs.ts";
import { readState } from "../../src/search/index/index-state.ts";
import { indexStep } from "../../src/search/index/index-step.ts";
import { indexStores } from "../../src/search/index/index-stores.ts";
import type { IndexView } from "../../src/search/index/index-view.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { temporaryFolder } from "../support/server/server.ts";

// Only on SQLite: PostgreSQL has no pairs of common words.

const WORDS = ["deep", "river", "old", "stone", "bridge"];
const PHRASE = '"deep river"';
const toEnd = new AsyncDisposableStack();
afterAll(() => toEnd.disposeAsync());

test("common words are chosen once there are enough records, and earlier entries get their pairs, too", async () => {
  const { database, indexer, find } = await openProcess(newUrl());
  await indexer.finish(indexedBookmarks);
  await save(database, 150, mixed);
  await indexer.finish(indexedBookmarks);
  expect(await listOf(database)).toBeUndefined();
  const before = await find(PHRASE);

  await save(database, 60, mixed);
  await indexer.finish(indexedBookmarks);
  expect((await listOf(database))?.words.toSorted()).toEqual(expect.arrayContaining(WORDS.toSorted()));
  const found = await find(PHRASE);
  expect(found.length).toBeGreaterThan(before.length);
  expect(await countWord(database, "^:deep^river")).toBe(found.length);
  expect(found).toEqual(await titled(database, "deep river"));
});

test("an import into an empty index is indexed once, with pairs, and the words stay as they are", async () => {
  const { database, indexer, find } = await openProcess(newUrl());
  await indexer.finish(indexedBookmarks);
  await save(database, 1_000, mixed);
  await indexer.finish(indexedBookmarks);
  const chosen = await listOf(database);
  expect(chosen?.words).toContain("deep");
  await save(database, 3_000, () => "quiet harbor");
  await indexer.finish(indexedBookmarks);
  expect(await listOf(database)).toEqual(chosen);
  expect((await find('"quiet harbor"')).length).toBe(3_000);
  await indexer.rebuild();
  await indexer.finish(indexedBookmarks);
  expect((await listOf(database))?.words).toContain("harbor");
  expect((await find('"quiet harbor"')).length).toBe(3_000);
  expect(await countWord(database, "^:quiet^harbor")).toBe(3_000);
}, 60_000);

test("phrases match the same records with pairs and without", async () => {
  const { database, indexer } = await openProcess(newUrl());
  await save(database, 600, mixed);
  await indexer.finish(indexedBookmarks);
  const pairs = await pairsOf(indexer);
  for (const first of WORDS)
    for (const second of WORDS)
      for (const text of [`"${first} ${second}"`, `old -"${first} ${second}"`, `title:"${first} ${second}"`])
        expect({ text, count: await count(database, text, pairs) }).toEqual({
          text,
          count: await count(database, text, NO_PAIRS),
        });
  expect(pairs.areUsed).toBe(true);
});

test("a search that used a pair is repeated without pairs if another process has replaced the words", async () => {
  const url = newUrl();
  const [one, other] = [await openProcess(url), await openProcess(url)];
  await save(one.database, 300, () => "deep river");
  await one.indexer.finish(indexedBookmarks);
  const uses: boolean[] = [];
  const found = await one.search.following(async (view) => {
    if (uses.length === 0) {
      await retitle(one.database, "old stone", 10);
      await other.indexer.rebuild();
      await other.indexer.finish(indexedBookmarks);
    }
    const ids = await one.page(PHRASE, view);
    uses.push(view.pairs.areUsed);
    // The index no longer has the pair.
    if (uses.length === 1) expect(ids).toEqual([]);
    return ids;
  });
  expect(uses).toEqual([true, false]);
  expect(found.length).toBe(10);
});

test("a search that used no pair is not repeated if the words have changed", async () => {
  const url = newUrl();
  const [one, other] = [await openProcess(url), await openProcess(url)];
  await save(one.database, 300, () => "deep river");
  await one.indexer.finish(indexedBookmarks);
  for (const text of ["deep", '"deep sea"', '"deep river deep"', '"deep riv*"']) {
    let runs = 0;
    await one.search.following(async (view) => {
      if (runs++ === 0) {
        await other.indexer.rebuild();
        await other.indexer.finish(indexedBookmarks);
      }
      return one.page(text, view);
    });
    expect({ text, runs }).toEqual({ text, runs: 1 });
  }
});

test("a search is repeated if the words have changed and changed back during it", async () => {
  const url = newUrl();
  const [one, other] = [await openProcess(url), await openProcess(url)];
  await save(one.database, 300, () => "deep river");
  await one.indexer.finish(indexedBookmarks);
  const words = (await listOf(one.database))?.words;
  let runs = 0;
  const found = await one.search.following(async (view) => {
    if (runs++ > 0) return one.page(PHRASE, view);
    await retitle(one.database, "old stone", 10);
    await other.indexer.rebuild();
    await other.indexer.finish(indexedBookmarks);
    const lost = await one.page(PHRASE, view);
    await retitle(one.database, "deep river", 0);
    await other.indexer.rebuild();
    await other.indexer.finish(indexedBookmarks);
    return lost;
  });
  expect((await listOf(one.database))?.words).toEqual(words ?? []);
  expect({ runs, found: found.length }).toEqual({ runs: 2, found: 300 });
});

test("a list without a limit uses pairs for its first batch only, so that other words do not end it", async () => {
  const url = newUrl();
  const [{ database, indexer, search }, other] = [await openProcess(url), await openProcess(url)];
  await save(database, 600, () => "deep river");
  await indexer.finish(indexedBookmarks);
  const [waits, first, later] = [
    spyOn(search, "catchUp"),
    spyOn(search, "pageAndCount"),
    spyOn(search, "page"),
  ];
  later.mockImplementationOnce(async (request) => {
    await other.indexer.rebuild();
    await other.indexer.finish(indexedBookmarks);
    return search.page(request);
  });
  const { body } = await answerMatches(
    { database, cache: new ResponseCache(database, new StreamBudget(1024 * 1024)), search },
    {
      request: new Request("http://localhost/bookmarks/"),
      moment: database,
      caching: "public",
      url: "http://localhost/bookmarks/",
      sent: "?q=",
      tagParts: [],
      query: parseQuery(PHRASE, indexedBookmarks.vocabulary),
      sort: "relevance",
      limit: undefined,
      after: undefined,
      extras: undefined,
    },
  );
  if (!(body instanceof EncodedBody)) throw new Error("the list is not read at once");
  expect(await body.plain.json()).toHaveLength(600);
  expect(first.mock.calls.map(([{ view }]) => view?.pairs.areUsed)).toEqual([true]);
  // The first of these calls makes the second.
  expect(later.mock.calls.map(([{ view }]) => view)).toEqual(Array(3).fill(undefined));
  expect(waits).toHaveBeenCalledTimes(1);
});

test("no search uses pairs during a rebuild, and records saved meanwhile are found", async () => {
  const { database, indexer, find, page } = await openProcess(newUrl());
  await save(database, 1_000, mixed);
  await indexer.finish(indexedBookmarks);
  await database.write((sql) => sql`update bookmarks set title = 'quiet harbor' where id % 11 > 0`);
  await indexer.finish(indexedBookmarks);
  expect(await find(PHRASE)).toEqual(await titled(database, "deep river"));
  const { pairs } = await indexer.catchUp(indexedBookmarks, { withPairs: true });
  expect(pairs.use("deep", "river")).toBe(true);

  await indexer.rebuild();
  expect(await listOf(database)).toBeUndefined();
  let steps = 0;
  for (let isEnded = false; !isEnded; steps++) {
    const { commonWords } = await readState(database.read, "bookmarks");
    expect(commonWords === undefined).toBe(steps === 0);
    expect(await page(PHRASE)).toEqual(await titled(database, "deep river"));
    if (steps === 1) await save(database, 1, () => "a deep river");
    await step(database);
    isEnded = (await readState(database.read, "bookmarks")).rebuiltTo === undefined;
  }
  expect(steps).toBeGreaterThan(3);
  await indexer.finish(indexedBookmarks);
  expect((await listOf(database))?.words).not.toContain("deep");
  expect((await pairsOf(indexer)).use("quiet", "harbor")).toBe(true);
  expect(await find(PHRASE)).toEqual(await titled(database, "deep river"));
  expect(await find('"quiet harbor"')).toEqual(await titled(database, "quiet harbor"));
}, 60_000);

test("an index that a process of another version has had gets other words", async () => {
  const { database, indexer, find } = await openProcess(newUrl());
  await save(database, 300, mixed);
  await indexer.finish(indexedBookmarks);
  const before = await listOf(database);
  // An earlier version indexes without pairs. It does not know the list, and leaves it as it is.
  await database.write(async (sql) => {
    await sql`update search_state set value = '1.1.1' where name = 'version'`;
    await sql`update bookmarks set title = 'deep river' where id % 2 = 0`;
    await sql`delete from search_pending`;
  });
  await indexer.rebuild();
  expect(await listOf(database)).toBeUndefined();
  await indexer.finish(indexedBookmarks);
  const after = await listOf(database);
  expect(after?.serial).toBeGreaterThan(before?.serial ?? 0);
  expect(await find(PHRASE)).toEqual(await titled(database, "deep river"));
});

test("a copy of the database has the words of its index", async () => {
  const { database, indexer } = await openProcess(newUrl());
  await save(database, 300, mixed);
  await indexer.finish(indexedBookmarks);
  const copy = toEnd.use(temporaryFolder()).file("copy.db");
  await database.read`vacuum into ${copy}`;
  const { database: copied, find } = await openProcess(`sqlite:${copy}`);
  expect(await listOf(copied)).toEqual(await listOf(database));
  expect(await find(PHRASE)).toEqual(await titled(database, "deep river"));
});

function newUrl(): string {
  return `sqlite:${toEnd.use(temporaryFolder()).file("test.db")}`;
}

async function openProcess(url: string) {
  const database = await openDatabase(url);
  toEnd.defer(() => database.close());
  const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
  const search = new Search(database, indexer, indexedBookmarks);
  /** Searches without a look at the state of the index, in the order of ids. */
  const page = async (text: string, view?: IndexView) => {
    const query = parseQuery(text, indexedBookmarks.vocabulary);
    const { ids } = await search.page({ query, sort: "relevance", limit: 5_000, view });
    return ids.toSorted((a, b) => a - b);
  };
  const find = (text: string) => search.following((view) => page(text, view));
  return { database, indexer, search, page, find };
}

function step(database: Database) {
  return database.derive((sql) => indexStep(sql, indexStores.sqlite, indexedBookmarks, ["bookmarks"]));
}

/** A title of three words, in every order. */
function mixed(index: number): string {
  return [index, index * 3 + 1, Math.floor(index / 5)].map((each) => WORDS[each % WORDS.length]).join(" ");
}

async function save(database: Database, count: number, titleOf: (index: number) => string): Promise<void> {
  await writeBookmarks(database, new Date(), (writer) =>
    writer.insertMany(
      Array.from({ length: count }, (_, index) => ({
        title: titleOf(index),
        url: `https://example.com/${titleOf(index).length}/${index}`,
        description: "#tag",
        // Far from those of other calls: entries at the same time may have to move, and are then indexed again.
        createdAt: new Date(count * 1_000_000_000 + index * 1_000),
      })),
    ),
  );
}

/** Changes the titles of all bookmarks but the first ones. */
async function retitle(database: Database, title: string, spared: number): Promise<void> {
  await database.write(
    (sql) => sql`
      update bookmarks set title = ${title} where id not in (select id from bookmarks order by id limit ${spared})`,
  );
}

async function listOf({
  read,
}: Database): Promise<{ readonly serial: number; readonly words: string[] } | undefined> {
  const { commonWords } = await readState(read, "bookmarks");
  return commonWords === undefined ? undefined : JSON.parse(commonWords);
}

async function pairsOf(indexer: Indexer): Promise<CommonPairs> {
  return (await indexer.catchUp(indexedBookmarks, { withPairs: true })).pairs;
}

/** The ids of the bookmarks with this text in their titles. */
async function titled({ read }: Database, text: string): Promise<number[]> {
  const rows = await read<{ id: number }>`
    select id from bookmarks where title like ${`%${text}%`} order by id`;
  return rows.map(({ id }) => Number(id));
}

/** The number of entries that have a word of the index. */
async function countWord({ read }: Database, word: string): Promise<number> {
  const [row] = await read<{ n: number }>`
    select count(*) as n from search_bookmarks_words where search_bookmarks_words match ${`"${word}"`}`;
  return Number(row?.n);
}

function count({ read }: Database, text: string, pairs: CommonPairs): Promise<number> {
  const { root } = parseQuery(text, indexedBookmarks.vocabulary);
  const condition = { tables: INDEX_TABLES.bookmarks, from: undefined, to: undefined, visible: undefined };
  return indexStores.sqlite.count(read, { ...condition, query: root, pairs }, 5_000);
}
