import { afterAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { engines } from "../support/server/engines.ts";

const PROCESSES = 2;
const CLIENTS = 4;
const PAIRS = 10;
describe.each(engines)("On $name", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("a bookmark is found by the next search of any process, while others save and search", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const processes = await Promise.all(Array.from({ length: PROCESSES }, () => openProcess(url)));
    const missed: string[] = [];
    const client = async (number: number) => {
      for (let pair = 0; pair < PAIRS; pair++) {
        const word = `saved${number}x${pair}`;
        await save(processes[pair % PROCESSES], word);
        if ((await find(processes[(pair + number) % PROCESSES], word)) !== 1) missed.push(word);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    expect(missed).toEqual([]);
  });

  async function openProcess(url: string) {
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    return { database, search: new Search(database, indexedBookmarks) };
  }
});

interface Process {
  readonly database: Database;
  readonly search: Search;
}

async function save(process: Process | undefined, word: string): Promise<void> {
  const bookmark = { title: word, url: "https://example.com/", description: "#tag", createdAt: new Date() };
  await writeBookmarks(process?.database as Database, new Date(), (writer) => writer.insertMany([bookmark]));
}

async function find(process: Process | undefined, word: string): Promise<number | undefined> {
  const query = parseQuery(word, indexedBookmarks.vocabulary);
  const search = process?.search;
  return (await search?.page({ query, sort: "relevance", limit: 5 }))?.ids.length;
}
