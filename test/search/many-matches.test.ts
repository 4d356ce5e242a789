import { afterAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { parseQuery } from "../../src/search/query/parser.ts";
import { COUNT_MAX, Search } from "../../src/search/search.ts";
import type { SearchPosition } from "../../src/search/search-position.ts";
import { casesOf } from "../support/run/full-run.ts";
import { engines } from "../support/server/engines.ts";
import { type ModelBookmark, naiveSearch } from "./naive-matcher.ts";

/** More than PostgreSQL looks at one by one. */
const COUNT = 4_500;
const LIMITS = [97, 500];
/** Of a page with its count. */
const LIMIT = 25;
const COUNTED = [5, 40, 1_000];

/** Words by how often and where they are; bookmarks are numbered from the oldest. */
const TITLES: Readonly<Record<string, (number: number) => boolean>> = {
  steady: (number) => number % 100 === 0,
  half: (number) => number % 5 > 2,
  old: (number) => number === 5 || number === 9,
  few: (number) => number === 10,
  newest: (number) => number === COUNT - 1,
};
const TEXTS: Readonly<Record<string, (number: number) => boolean>> = {
  old: (number) => number < 1_300,
  few: (number) => number === 20 || number === 4_400,
  newest: (number) => number % 3 === 0 && number < 3_600,
  wide: (number) => number % 2 === 0,
  spread: (number) => number % 4 !== 1,
  half: (number) => number % 5 < 2,
};
const TAGS: Readonly<Record<string, (number: number) => boolean>> = {
  old: (number) => number === 700,
  few: (number) => number === 30 || number === 3_000,
  tagged: (number) => number % 500 === 1,
  spread: (number) => number % 4 === 1,
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
  "wide spread",
  "wide spread -old",
  "wide half",
  "wide #spread",
  "steady half",
  "half (few OR old)",
  '"wide spread"',
  "after:2020-01-03 wide",
  "-wide",
  "nothing",
];

describe.each(engines)("On $name", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("the pages of a search contain all matches, whether they are many or few, old or new", async () => {
    const database = await openDatabase(toEnd.use(await engine.createDatabase()).url);
    toEnd.defer(() => database.close());
    const search = new Search(database, indexedBookmarks);
    const bookmarks = await addAll(database);
    for (const [row, text] of QUERIES.entries()) {
      const query = parseQuery(text, indexedBookmarks.vocabulary);
      const expected = placesOf(text, bookmarks).map((place) => bookmarks[place]?.id ?? 0);
      for (const limit of casesOf(LIMITS, row)) {
        const found: number[] = [];
        for await (const ids of search.batches({ query, sort: "relevance", limit })) found.push(...ids);
        expect(found, `${text}, ${limit} a page`).toEqual(expected);
      }
      for (const max of casesOf(COUNTED, row))
        expect(await search.count({ query }, max), `${text}, counted up to ${max}`).toEqual(
          counted(expected, max),
        );
      for (const sort of ["relevance", "newest"] as const) {
        let after: SearchPosition | undefined;
        const inOrder = sort === "newest" ? newestFirst(bookmarks, expected) : expected;
        for (let start = 0; start < 3 * LIMIT; start += LIMIT) {
          const { page, count } = await search.pageAndCount({ query, sort, limit: LIMIT, after });
          expect(page.ids, `${text}, ${sort} from ${start}`).toEqual(inOrder.slice(start, start + LIMIT));
          expect(count, `${text}, counted with the page from ${start}`).toEqual(counted(expected, COUNT_MAX));
          after = page.next;
          if (after === undefined) break;
        }
      }
    }
  });
});

const found = new Map<string, number[]>();
/** The bookmarks, with their places as ids. */
let numbered: readonly ModelBookmark[] | undefined;

/** The places of the matching bookmarks, in the order of the results: the same on every engine. */
function placesOf(text: string, bookmarks: readonly ModelBookmark[]): readonly number[] {
  const known = found.get(text);
  if (known !== undefined) return known;
  const { root } = parseQuery(text, indexedBookmarks.vocabulary);
  numbered ??= bookmarks.map((bookmark, place) => ({ ...bookmark, id: place }));
  const places = root === undefined ? [] : naiveSearch(numbered, root);
  found.set(text, places);
  return places;
}

function counted(expected: readonly number[], max: number) {
  return { matches: Math.min(expected.length, max), more: expected.length > max };
}

function newestFirst(bookmarks: readonly ModelBookmark[], ids: readonly number[]): number[] {
  const wanted = new Set(ids);
  return bookmarks.flatMap(({ id }) => (wanted.has(id) ? [id] : [])).toReversed();
}

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
