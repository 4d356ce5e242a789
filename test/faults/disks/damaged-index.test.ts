import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../../src/bookmarks/search/indexed-bookmarks.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { indexedPosts } from "../../../src/posts/indexed-posts.ts";
import { indexWaiting } from "../../../src/search/index/entries.ts";
import {
  DAMAGES,
  damagePage,
  oneOfEachKind,
  type Page,
  pagesOf,
} from "../../support/databases/damaged-pages.ts";
import { readerOf } from "../../support/databases/earlier.ts";
import { everything, fillFile, inFile, makeEmpty } from "../../support/databases/moving.ts";
import { freePort } from "../../support/machine/free-port.ts";
import { runHere } from "../../support/machine/run-here.ts";
import { until } from "../../support/machine/until.ts";
import { rounds } from "../../support/run/full-run.ts";
import { startApp } from "../../support/server/app.ts";
import { engines } from "../../support/server/engines.ts";
import { scrape } from "../../support/server/metrics.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

/** Enough that the larger tables and indexes of the search index have more than one page. */
const BOOKMARKS = 200;

describe("A search index of which a page is damaged", () => {
  const folder = temporaryFolder();
  const origin = folder.file("origin.db");
  let pages: readonly Page[];
  let copies = 0;
  afterAll(() => folder[Symbol.dispose]());

  beforeAll(async () => {
    const database = await openDatabase(`sqlite:${origin}`);
    const now = new Date();
    await writeBookmarks(database, now, async (writer) => {
      for (let first = 0; first < BOOKMARKS; first += 50)
        await writer.insertMany(Array.from({ length: 50 }, (_, index) => bookmark(first + index, now)));
    });
    await indexWaiting(database, indexedBookmarks);
    await indexWaiting(database, indexedPosts);
    await database.close();
    pages = oneOfEachKind(pagesOf(origin, "search_"));
    // Each table and index of it has a root at least, and the larger ones leaves.
    expect(pages.length).toBeGreaterThan(35);
  });

  /** A copy with one damaged page. */
  function damaged(page: Page, damage: keyof typeof DAMAGES): string {
    const path = folder.file(`${++copies}.db`);
    copyFileSync(origin, path);
    damagePage(path, page, DAMAGES[damage]);
    return path;
  }

  const kinds = (Object.keys(DAMAGES) as (keyof typeof DAMAGES)[]).slice(0, rounds(1, 3));

  test.each(kinds)("prevents no write, and is made again by one or by a search (%s)", async (damage) => {
    // The index of posts, and that of copies, is of the same tables.
    const met = damage === "empty" ? pages : pages.filter(({ name }) => name.startsWith("search_bookmarks"));
    for (const page of met) {
      const path = damaged(page, damage);
      const app = await startApp({ DATABASE_URL: `sqlite:${path}` });
      const send = async (method: string, target: string, json?: object) =>
        (await app.request(target, { method, ...(json && { json }) })).status;
      const place = [damage, page.name, page.type];
      const together = Array.from({ length: 4 }, (_, index) =>
        send("POST", "/bookmarks/", { title: `Boat ${index}`, url: `https://boat.example/${index}` }),
      );
      expect([...place, ...(await Promise.all(together))]).toEqual([...place, 201, 201, 201, 201]);
      expect([...place, await send("PATCH", "/bookmarks/7", { title: "Boat seven" })]).toEqual([
        ...place,
        200,
      ]);
      expect([...place, await send("DELETE", "/bookmarks/8")]).toEqual([...place, 204]);
      expect([...place, await send("GET", "/bookmarks/?q=river&limit=5")]).toEqual([...place, 200]);
      // What is left of it comes when it is met, which a look at every page is at the latest.
      await app.close();
      expect([...place, (await runHere(["reindex"], { DATABASE_URL: `sqlite:${path}` })).stderr]).toEqual([
        ...place,
        "",
      ]);
      expect([...place, await stateOf(path)]).toEqual([
        ...place,
        { sound: true, bookmarks: BOOKMARKS + 3, boats: 5 },
      ]);
    }
  });

  test("leaves pages unused, which `compact` returns", async () => {
    const page = pages.find(({ name }) => name === "search_bookmarks_words_config") as Page;
    const path = damaged(page, "empty");
    const env = { DATABASE_URL: `sqlite:${path}` };
    const check = async (...args: string[]) => await run(["check", ...args], { env });
    expect(await check()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /PROBLEM +search .* are damaged, no record \("commonplace reindex" rebuilds it\)/,
      ),
    });
    expect((await run(["backup", folder.file("backup.db")], { env })).stdout).toContain(
      "The search index is damaged, and was left out",
    );
    expect(await check("--repair")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/repaired +search /),
    });
    expect(await check()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /note +integrity +\d+ pages of a search index that was damaged are unused/,
      ),
    });
    expect(await run(["backup", folder.file("another.db")], { env })).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining("left out"),
    });
    expect(await run(["compact"], { env })).toMatchObject({ code: 0 });
    expect((await check()).stdout).not.toContain("unused");

    // The backup without an index is whole, and a server makes the index.
    expect(await run(["check", folder.file("backup.db")])).toMatchObject({ code: 0 });
    const restored = { DATABASE_URL: `sqlite:${folder.file("restored.db")}` };
    expect(await run(["restore", folder.file("backup.db")], { env: restored })).toMatchObject({ code: 0 });
    const app = await startApp(restored);
    expect((await app.request("/bookmarks/?q=river&limit=5")).status).toBe(200);
    await indexWaiting(app.database, indexedBookmarks);
    expect(await (await app.request("/bookmarks/?q=river&limit=5")).json()).toHaveLength(5);
    await app.close();
  });

  test("is repaired by a server also if a page of tags meets it", async () => {
    const page = pages.find(
      ({ name, type }) => name === "search_bookmarks_tag_counts" && type === "leaf",
    ) as Page;
    const path = damaged(page, "empty");
    const server = await startServer({ DATABASE_URL: `sqlite:${path}` });
    const tags = async () => (await fetch(`${server.url}/api/tags/`)).status;
    expect(await tags()).toBe(503);
    await until("the index is made again", async () => (await tags()) === 200);
    await until("the log says so", async () => server.lines.join().includes("The search index was damaged."));
    await server.stop();
  });

  test("is told from damaged records, of which metrics and log speak, and which no repair touches", async () => {
    const page = pagesOf(origin, "bookmarks").find(
      ({ name, type }) => name === "bookmarks" && type === "leaf",
    ) as Page;
    const path = damaged(page, "empty");
    const env = { DATABASE_URL: `sqlite:${path}` };
    const port = await freePort();
    const server = await startServer({ ...env, METRICS_PORT: String(port) });
    const value = async () => (await scrape(port)).value("commonplace_database_damaged");
    expect(await value()).toBe(0);
    expect((await fetch(`${server.url}/bookmarks/?limit=1000`)).status).toBe(503);
    await until("it is looked at", async () => (await value()) === 1);
    await until("the log says so", async () => server.lines.join().includes("The database is damaged: "));
    await server.stop();
    for (const words of [["check"], ["check", "--repair"]]) {
      const { code, stdout } = await run(words, { env });
      expect([code, stdout]).toEqual([1, expect.stringMatching(/PROBLEM +integrity /)]);
      expect(stdout).not.toContain("repaired");
    }
    expect((await run(["backup", folder.file("none.db")], { env })).code).toBe(1);
  });
});

function bookmark(n: number, now: Date) {
  return {
    title: `River ${n}`,
    url: `https://site-${n % 90}.example/${n}`,
    description: `About ${"word".repeat(3)}${n} and ${n * 7919}. #tag-${n} #deep/${n % 97}`,
    createdAt: new Date(now.getTime() - n * 37_000),
  };
}

/** @returns whether SQLite finds no damage but pages that are unused, and how many records there are */
async function stateOf(path: string) {
  const database = await openDatabase(`sqlite:${path}`);
  const damage = await database.findDamage();
  const [row] = await database.read<{ n: number }>`select count(*) as n from bookmarks`;
  const [found] = await database.read<{ n: number }>`
    select count(*) as n from search_bookmarks_words where search_bookmarks_words match 'boat'`;
  await database.close();
  const sound = damage !== undefined && [...damage.records, ...damage.indexes, ...damage.search].length === 0;
  return { sound, bookmarks: Number(row?.n), boats: Number(found?.n) };
}

/** Tables that totals and the job of the search index change. */
const REPAIRED = new Set(["counters", "jobs", "sqlite_sequence"]);

describe("An index of records", () => {
  const folder = temporaryFolder();
  const origin = folder.file("origin.db");
  const url = `sqlite:${origin}`;
  afterAll(() => folder[Symbol.dispose]());

  beforeAll(async () => {
    await makeEmpty(url);
    fillFile(url, { bookmarks: 900, posts: 300 });
    inFile(url, (database) => {
      database.exec(
        "delete from bookmarks where id = 900; insert into counters values ('bookmarks:total', 0, 1)",
      );
      database.exec("pragma wal_checkpoint(truncate)");
    });
  });

  test("that is missing is made again by --repair, on both engines, while a server runs", async () => {
    for (const { createEmptyDatabase } of engines) {
      await using place = await createEmptyDatabase();
      await makeEmpty(place.url);
      await using reader = readerOf(place.url);
      await reader.all("drop index comments_by_status");
      await reader.all("drop index bookmarks_by_age");
      const server = await openDatabase(place.url);
      const env = { DATABASE_URL: place.url };
      expect((await run(["check"], { env })).stdout).toMatch(
        /PROBLEM +schema +index bookmarks_by_age is missing \("commonplace check --repair" makes it again\)/,
      );
      expect(await run(["check", "--repair"], { env })).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/repaired +schema +index comments_by_status was made again/),
      });
      expect(await run(["check"], { env })).toMatchObject({ code: 0 });
      await server.close();
    }
  });

  test("of which a page is damaged is made again by --repair, which loses no row and keeps the old file", async () => {
    const before = everything(url);
    const pages = ["bookmarks_by_age", "posts_by_title", "sqlite_autoindex_posts_1", "comments_by_post"];
    let copies = 0;
    for (const page of oneOfEachKind(pages.flatMap((name) => pagesOf(origin, name)))) {
      // Each kind of damage meets inner pages and leaves, which follow each other.
      const damage = Object.values(DAMAGES)[copies % 3] ?? DAMAGES.empty;
      const path = folder.file(`${++copies}/test.db`);
      mkdirSync(dirname(path));
      copyFileSync(origin, path);
      damagePage(path, page, damage);
      const env = { DATABASE_URL: `sqlite:${path}` };
      const place = [page.name, page.type, copies];
      expect([...place, (await runHere(["check"], env)).stdout]).toEqual([
        ...place,
        expect.stringContaining(
          'all records are whole; with the server stopped, "commonplace check --repair"',
        ),
      ]);
      const damaged = readFileSync(path);
      expect([...place, (await runHere(["check", "--repair"], env)).stdout]).toEqual([
        ...place,
        expect.stringMatching(/repaired +integrity +all indexes were made again/),
      ]);
      expect([...place, (await runHere(["check"], env)).stdout]).toEqual([
        ...place,
        expect.stringContaining("No problems found."),
      ]);
      for (const [table, rows] of Object.entries(everything(`sqlite:${path}`)))
        if (!REPAIRED.has(table))
          expect([...place, table, rows]).toEqual([...place, table, before[table] ?? []]);
      expect(bookmarkIds(path)).toBe(900);
      const [kept = ""] = readdirSync(dirname(path)).filter((name) => name.includes(".before-repair-"));
      expect(readFileSync(join(dirname(path), kept)).length).toBe(damaged.length);
    }
    expect(copies).toBeGreaterThan(5);
  });

  test("that has more entries than there are rows shows that rows are lost: nothing is repaired", async () => {
    const path = folder.file("lost.db");
    copyFileSync(origin, path);
    const leaf = pagesOf(origin, "bookmarks").find(
      ({ name, type }) => name === "bookmarks" && type === "leaf",
    ) as Page;
    // Half of the rows of a page are gone, and the page is valid.
    damagePage(path, leaf, (page) => {
      page.writeUInt16BE(page.readUInt16BE(3) >> 1, 3);
      return page;
    });
    const env = { DATABASE_URL: `sqlite:${path}` };
    const { code, stdout } = await run(["check", "--repair"], { env });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/PROBLEM +integrity /)]);
    expect(stdout).not.toMatch(/^ +repaired/m);
  });
});

/** The highest id given to a bookmark. */
function bookmarkIds(path: string): number {
  return inFile(`sqlite:${path}`, (database) =>
    Number(database.prepare("select seq from sqlite_sequence where name = 'bookmarks'").get()?.seq),
  );
}
