import { afterAll, describe, expect, test } from "bun:test";
import { writeBookmarks } from "../../src/bookmarks/bookmark-writer.ts";
import { openDatabase } from "../../src/database/open.ts";
import { engines } from "../support/server/engines.ts";
import { run, startServer } from "../support/server/server.ts";

const COUNT = 3_000;
const CLIENTS = 6;
const REBUILDS = 8;
/** Requests whose answers depend on the index, and the number of records that each finds in all. */
const REQUESTS: Readonly<Record<string, (response: Response) => Promise<number>>> = {
  "/bookmarks/?q=river&limit=1": async ({ headers }) =>
    Number.parseInt(headers.get("search-matches") ?? "0", 10),
  // A phrase of two common words, whose pairs SQLite indexes.
  "/bookmarks/?q=%22deep+river%22&limit=2": async ({ headers }) =>
    Number.parseInt(headers.get("search-matches") ?? "0", 10),
  "/bookmarks/?q=%23water&limit=1000": async (response) => ((await response.json()) as unknown[]).length,
  "/bookmarks/search?q=river": async (response) => ((await response.json()) as { matches: number }).matches,
  "/bookmarks/search?q=%22deep+river%22": async (response) =>
    ((await response.json()) as { matches: number }).matches,
  "/api/tags/": async (response) => ((await response.json()) as { count: number }[])[0]?.count ?? 0,
  "/bookmarks/check?url=https://example.com/": async (response) =>
    ((await response.json()) as { same: unknown[] }).same.length,
};

describe.each(engines)("An index that another process recreates ($name)", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  test("is never searched while it is incomplete without a Search-Behind, on two servers", async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    await saveMany(url);
    await run(["reindex"], { env: { DATABASE_URL: url } });
    const servers = [await startServer({ DATABASE_URL: url }), await startServer({ DATABASE_URL: url })];
    for (const server of servers) toEnd.defer(async () => void (await server.stop()));
    const complete = new Map<string, number>();
    const answers = { complete: 0, incomplete: 0 };
    let isOver = false;
    const ask = async (path: string, origin: string) => {
      const response = await fetch(origin + path);
      expect(response.status, path).toBe(200);
      const isBehind = response.headers.has("search-behind");
      return { found: await REQUESTS[path]?.(response), isBehind };
    };
    for (const path of Object.keys(REQUESTS)) {
      const { found = 0 } = await ask(path, servers[0]?.url ?? "");
      expect(found, path).toBeGreaterThan(0);
      complete.set(path, found);
    }
    const client = async (number: number) => {
      const paths = Object.keys(REQUESTS);
      for (let count = number; !isOver; count++) {
        const path = paths[count % paths.length] ?? "";
        const { found, isBehind } = await ask(path, servers[count % 2]?.url ?? "");
        if (isBehind) answers.incomplete++;
        else expect(found, path).toBe(complete.get(path));
        if (!isBehind) answers.complete++;
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    for (let count = 0; count < REBUILDS; count++)
      expect(await run(["reindex"], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 });
    isOver = true;
    await clients;
    expect(answers.complete).toBeGreaterThan(0);
  }, 120_000);
});

async function saveMany(url: string): Promise<void> {
  const database = await openDatabase(url);
  const createdAt = new Date();
  const bookmarks = Array.from({ length: COUNT }, (_, index) => ({
    title: index % 4 === 0 ? `Deep river ${index}` : `Lake ${index}`,
    url: index % 50 === 0 ? "https://example.com/" : `https://example.com/${index}`,
    description: index % 8 === 0 ? "#water" : "",
    createdAt,
  }));
  await writeBookmarks(database, createdAt, async (writer) => {
    for (let start = 0; start < COUNT; start += 1_000)
      await writer.insertMany(bookmarks.slice(start, start + 1_000));
  });
  await database.close();
}
