import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
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
}

describe("The engines find the same records in the same order, as a full scan does", () => {
  const toEnd = new AsyncDisposableStack();
  const searched: Searched[] = [];
  let bookmarks: ModelBookmark[] = [];

  beforeAll(async () => {
    for (const engine of engines) {
      const database = await openDatabase(toEnd.use(await engine.createDatabase()).url);
      toEnd.defer(() => database.close());
      searched.push({ database, search: new Search(database, indexedBookmarks) });
    }
    await add(fc.sample(bookmarkFields, { numRuns: BOOKMARKS, seed: SEED }));
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
      const versions = await database.read<{ id: number; version: number; url: string }>`
        select id, version, url from bookmarks where id in ${[changed.id, gone.id]}`;
      const versionOf = (id: number) => {
        const { version, url = "" } = versions.find((row) => Number(row.id) === id) ?? {};
        return { id, version: Number(version), url };
      };
      await writeBookmarks(database, new Date(), async (writer) => {
        await writer.update(versionOf(changed.id), first);
        await writer.delete(versionOf(gone.id));
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
      searched.map(async ({ search }) => {
        const sorted: Record<string, number[]> = {};
        for (const sort of SORTS)
          sorted[sort] = await paged(search, { query, sort, limit: 20 + ((text.length * 13) % 400) });
        return { sorted, count: await search.count({ query }) };
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
