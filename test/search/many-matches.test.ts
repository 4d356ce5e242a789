import { afterAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { Indexer } from "../../src/search/index/indexer.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { engines } from "../support/engines.ts";
import { casesOf } from "../support/full-run.ts";
import { type ModelBookmark, naiveSearch } from "./naive-matcher.ts";

/** More than PostgreSQL looks at one by one. */
const COUNT = 4_500;
const LIMITS = [7, 30, 500];
const COUNTED = [5, 40, 1_000];

/** Words by how often and where they are; bookmarks are numbered from the oldest. */
const TITLES: Readonly<Record<string, (number: number) => boolean>> = {
  steady: (number) => number % 100 === 0,
  old: (number) => number === 5 || number === 9,
  few: (number) => number === 10,
  newest: (number) => number === COUNT - 1,
};
const TEXTS: Readonly<Record<string, (number: number) => boolean>> = {
  old: (number) => number < 1_300,
  few: (number) => number === 20 || number === 4_400,
  newest: (number) => number % 3 === 0 && number < 3_600,
};
const TAGS: Readonly<Record<string, (number: number) => boolean>> = {
  old: (number) => number === 700,
  few: (number) => number === 30 || number === 3_000,
  tagged: (number) => number % 500 === 1,
};

const QUERIES = [
  "steady",
  "old",
  "few",
  "newest",
  "#tagged",
  "few OR steady",
  "old -few",
  "stea*",
  "ol*",
  "newes*",
  "newes* -stea*",
  "old newest",
  "nothing",
];

describe.each(engines)("On $name", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("the pages of a search contain all matches, whether they are many or few, old or new", async () => {
    const database = await openDatabase(toEnd.use(await engine.createDatabase()).url);
    toEnd.defer(() => database.close());
    const indexer = new Indexer(database, [indexedBookmarks], new Log({ level: "silent", format: "json" }));
    const search = new Search(database, indexer, indexedBookmarks);
    const bookmarks = await addAll(database);
    await indexer.finish(indexedBookmarks);
    for (const [row, text] of QUERIES.entries()) {
      const query = parseQuery(text, indexedBookmarks.vocabulary);
      const expected = query.root === undefined ? [] : naiveSearch(bookmarks, query.root);
      for (const limit of casesOf(LIMITS, row)) {
        const found: number[] = [];
        for await (const ids of search.batches({ query, sort: "relevance", limit })) found.push(...ids);
        expect(found, `${text}, ${limit} a page`).toEqual(expected);
      }
      for (const max of casesOf(COUNTED, row))
        expect(await search.count(query, undefined, max), `${text}, counted up to ${max}`).toEqual({
          matches: Math.min(expected.length, max),
          more: expected.length > max,
        });
    }
  }, 120_000);
});

async function addAll(database: Database): Promise<ModelBookmark[]> {
  const fields = Array.from({ length: COUNT }, (_, number) => ({
    title: ["Page", ...wordsOf(TITLES, number)].join(" "),
    url: `https://example.com/${number}`,
    description: [
      wordsOf(TEXTS, number).join(" "),
      wordsOf(TAGS, number)
        .map((word) => `#${word}`)
        .join(" "),
    ].join("\n"),
    createdAt: new Date(Date.UTC(2020, 0, 1) + number * 60_000),
  }));
  const ids = await writeBookmarks(database, new Date(), (writer) => writer.insertMany(fields));
  return fields.map((bookmark) => ({
    ...bookmark,
    id: ids.get(bookmark.url) ?? 0,
    createdAt: bookmark.createdAt.getTime(),
  }));
}

function wordsOf(places: typeof TITLES, number: number): string[] {
  return Object.keys(places).filter((word) => places[word]?.(number));
}
