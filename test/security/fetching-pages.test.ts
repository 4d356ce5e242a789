import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Server } from "bun";
import { makeAccount, makeSession, makeToken, withToken } from "../support/records/accounts.ts";
import type { Send } from "../support/requests/send.ts";
import { startApp, type TestApp } from "../support/server/app.ts";

describe("GET /bookmarks/page", () => {
  let app: TestApp;
  let inside: Server<undefined>;
  let asked = 0;
  let send: Send;
  let cookie: string;
  beforeAll(async () => {
    inside = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch() {
        asked++;
        return new Response("<title>Inside</title>", { headers: { "content-type": "text/html" } });
      },
    });
    app = await startApp({ BOOKMARKS_ACCESS: "open" });
    const account = await makeAccount(app.database, "editor");
    send = withToken(app.request, await makeToken(app.database, account));
    cookie = await makeSession(app.database, account);
  });
  afterAll(async () => {
    await inside.stop(true);
    await app.close();
  });
  const pathFor = (url: string) => `/bookmarks/page?url=${encodeURIComponent(url)}`;

  for (const host of [
    "127.0.0.1",
    "127.1",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "127.0.0.1.",
    "0",
    "localhost",
    "LOCALHOST.",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "user:secret@127.0.0.1",
    "①②⑦.⓪.⓪.①",
  ])
    test(`never fetches from this machine, spelled ${host}`, async () => {
      const response = await send(pathFor(`http://${host}:${inside.port}/`));
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ title: null, description: null });
      expect(asked).toBe(0);
    });

  test("is for accounts, even where anyone may write", async () => {
    const response = await app.request(pathFor("https://example.com/"));
    expect(response.status).toBe(401);
  });

  test("needs a token with the scope to write bookmarks", async () => {
    const account = await makeAccount(app.database, "reader");
    const reader = await makeToken(app.database, account, { scopes: ["bookmarks:read"] });
    expect((await withToken(app.request, reader)(pathFor("https://example.com/"))).status).toBe(403);
  });

  test("is refused to pages of other sites, since it makes the server send requests", async () => {
    const headers = { cookie, "sec-fetch-site": "cross-site" };
    const own = { cookie, "sec-fetch-site": "same-origin" };
    for (const path of ["/bookmarks/page", "/linkding/api/bookmarks/check/"]) {
      const asking = `${path}?url=${encodeURIComponent("http://127.0.0.1/")}`;
      expect([path, (await app.request(asking, { headers })).status]).toEqual([path, 403]);
      expect([path, (await app.request(asking, { headers: own })).status]).toEqual([path, 200]);
    }
  });

  test("refuses an invalid URL with 422", async () => {
    for (const url of ["", "file:///etc/passwd", "gopher://x/", "http://["])
      expect((await send(pathFor(url))).status).toBe(422);
  });

  test("is not found when FETCH_PAGES is off", async () => {
    await using off = await closing(startApp({ FETCH_PAGES: "off" }));
    const key = await makeToken(off.database, await makeAccount(off.database, "editor"));
    // Then `page` is no more than an id that is none.
    expect((await withToken(off.request, key)(pathFor("https://example.com/"))).status).toBe(422);
  });

  test("nothing is fetched when a bookmark is created", async () => {
    const url = `http://127.0.0.1:${inside.port}/`;
    expect((await send("/bookmarks/", { method: "POST", json: { title: "", url } })).status).toBe(201);
    expect(asked).toBe(0);
  });
});

async function closing(starting: Promise<TestApp>): Promise<TestApp & AsyncDisposable> {
  const app = await starting;
  return { ...app, [Symbol.asyncDispose]: () => app.close() };
}
