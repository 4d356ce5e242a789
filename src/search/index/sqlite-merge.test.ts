import { afterAll, expect, test } from "bun:test";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { Log } from "../../log.ts";
import { INDEX_TABLES } from "../collection.ts";
import { parseQuery } from "../query/parser.ts";
import { Search } from "../search.ts";
import { readState } from "./index-state.ts";
import { indexStep } from "./index-step.ts";
import { indexStores } from "./index-stores.ts";
import { Indexer } from "./indexer.ts";

const toEnd = new AsyncDisposableStack();
afterAll(() => toEnd.disposeAsync());

test("the words of many records are merged into one segment, of a few they are not", async () => {
  const { database, indexer, countFound } = await openCollection();
  await save(database, 3_000);
  await indexer.finish(indexedBookmarks);
  expect(await countSegments(database)).toBe(1);
  expect(await countFound()).toBe(3_000);

  await save(database, 300);
  await indexer.finish(indexedBookmarks);
  expect(await countSegments(database)).toBeGreaterThan(1);
  expect(await countFound()).toBe(3_300);

  await indexer.rebuild();
  await indexer.finish(indexedBookmarks);
  expect(await countSegments(database)).toBe(1);
  expect(await countFound()).toBe(3_300);
}, 60_000);

test("words are countFound while they are being merged, and so are records that are saved meanwhile", async () => {
  const { database, countFound } = await openCollection();
  const step = () =>
    database.derive((sql) => indexStep(sql, indexStores.sqlite, indexedBookmarks, ["bookmarks"]));
  await save(database, 3_000);
  while ((await stateOf(database)).merging !== "begun") await step();
  expect(await countFound()).toBe(3_000);
  await save(database, 10);
  await step();
  expect((await stateOf(database)).merging).toBe("begun");
  expect(await countFound()).toBe(3_010);
  while ((await stateOf(database)).merging !== undefined) await step();
  expect(await countFound()).toBe(3_010);
}, 60_000);

async function openCollection() {
  const folder = toEnd.use(temporaryFolder());
  const database = await openDatabase(`sqlite:${folder.file("test.db")}`);
  toEnd.defer(() => database.close());
  const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
  const search = new Search(database, indexer, indexedBookmarks);
  const query = parseQuery("river", indexedBookmarks.vocabulary);
  const countFound = async () => (await search.count({ query }, 10_000)).matches;
  return { database, indexer, countFound };
}

let minute = 0;

async function save(database: Database, count: number): Promise<void> {
  await writeBookmarks(database, new Date(), (writer) =>
    writer.insertMany(
      Array.from({ length: count }, (_, index) => ({
        title: `River ${index} of ${crypto.randomUUID()}`,
        url: `https://example.com/${crypto.randomUUID()}`,
        description: crypto.randomUUID(),
        createdAt: new Date(1_700_000_000_000 + minute++ * 60_000),
      })),
    ),
  );
}

function stateOf(database: Database) {
  return readState(database.read, "bookmarks");
}

async function countSegments({ read }: Database): Promise<number> {
  const { segments } = INDEX_TABLES.bookmarks;
  const [row] = await read<{ n: number }>`select count(distinct segid) as n from ${segments}`;
  return Number(row?.n);
}
