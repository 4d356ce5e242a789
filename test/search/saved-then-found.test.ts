import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { answerMatches } from "../../src/bookmarks/search/bookmark-matches.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database, DeriveOptions, Sql } from "../../src/database/database.ts";
import type { Bound } from "../../src/database/fragment.ts";
import { openDatabase } from "../../src/database/open.ts";
import { ResponseCache } from "../../src/http/caching/response-cache.ts";
import { StreamBudget } from "../../src/http/encoding/stream-budget.ts";
import { Log } from "../../src/log.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { engines } from "../support/server/engines.ts";

const PROCESSES = 2;
const CLIENTS = 4;
const PAIRS = 10;
/**
 * Responses of PostgreSQL that a step waits for, one after another, besides that of the commit: the marks, and their
 * records. It begins with the first, and its writes are sent with the commit.
 */
const ROUND_TRIPS_MAX = 2;

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

  test("a search after a write waits for one indexing step, which takes few round trips", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const process = await openProcess(url);
    await save(process, "first");
    await find(process, "first");
    const before = { ...process.counts };
    await save(process, "second");
    expect(await find(process, "second")).toBe(1);
    expect(process.counts.steps - before.steps).toBe(1);
    if (process.database.engine === "postgres")
      expect(process.counts.roundTrips - before.roundTrips).toBeLessThanOrEqual(ROUND_TRIPS_MAX);
    // Nothing was written since.
    await find(process, "second");
    expect(process.counts.steps - before.steps).toBe(1);
  });

  test("a list of matches waits for the index once, although its version is read twice", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    const { database, search } = await openProcess(url);
    await save({ database, search }, "listed");
    const waits = spyOn(search, "catchUp");
    const cache = new ResponseCache(database, new StreamBudget(1024 * 1024));
    const response = await answerMatches(
      { database, cache, search },
      {
        request: new Request("http://localhost/bookmarks/?q=listed"),
        moment: database,
        caching: "public",
        url: "http://localhost/bookmarks/",
        sent: "?q=listed",
        tagParts: [],
        query: parseQuery("listed", indexedBookmarks.vocabulary),
        sort: "relevance",
        limit: 5,
        after: undefined,
        extras: undefined,
      },
    );
    expect(response.headers).toMatchObject({ "search-matches": "1" });
    expect(waits).toHaveBeenCalledTimes(1);
  });

  async function openProcess(url: string) {
    const opened = await openDatabase(url);
    toEnd.defer(() => opened.close());
    const counts = { steps: 0, roundTrips: 0 };
    const database = counting(opened, counts);
    const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
    return { database, counts, search: new Search(database, indexer, indexedBookmarks) };
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
  return search?.following(
    async () => (await search.page({ query, sort: "relevance", limit: 5 })).ids.length,
  );
}

/** Counts the steps of the index, and how often one has to wait for a response of the database. */
function counting(database: Database, counts: { steps: number; roundTrips: number }): Database {
  const derive = <T>(work: (sql: Sql) => T | Promise<T>, options?: DeriveOptions) => {
    counts.steps++;
    // A transaction that does not begin with reads waits for its begin.
    if (!options?.readsFirst) counts.roundTrips++;
    return database.derive((sql) => {
      let inFlight = 0;
      const counted = async <Row>(text: TemplateStringsArray, ...values: Bound[]) => {
        if (inFlight++ === 0) counts.roundTrips++;
        const rows = await sql<Row>(text, ...values);
        inFlight--;
        return rows;
      };
      return work(Object.assign(counted, { slot: sql.slot, ...(sql.post && { post: sql.post }) }));
    }, options);
  };
  return new Proxy(database, {
    get: (target, name) => {
      if (name === "derive") return derive;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" && name !== "read" ? value.bind(target) : value;
    },
  });
}
