import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { parseCommonWords } from "../../src/search/index/index-state.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { QueryError } from "../../src/search/query/query-error.ts";
import { Search, type SearchRequest } from "../../src/search/search.ts";
import { SORTS } from "../../src/search/search-position.ts";
import { rounds } from "../support/run/full-run.ts";
import { engines } from "../support/server/engines.ts";
import { type ModelBookmark, naiveSearch } from "./naive-matcher.ts";
import { bookmarkFields, queryText } from "./random-bookmarks.ts";

/** The number of queries; `SEARCH_QUERIES=5000 bun test ./test/search` sends more. */
const QUERIES = Number(process.env.SEARCH_QUERIES ?? rounds(15, 60));
const SEED = Number(process.env.SEARCH_SEED ?? 20261122);
const BOOKMARKS = 400;

/** A day of each of some years, at midnight, and milliseconds that several share. */
const TIMES = [0, 1, 5].flatMap((ms) => [
  Date.UTC(2023, 11, 31) + ms,
  Date.UTC(2024, 0, 1) + ms,
  Date.UTC(2024, 1, 29, 23, 59, 59) + ms,
  Date.UTC(2025, 5, 1) + ms,
]);

interface Searched {
  readonly database: Database;
  readonly search: Search;
  readonly indexer: Indexer;
}

describe("The engines find the same records in the same order, as a full scan does", () => {
  const toEnd = new AsyncDisposableStack();
  const searched: Searched[] = [];
  let bookmarks: ModelBookmark[] = [];
  let searchesWithPairs = 0;

  beforeAll(async () => {
    for (const engine of engines) {
      const database = await openDatabase(toEnd.use(await engine.createDatabase()).url);
      toEnd.defer(() => database.close());
      const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
      searched.push({ database, search: new Search(database, indexer, indexedBookmarks), indexer });
    }
    await add(fc.sample(bookmarkFields, { numRuns: BOOKMARKS, seed: SEED }));
    for (const { indexer } of searched) await indexer.finish(indexedBookmarks);
  });
  afterAll(() => toEnd.disposeAsync());

  async function add(fields: readonly Omit<ModelBookmark, "id" | "createdAt">[]): Promise<void> {
    const dated = fields.map((each, index) => ({
      ...each,
      createdAt: TIMES[(index * 7) % TIMES.length] ?? 0,
    }));
    let ids: number[] = [];
    for (const { database } of searched) {
      ids = [];
      for (const { createdAt, ...each } of dated)
        await writeBookmarks(database, new Date(), async (writer) => {
          const made = await writer.insertMany([{ ...each, createdAt: new Date(createdAt) }]);
          ids.push(made.get(each.url) ?? 0);
        });
    }
    bookmarks.push(...dated.map((each, index) => ({ ...each, id: ids[index] ?? 0 })));
  }

  test(`for ${QUERIES} random queries, with edits, deletes and additions between (seed ${SEED})`, async () => {
    const asked = fc.sample(queryText, { numRuns: QUERIES, seed: SEED });
    const changes = fc.sample(bookmarkFields, { numRuns: QUERIES, seed: SEED + 1 });
    let hits = 0;
    for (const [index, text] of asked.entries()) {
      if (index % 10 === 9) await change(index, changes.slice(index - 9, index));
      hits += await expectEqual(text);
    }
    expect(hits).toBeGreaterThan(QUERIES);
  }, 3_600_000);

  test(`for phrases of common words, of which SQLite indexes the pairs (seed ${SEED})`, async () => {
    const ofSqlite = searched.find(({ database }) => database.engine === "sqlite");
    const view = await ofSqlite?.indexer.catchUp(indexedBookmarks, { withPairs: true });
    const words = [...parseCommonWords(view?.pairs.list)];
    expect(words).toEqual(expect.arrayContaining(["river", "deep", "東京"]));
    const common = fc.constantFrom(...words);
    const other = fc.constantFrom("machine", "node", "大", "nothing");
    const phraseOf = (...parts: readonly fc.Arbitrary<string>[]) =>
      fc.tuple(...parts).map((list) => `"${list.join(" ")}"`);
    const pair = phraseOf(common, common);
    const asked = fc.oneof(
      { weight: 3, arbitrary: pair },
      { weight: 1, arbitrary: common.map((word) => `"${word} ${word}"`) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom("title", "url", "note"), pair)
          .map(([field, text]) => `${field}:${text}`),
      },
      { weight: 2, arbitrary: pair.map((text) => `river -${text}`) },
      { weight: 1, arbitrary: fc.tuple(pair, pair).map((list) => list.join(" OR ")) },
      // Many have "rivers", which is not common.
      { weight: 3, arbitrary: phraseOf(common, fc.constant("river")).map((text) => `${text}*`) },
      { weight: 2, arbitrary: phraseOf(common, common, common) },
      { weight: 1, arbitrary: phraseOf(common, common, other) },
      { weight: 1, arbitrary: phraseOf(common, other) },
    );
    let hits = 0;
    const before = searchesWithPairs;
    for (const text of fc.sample(asked, { numRuns: QUERIES, seed: SEED })) hits += await expectEqual(text);
    expect(hits).toBeGreaterThan(QUERIES);
    expect(searchesWithPairs).toBeGreaterThan(before + QUERIES / 3);
  }, 3_600_000);

  /** Changes, deletes and adds a few. */
  async function change(
    round: number,
    fields: readonly Omit<ModelBookmark, "id" | "createdAt">[],
  ): Promise<void> {
    const [changed, gone] = [
      bookmarks[(round * 31) % bookmarks.length],
      bookmarks[(round * 17 + 5) % bookmarks.length],
    ];
    const [first, ...others] = fields;
    if (changed === undefined || gone === undefined || first === undefined || changed === gone) return;
    for (const { database } of searched) {
      const versions = await database.read<{ id: number; version: number }>`
        select id, version from bookmarks where id in ${[changed.id, gone.id]}`;
      const versionOf = (id: number) => Number(versions.find((row) => Number(row.id) === id)?.version);
      await writeBookmarks(database, new Date(), async (writer) => {
        await writer.update({ id: changed.id, version: versionOf(changed.id) }, first);
        await writer.delete({ id: gone.id, version: versionOf(gone.id) });
      });
    }
    bookmarks = bookmarks.flatMap((each) =>
      each === gone ? [] : [each === changed ? { ...each, ...first } : each],
    );
    await add(others.slice(0, 2));
  }

  async function expectEqual(text: string): Promise<number> {
    const query = parsed(text);
    if (query === undefined) return 0;
    const expected = query.root === undefined ? [] : naiveSearch(bookmarks, query.root);
    const answers = await Promise.all(
      searched.map(async ({ search, indexer }) => {
        // Without a limit of time: the machine may be busy.
        await indexer.finish(indexedBookmarks);
        return search.following(async (view) => {
          const sorted: Record<string, number[]> = {};
          for (const sort of SORTS)
            sorted[sort] = await paged(search, { query, sort, limit: 20 + ((text.length * 13) % 400), view });
          const count = await search.count({ query, view });
          if (view.pairs.areUsed) searchesWithPairs++;
          return { sorted, count };
        });
      }),
    );
    for (const [index, { sorted, count }] of answers.entries()) {
      const where = `${JSON.stringify(text)} on ${engines[index]?.name}`;
      expect({ where, ids: sorted.relevance }).toEqual({ where, ids: expected });
      expect({ where, matches: count.matches }).toEqual({ where, matches: expected.length });
      expect({ where, sorted }).toEqual({ where, sorted: answers[0]?.sorted ?? {} });
    }
    return expected.length;
  }
});

/** All pages, one after another. */
async function paged(search: Search, request: SearchRequest): Promise<number[]> {
  const ids: number[] = [];
  for await (const batch of search.batches(request)) ids.push(...batch);
  return ids;
}

function parsed(text: string) {
  try {
    return parseQuery(text, indexedBookmarks.vocabulary);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}
