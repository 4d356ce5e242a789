import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { changeStatesOfMany, removeBookmarks } from "../../src/bookmarks/bulk/change-many.ts";
import { indexedBookmarks } from "../../src/bookmarks/search/indexed-bookmarks.ts";
import { checkSearch } from "../../src/checks/search-check.ts";
import { copiesChanged, deleteCopiesOf, deleteCopy } from "../../src/copies/copy-changes.ts";
import { indexedCopies } from "../../src/copies/search/indexed-copies.ts";
import type { Database } from "../../src/database/database.ts";
import { fragment } from "../../src/database/fragment.ts";
import { openDatabase } from "../../src/database/open.ts";
import { inspectDatabase } from "../../src/database/open-inspection.ts";
import { indexedCollections } from "../../src/indexed-collections.ts";
import { marksChanged } from "../../src/marks/mark-changes.ts";
import { deleteMarks } from "../../src/marks/mark-store.ts";
import { INDEX_JOB, indexWaiting, repairIndex, TEXTS_AT_ONCE } from "../../src/search/index/entries.ts";
import { parseQuery, parseTypedQuery } from "../../src/search/query/parser.ts";
import { Search } from "../../src/search/search.ts";
import { SORTS, type Sort } from "../../src/search/search-position.ts";
import { undoChange } from "../../src/undo/undo.ts";
import { extractedPage, makeCopy } from "../support/records/copies.ts";
import { makeMark } from "../support/records/marks.ts";
import { engines } from "../support/server/engines.ts";

/** From the oldest to the newest: the bookmark, and the text of its copy if it has one. */
const LIBRARY: readonly (readonly [title: string, description: string, text?: string])[] = [
  ["River", ""],
  ["Alpha", "#water", "The deep river flows.\nIt never sleeps."],
  ["Beta", "#water #sea", "Deep seas and riverboats, and a river again."],
  ["River deep", "", "deep river"],
  ["Gamma", "a note about rivers", "Nothing of the kind."],
  ["Delta", "", "Das Flußbett von München. 東京都 #tagged"],
  ["Epsilon", "", ""],
  ["Zeta flows", "", "sleeps"],
];

/** Of the first bookmark, which has no copy, and of the second. */
const MARKS: readonly (readonly [bookmarkId: number, quote: string, note: string])[] = [
  [1, "A keeper of bees", "Like a lighthouse."],
  [1, "It was dark.", ""],
  [2, "It never sleeps.", "Insomnia"],
];

describe.each(engines)("Words inside copies ($name)", (engine) => {
  const toEnd = new AsyncDisposableStack();
  let database: Database;
  let search: Search;
  beforeAll(async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    database = await openDatabase(url);
    toEnd.defer(() => database.close());
    for (const [index, [title, description, text]] of LIBRARY.entries()) {
      const createdAt = new Date(1_000 * (index + 1));
      const fields = { title, url: `https://example.com/${index + 1}`, description };
      const { id } = await database.write((sql) => insertBookmark(sql, fields, undefined, createdAt));
      if (text === undefined) continue;
      const html = text.replace(/^.*$/gm, "<p>$&</p>");
      await makeCopy(database, id, text, {
        page: await extractedPage(`T${id}`, { html, text, pictures: [] }),
      });
    }
    for (const [id, quote, note] of MARKS) await makeMark(database, id, quote, { note });
    await changeStatesOfMany(database, [2, 5], { unread: true }, { accountId: undefined }, new Date());
    await changeStatesOfMany(database, [3], { archived: true }, { accountId: undefined }, new Date());
    search = new Search(database, indexedBookmarks);
  });
  afterAll(() => toEnd.disposeAsync());

  async function found(
    q: string,
    { inside = true, sort = "relevance", limit = 50, typed = false }: Options = {},
  ): Promise<number[]> {
    const query = (typed ? parseTypedQuery : parseQuery)(q, indexedBookmarks.vocabulary);
    const ids: number[] = [];
    for await (const batch of search.batches({ query, sort, limit, inside })) ids.push(...batch);
    return ids;
  }

  test.each<[string, number[]]>([
    // By their own words first; those with the words only inside are last, newest first.
    ["river", [4, 1, 3, 2]],
    ["deep river", [4, 3, 2]],
    ['"deep river"', [4, 2]],
    ["flows", [8, 2]],
    // A beginning of a few letters is a word there.
    ["riv*", [4, 1, 5]],
    ["rive*", [4, 1, 5, 3, 2]],
    ["riverb*", [3]],
    ["seas OR sleeps", [8, 3, 2]],
    ["river -riverboats", [4, 1, 2]],
    ["river -deep", [1]],
    ["river #water", [3, 2]],
    ["river -#sea", [4, 1, 2]],
    ["river site:example.com", [4, 1, 3, 2]],
    ["river after:1970", [4, 1, 3, 2]],
    ["river after:1971", []],
    ["title:sleeps", []],
    ["flussbett munchen", [6]],
    ["東京", [6]],
    ["東", [6]],
    ["#tagged", []],
    ["T3", [3]],
    ["nothing again", []],
    ["page:river", [4, 3, 2]],
    ['page:"deep river"', [4, 2]],
    ["page:river page:seas", [3]],
    ["page:river -page:seas", [4, 2]],
    ["page:RIVER river", [4, 3, 2]],
    ["-page:river river", [1]],
    ["page:river title:river", [4]],
    ["page:river -title:river", [3, 2]],
    ["page:riverb*", [3]],
    ["page:river #water", [3, 2]],
    ["-page:river #water", []],
    ["page:sleeps flows", [8, 2]],
    ["page:river is:unread", [2]],
    ["page:river -is:unread -is:archived", [4]],
    ["page:river on:1970-01-01", [4, 3, 2]],
    ["page:river -on:1970-01-01", []],
    ["has:copy", [8, 7, 6, 5, 4, 3, 2]],
    ["-has:copy", [1]],
    ["has:copy -page:river", [8, 7, 6, 5]],
    ["(has:copy river)", [4, 3, 2]],
    ["(is:unread has:copy) flows", [2]],
    // Words of marks: of their notes and their quotes, also without a copy.
    ["lighthouse", [1]],
    ["page:lighthouse bees", [1]],
    ["lighthouse dark", [1]],
    ["insomnia deep", [2]],
    ["insomnia lighthouse", []],
    ["has:mark", [2, 1]],
    ["-has:mark", [8, 7, 6, 5, 4, 3]],
    ["has:mark -has:copy", [1]],
    ["has:mark river", [1, 2]],
    ["(has:mark is:unread)", [2]],
    ["is:unread", [5, 2]],
    ["is:archived", [3]],
    ["-is:unread -is:archived", [8, 7, 6, 4, 1]],
    ["river is:unread", [2]],
    ["-is:unread", [8, 7, 6, 4, 3, 1]],
  ])("%s finds %j", async (q, ids) => {
    expect(await found(q)).toEqual(ids);
    // Page by page, and in every other order.
    expect(await found(q, { limit: 1 })).toEqual(ids);
    for (const sort of SORTS) {
      const sorted = await found(q, { sort });
      expect({ sort, ids: sorted.toSorted() }).toEqual({ sort, ids: ids.toSorted() });
      expect(await found(q, { sort, limit: 1 })).toEqual(sorted);
    }
    expect(await found(q, { sort: "newest" })).toEqual(ids.toSorted((one, other) => other - one));
    const query = parseQuery(q, indexedBookmarks.vocabulary);
    expect(await search.count({ query, inside: true })).toEqual({ matches: ids.length, more: false });
    const { page, count } = await search.pageAndCount({ query, inside: true, sort: "relevance", limit: 1 });
    expect({ ids: page.ids, count }).toEqual({
      ids: ids.slice(0, 1),
      count: { matches: ids.length, more: false },
    });
  });

  test("They are not found for those who may not read copies", async () => {
    expect(await found("river", { inside: false })).toEqual([4, 1]);
    expect(await found("flows", { inside: false, sort: "newest" })).toEqual([8]);
    expect(await found("lighthouse", { inside: false })).toEqual([]);
    const query = parseQuery("river", indexedBookmarks.vocabulary);
    expect(await search.count({ query })).toEqual({ matches: 2, more: false });
  });

  test("They come after those in which the last word is only begun", async () => {
    expect(await found("rive", { typed: true })).toEqual([5, 4, 1, 3, 2]);
    expect(await found("rive", { typed: true, limit: 1 })).toEqual([5, 4, 1, 3, 2]);
    expect(await found("page:rive", { typed: true })).toEqual([]);
  });
});

describe.each(engines)("The index of copies ($name)", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  async function newLibrary(bookmarks: number) {
    const { url } = toEnd.use(await engine.createDatabase());
    const database = await openDatabase(url);
    toEnd.defer(() => database.close());
    const search = new Search(database, indexedBookmarks);
    const now = new Date();
    const ids: number[] = [];
    for (let number = 0; number < bookmarks; number++) {
      const fields = { title: `Title ${number}`, url: "https://example.com/", description: "" };
      ids.push((await database.write((sql) => insertBookmark(sql, fields, undefined, now))).id);
    }
    const found = async (q: string) =>
      (
        await search.page({
          query: parseQuery(q, indexedBookmarks.vocabulary),
          sort: "newest",
          limit: 100,
          inside: true,
        })
      ).ids.length;
    const entries = async () => {
      const rows = await database.read<{ n: number }>`select count(*) as n from search_copies`;
      return Number(rows[0]?.n);
    };
    const check = async () => {
      const inspection = await inspectDatabase(url);
      try {
        return (await checkSearch(inspection)).map(({ status, detail }) => `${status}: ${detail}`);
      } finally {
        await inspection.close();
      }
    };
    return { database, search, ids, found, entries, check, now };
  }

  test("has the words of the copy that is read, and none of a bookmark that has no copy any more", async () => {
    const { database, ids, found, entries, check, now } = await newLibrary(2);
    const [id = 0] = ids;
    expect(await entries()).toBe(0);
    await makeCopy(database, id, "one river of many words");
    const newer = await makeCopy(database, id, "another sea of many words");
    expect([await found("river"), await found("sea"), await entries()]).toEqual([0, 1, 1]);
    // Less than half of the words of the one before.
    await makeCopy(database, id, "log in");
    expect([await found("page:sea"), await found("page:log")]).toEqual([1, 0]);
    await database.write((sql) => deleteCopy(sql, { bookmarkId: id, copyId: newer.id }, now));
    expect([await found("river"), await found("sea")]).toEqual([1, 0]);
    expect(await check()).toEqual(["ok: every record is indexed"]);
    await database.write((sql) => deleteCopiesOf(sql, ids, now));
    expect([await found("river"), await entries()]).toEqual([0, 0]);
    expect(await check()).toEqual(["ok: every record is indexed"]);
  });

  test("has the words of marks, with a copy and without, as long as they are there", async () => {
    const { database, ids, found, entries, check } = await newLibrary(2);
    const [id = 0] = ids;
    const { id: first } = await makeMark(database, id, "a river", { note: "lighthouse" });
    expect([await found("river"), await found("lighthouse"), await entries()]).toEqual([1, 1, 1]);
    expect(await check()).toEqual(["ok: every record is indexed"]);
    const copy = await makeCopy(database, id, "a sea of words");
    expect([await found("lighthouse sea"), await entries()]).toEqual([1, 1]);
    expect(await check()).toEqual(["ok: every record is indexed"]);
    await database.write((sql) => deleteCopy(sql, { bookmarkId: id, copyId: copy.id }, new Date()));
    expect([await found("lighthouse"), await found("sea")]).toEqual([1, 0]);
    expect(await check()).toEqual(["ok: every record is indexed"]);
    const { id: second } = await makeMark(database, id, "another river");
    const remove = (marks: readonly number[]) =>
      database.write(async (sql) => {
        await deleteMarks(sql, fragment`id in ${marks}`);
        await marksChanged(sql, [id]);
      });
    await remove([first]);
    expect([await found("lighthouse"), await found("river"), await entries()]).toEqual([0, 1, 1]);
    await remove([second]);
    expect([await found("river"), await entries()]).toEqual([0, 0]);
    expect(await check()).toEqual(["ok: every record is indexed"]);
  });

  test("says which marks and copies it lacks, or has too many", async () => {
    const { database, ids, check } = await newLibrary(2);
    await makeMark(database, ids[0] ?? 0, "a river");
    await database.write((sql) => sql`delete from marks`);
    expect((await check())[0]).toContain("entries of deleted copies of 1 bookmarks");
    await database.write((sql) => marksChanged(sql, ids));
    await makeMark(database, ids[0] ?? 0, "a river");
    await database.write((sql) => sql`update search_copies set copy_id = 9`);
    expect((await check())[0]).toContain("entries of the copies of 1 bookmarks are out of date");
    await database.write((sql) => sql`delete from search_copies`);
    expect((await check())[0]).toContain("the copies of 1 bookmarks are not indexed");
  });

  test("of a bookmark that was removed comes back with it, even if the index was made again meanwhile", async () => {
    const { database, search, ids, found, check, now } = await newLibrary(2);
    await makeCopy(database, ids[0] ?? 0, "deep river");
    const removed = await removeBookmarks(database, ids.slice(0, 1), undefined, now);
    expect([
      await found("river"),
      await search.count({ query: parseQuery("page:river", indexedBookmarks.vocabulary) }),
    ]).toEqual([0, { matches: 0, more: false }]);
    await repairIndex(database);
    for (const collection of indexedCollections) await indexWaiting(database, collection);
    expect(await check()).toEqual(["ok: every record is indexed"]);
    await undoChange(database, removed.undo ?? "", now);
    expect(
      await database.read`select key from jobs where kind = ${INDEX_JOB} and key = 'copies'`,
    ).toHaveLength(1);
    for (const collection of indexedCollections) await indexWaiting(database, collection);
    expect(await found("river")).toBe(1);
  });

  test(`of more than ${TEXTS_AT_ONCE} bookmarks at once waits for a job, and searches say so`, async () => {
    const { database, search, ids, found } = await newLibrary(TEXTS_AT_ONCE + 3);
    for (const id of ids.slice(1)) await makeCopy(database, id, `river ${id}`);
    await database.write((sql) => copiesChanged(sql, ids));
    expect([await search.behind(true), await search.behind()]).toEqual([ids.length - 1, 0]);
    expect([await found("river"), await found("has:copy")]).toEqual([0, ids.length - 1]);
    await indexWaiting(database, indexedCopies);
    expect([await search.behind(true), await found("river")]).toEqual([0, ids.length - 1]);
  });

  test("has room for all notes, and then for the words of quotes, and of the copy", async () => {
    const { database, ids, found } = await newLibrary(1);
    const [id = 0] = ids;
    await makeCopy(database, id, "the sea");
    const long = (n: number) => Array.from({ length: 1_000 }, (_, word) => `${n}w${word}`).join(" ");
    for (let n = 0; n < 11; n++) await makeMark(database, id, long(n), { note: `note${n}` });
    expect(await Promise.all(["note10", "0w0", "10w999", "sea"].map(found))).toEqual([1, 1, 0, 0]);
  });

  test("is made again from the copies and marks, and by the next search that misses its table", async () => {
    const { database, search, ids, found, check } = await newLibrary(3);
    await makeCopy(database, ids[1] ?? 0, "river");
    await makeMark(database, ids[2] ?? 0, "river");
    const all = async () => {
      for (const collection of indexedCollections) await indexWaiting(database, collection);
      return found("river");
    };
    await repairIndex(database);
    expect(await search.behind(true)).toBe(5);
    expect(await all()).toBe(2);
    await database.write((sql) => sql`drop table search_copies`);
    expect(await check()).toEqual([expect.stringContaining("problem: tables are missing")]);
    expect(await found("river")).toBe(0);
    expect(await all()).toBe(2);
    await database.write((sql) => sql`update search_copies set version = -1`);
    expect(await all()).toBe(2);
    await database.write((sql) => sql`delete from search_copies where id = ${ids[1] ?? 0}`);
    expect((await check())[0]).toContain("the copies of 1 bookmarks are not indexed");
  });
});

interface Options {
  readonly inside?: boolean;
  readonly sort?: Sort;
  readonly limit?: number;
  readonly typed?: boolean;
}
