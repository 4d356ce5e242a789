import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import type { PostResponse } from "../../../src/posts/post.ts";
import { openBeside } from "../../support/databases/database.ts";
import { nextOf } from "../../support/pages/pages.ts";
import { fields, POSTS, readPage } from "../../support/records/blog.ts";
import { bookmarkIn, COLLECTION, create, draft, list } from "../../support/records/bookmarks.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { makeMember, signInForCookie, signInForToken, whoIs } from "../../support/requests/sign-in.ts";
import { engines } from "../../support/server/engines.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

const HOUR = 60 * 60 * 1000;
/** The lifetime of tokens and sessions in this test, in seconds. */
const LIFE = 3;

for (const engine of engines.slice(0, 2)) {
  describe(`A server (${engine.name}) whose clock is set back by an hour`, () => {
    const toEnd = new AsyncDisposableStack();
    const clock = toEnd.use(temporaryFolder()).file("clock");
    const keyed = { method: "POST", headers: { "idempotency-key": "before" }, json: draft };
    let server: RunningServer;
    let send: Send;
    let before: BookmarkResponse[];
    let firstPage: Response;
    let token: string;
    let cookie: string;

    beforeAll(async () => {
      const place = toEnd.use(await engine.createDatabase());
      writeFileSync(clock, "0");
      server = await startServer({
        DATABASE_URL: place.url,
        BOOKMARKS_ACCESS: "open",
        POSTS_ACCESS: "open",
        TOKEN_TTL: `${LIFE}s`,
        SESSION_IDLE: `${LIFE}s`,
        BUN_OPTIONS: JSON.stringify(
          `--preload=${join(import.meta.dir, "../../support/machine/movable-clock.ts")}`,
        ),
        CLOCK_FILE: clock,
      });
      toEnd.defer(() => server.kill());
      send = sendTo(server.url);
      const database = toEnd.adopt(await openBeside(place.url), (database) => database.close());
      await makeMember(database, "reader");
      token = await signInForToken(send, { username: "reader" });
      cookie = await signInForCookie(send, { username: "reader" });
      for (let count = 0; count < 3; count++) await create(send);
      for (let count = 0; count < 3; count++) await send(POSTS, { method: "POST", json: fields });
      await bookmarkIn(await send(COLLECTION, keyed));
      before = await list(send);
      firstPage = await send(`${COLLECTION}?limit=2`);
      // Waits until both have expired, without a request that could notice it. Then the clock goes back an
      // hour, and neither may become valid again.
      await Bun.sleep((LIFE + 0.2) * 1_000);
      writeFileSync(clock, String(-HOUR));
    });
    afterAll(() => toEnd.disposeAsync());

    test("assigns ids that were never used, and lists new records by time and then id", async () => {
      const made = [await create(send), await create(send), await create(send)];
      for (const [index, { id, created_at }] of made.entries()) {
        expect(id).toBeGreaterThan(made[index - 1]?.id ?? Math.max(...before.map(({ id }) => id)));
        expect(Date.parse(created_at)).toBeLessThan(Date.parse(before.at(-1)?.created_at ?? ""));
      }
      const all = [...before, ...made.toReversed()];
      expect(await list(send)).toEqual(all);
      expect(await walk(send, firstPage)).toEqual(all);
    });

    test("counts and pages posts as before", async () => {
      const response = await send(POSTS, { method: "POST", json: fields });
      const { id } = (await response.json()) as PostResponse;
      const page = await readPage(send, `${POSTS}?page_size=1&page=last`);
      expect([page.count, page.results[0]?.id]).toEqual([4, id]);
    });

    test("remembers its idempotency keys", async () => {
      const response = await send(COLLECTION, keyed);
      expect([response.status, response.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    });

    test("revives no token or session, and allows new sign-ins", async () => {
      expect((await send(POSTS, { headers: { authorization: `Token ${token}` } })).status).toBe(401);
      expect(await whoIs(send, { cookie })).toBeUndefined();
      const next = await signInForToken(send, { username: "reader" });
      expect(await whoIs(send, { authorization: `Bearer ${next}` })).toBe("reader");
      expect(await whoIs(send, { cookie: await signInForCookie(send, { username: "reader" }) })).toBe(
        "reader",
      );
    });

    test("finds no problem", async () => {
      expect(await server.stop()).toBe(0);
      expect(server.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    });
  });
}

/** All bookmarks of a walk that starts with a page read earlier. */
async function walk(send: Send, first: Response): Promise<BookmarkResponse[]> {
  const all: BookmarkResponse[] = [];
  for (let page = first; ; ) {
    all.push(...((await page.json()) as BookmarkResponse[]));
    const next = nextOf(page);
    if (next === undefined) return all;
    page = await send(next);
  }
}
