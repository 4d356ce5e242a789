import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SYSTEM_CLOCK } from "../../../src/clock.ts";
import { CopyRoom } from "../../../src/copies/copy-room.ts";
import { Extractor } from "../../../src/copies/extraction/extraction-process.ts";
import { fetchJob } from "../../../src/copies/fetching/fetch-job.ts";
import { HostPace } from "../../../src/copies/fetching/host-pace.ts";
import { FETCH_JOB, requestAdded } from "../../../src/copies/fetching/request-fetch.ts";
import { CopyKeeper } from "../../../src/copies/keep-copy.ts";
import { finishJob, leaseDueJob } from "../../../src/jobs/job-store.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { makeAccount, makeToken, withHeaders } from "../../support/records/accounts.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeContract } from "../../support/server/contract.ts";
import { loopbackNetwork } from "../../support/server/loopback-network.ts";

const MEGABYTE = 1024 * 1024;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const sentence = "The quick brown fox jumps over the lazy dog, and the day is long. ";
const article = (rest = "") =>
  `<!doctype html><html lang="en"><title>A fox</title><article><h1>A fox</h1>${`<p>${sentence.repeat(6)}</p>`.repeat(4)}${rest}</article>`;
const html = (text: string, headers: Record<string, string> = {}, status = 200) =>
  new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8", ...headers } });
const moved = (location: string) => new Response(null, { status: 302, headers: { location } });

/** A body that never ends. */
function endless(): Response {
  const piece = Buffer.alloc(64 * 1024, "<p>more ");
  const body = new ReadableStream({ pull: (controller) => controller.enqueue(piece) });
  return new Response(body, { headers: { "content-type": "text/html" } });
}

const ARTICLE = "http://site.example/article";

/** What the site has, by path. */
const PAGES: Readonly<Record<string, () => Response>> = {
  "/article": () => html(article(`<figure><img src="/fox.png"><figcaption>Caption</figcaption></figure>`)),
  "/fox.png": () => new Response(PNG, { headers: { "content-type": "image/png" } }),
  "/no-pictures": () =>
    html(
      article(
        `<figure><img src="/gone.png"><figcaption>One</figcaption></figure><figure><img src="/large.png"><figcaption>Two</figcaption></figure><figure><img src="http://inner.example/a.png"><figcaption>Three</figcaption></figure>`,
      ),
    ),
  "/large.png": () => new Response(Buffer.concat([PNG, Buffer.alloc(2 * MEGABYTE)])),
  "/moved": () => moved("/article"),
  "/refreshed": () => html(`<meta http-equiv="refresh" content="0; url=/article">`),
  "/no-type": () => html(article(), { "content-type": "unknown/unknown" }),
  "/cyrillic": () =>
    new Response(
      Buffer.from(`<meta charset="windows-1251"><title>\xcf\xf0\xe8</title><p>\xcf\xf0\xe8`, "latin1"),
      {
        headers: { "content-type": "text/html" },
      },
    ),
  "/deep": () => html("<div>".repeat(300)),
  "/pdf": () => new Response("%PDF-1.7", { headers: { "content-type": "application/pdf" } }),
  "/needs-session": () => html("", {}, 401),
  "/paid": () => html("", {}, 402),
  "/to-login": () => moved("/users/login?next=%2Fto-login"),
  "/users/login": () => html("<form>"),
  "/forbidden": () => html("", {}, 403),
  "/wall": () => html("<title>Just a moment...</title>"),
  "/marked-wall": () => html("<title>T</title>", { "cf-mitigated": "challenge" }, 503),
  "/gone": () => html("", {}, 410),
  "/picture": () => new Response(PNG, { headers: { "content-type": "image/png" } }),
  "/bytes": () => new Response(Buffer.from([0, 1, 2, 0]), { headers: { "content-type": "unknown/unknown" } }),
  "/scripts": () => html(`<div id="root"></div><script>document.write("x")</script>`),
  "/large": () => html("<p>".padEnd(10 * MEGABYTE + 1, "a")),
  "/endless": endless,
  "/bomb": () =>
    new Response(Bun.gzipSync(Buffer.alloc(64 * MEGABYTE, "a")), {
      headers: { "content-type": "text/html", "content-encoding": "gzip" },
    }),
  "/to-inside": () => moved("http://inner.example/"),
  "/loop": () => moved("/loop"),
  "/busy": () => html("", {}, 503),
  "/limited": () => html("", {}, 429),
};

describeContract("A page that the server fetches", (service) => {
  let app: TestApp;
  let send: Send;
  const site = loopbackNetwork((request) => PAGES[new URL(request.url).pathname]?.() ?? html("", {}, 404));
  let run: () => Promise<void>;
  const waits: number[] = [];

  beforeAll(async () => {
    app = await service.startApp();
    const { database } = app;
    const account = await makeAccount(database, "ada");
    const token = await makeToken(database, account, { scopes: ["bookmarks:read", "bookmarks:write"] });
    send = withHeaders(app.request, { authorization: `Bearer ${token}` });
    const job = fetchJob({
      database,
      network: site.network,
      keeper: new CopyKeeper({ database, objects: undefined, room: new CopyRoom(database, 1e9) }),
      extractor: new Extractor(),
      pace: new HostPace({ now: () => 0, wait: async (milliseconds) => void waits.push(milliseconds) }),
      language: async () => "de-AT",
    });
    run = async () => {
      // All that waits, also for another attempt.
      const now = new Date(SYSTEM_CLOCK.now().getTime() + 1e8);
      const leased = await leaseDueJob(database, [FETCH_JOB], now, now);
      if (leased === undefined) throw new Error("no job waits");
      await job.run(leased, new AbortController().signal);
      await database.write((sql) => finishJob(sql, leased, undefined));
    };
  });
  afterAll(() => site.stop());

  async function newBookmark(url: string): Promise<number> {
    const body = JSON.stringify({ title: "A link", url, description: "" });
    const headers = { "content-type": "application/json" };
    return ((await (await send("/bookmarks/", { method: "POST", body, headers })).json()) as { id: number })
      .id;
  }
  const copiesOf = async (id: number) =>
    (await (await send(`/bookmarks/${id}/copies/`)).json()) as Record<string, unknown>[];
  const failureOf = async (id: number) => {
    const [row] = await app.database.read<{ reason: string }>`
      select reason from copy_failures where bookmark_id = ${id}`;
    return row?.reason;
  };
  const waiting = async () =>
    Number((await app.database.read`select 1 from jobs where kind = ${FETCH_JOB}`).length);
  async function fetched(path: string): Promise<{ id: number; copies: Record<string, unknown>[] }> {
    const id = await newBookmark(path.startsWith("/") ? `http://site.example${path}` : path);
    const before = await (await send(`/bookmarks/${id}`)).text();
    const response = await send(`/bookmarks/${id}/copies/`, { method: "POST" });
    expect([response.status, await response.json()]).toEqual([202, { bookmark: id }]);
    await run();
    expect(await (await send(`/bookmarks/${id}`)).text()).toBe(before);
    return { id, copies: await copiesOf(id) };
  }

  test.each<[path: string, copy: object]>([
    ["/article", { url: "http://site.example/article", title: "A fox", language: "en", is_article: true }],
    ["/moved", { url: "http://site.example/article", title: "A fox" }],
    ["/refreshed", { url: "http://site.example/article", title: "A fox" }],
    ["/no-type", { title: "A fox" }],
    ["/cyrillic", { title: "При", words: 1 }],
    ["/deep", { title: "A link", words: 0 }],
    ["/pdf", { title: "A link", words: 0 }],
  ])("%s is kept", async (path, copy) => {
    const { copies } = await fetched(path);
    expect(copies).toMatchObject([{ origin: "fetched", ...copy }]);
    expect(await waiting()).toBe(0);
  });

  test.each<[path: string, reason: string]>([
    ["/needs-session", "sign-in"],
    ["/paid", "sign-in"],
    ["/to-login", "sign-in"],
    ["/forbidden", "robots"],
    ["/wall", "robots"],
    ["/marked-wall", "robots"],
    ["/gone", "gone"],
    ["/never-there", "gone"],
    ["/picture", "no-page"],
    ["/bytes", "no-page"],
    ["/scripts", "no-text"],
    ["/large", "too-large"],
    ["/endless", "too-large"],
    ["/bomb", "too-large"],
    ["/to-inside", "not-public"],
    ["http://inner.example/", "not-public"],
    ["/loop", "redirects"],
  ])("%s is not kept, and it is said why: %s", async (path, reason) => {
    const { id, copies } = await fetched(path);
    expect([copies, await failureOf(id), await waiting()]).toEqual([[], reason, 0]);
  });

  test.each(["/busy", "/limited", "http://nowhere.example/"])(
    "%s is asked again, and given up",
    async (path) => {
      const { id } = await fetched(path);
      for (let attempts = 1; attempts < 5; attempts++) {
        expect([await failureOf(id), await waiting()]).toEqual([undefined, 1]);
        await run();
      }
      expect([await failureOf(id), await waiting()]).toEqual(["unreachable", 0]);
    },
  );

  test("its pictures come with it; one that cannot be had leaves its caption", async () => {
    const { id, copies } = await fetched("/article");
    const text = await (await send(`/bookmarks/${id}/copies/${copies[0]?.id}/text`)).text();
    expect(text).toContain(`<img src="picture-1"`);
    expect((await send(`/bookmarks/${id}/copies/${copies[0]?.id}/picture-1`)).status).toBe(200);
    const without = await fetched("/no-pictures");
    const bare = await (await send(`/bookmarks/${without.id}/copies/${without.copies[0]?.id}/text`)).text();
    expect(bare).not.toContain("<img");
    for (const caption of ["One", "Two", "Three"]) expect(bare).toContain(caption);
  });

  test("a copy that comes forgets why there was none", async () => {
    const { id } = await fetched("/gone");
    expect(await failureOf(id)).toBe("gone");
    const headers = { "content-type": "text/html" };
    await send(`/bookmarks/${id}/copies/`, { method: "POST", body: "<p>Kept", headers });
    expect(await failureOf(id)).toBeUndefined();
  });

  test("a job that was ended after its copy was kept keeps no second one", async () => {
    const id = await newBookmark(ARTICLE);
    await send(`/bookmarks/${id}/copies/`, { method: "POST" });
    const [row] = await app.database.read<{
      payload: string;
    }>`select payload from jobs where kind = ${FETCH_JOB}`;
    await run();
    const now = new Date();
    await app.database.write(
      (sql) => sql`
        insert into jobs (kind, key, payload, requests, run_at, attempts, created_at)
        values (${FETCH_JOB}, ${String(id)}, ${row?.payload ?? ""}, 1, ${now}, 0, ${now})`,
    );
    await run();
    expect((await copiesOf(id)).length).toBe(1);
  });

  test("a bookmark that is gone needs none, and one with all its copies takes no more", async () => {
    const id = await newBookmark(ARTICLE);
    await send(`/bookmarks/${id}/copies/`, { method: "POST" });
    await send(`/bookmarks/${id}`, { method: "DELETE" });
    await run();
    expect([await failureOf(id), await waiting()]).toEqual([undefined, 0]);
    await expectProblem(await send(`/bookmarks/${id}/copies/`, { method: "POST" }), 404);
  });

  test("a host is asked for one page in two seconds", async () => {
    waits.length = 0;
    await fetched("http://paced.example/article");
    await fetched("http://other.example/article");
    expect(waits).toEqual([]);
    await fetched("http://paced.example/article");
    expect(waits).toEqual([2_000]);
  });

  test("the turns of a host are two seconds apart, also of those that wait at once", async () => {
    const waits: number[] = [];
    const pace = new HostPace({ now: () => 0, wait: async (milliseconds) => void waits.push(milliseconds) });
    const { signal } = new AbortController();
    await Promise.all(
      ["a.example", "b.example", "a.example", "a.example"].map((host) => pace.wait(host, signal)),
    );
    expect(waits).toEqual([2_000, 4_000]);
  });

  test("an added link is fetched unless it has a copy by then", async () => {
    const [bare, sent] = [await newBookmark(ARTICLE), await newBookmark(ARTICLE)];
    const headers = { "content-type": "text/html" };
    await send(`/bookmarks/${sent}/copies/`, { method: "POST", body: "<p>Sent", headers });
    for (const id of [bare, sent]) {
      const now = new Date();
      await app.database.write(async (sql) => {
        await saveSite(sql, { keepCopies: "added" }, now);
        await requestAdded(sql, id, undefined, now);
      });
      await run();
    }
    expect((await copiesOf(bare)).map(({ origin }) => origin)).toEqual(["fetched"]);
    expect((await copiesOf(sent)).map(({ origin }) => origin)).toEqual(["browser"]);
  });

  test("what was requested is not fetched once the site keeps no copies", async () => {
    const id = await newBookmark(ARTICLE);
    await send(`/bookmarks/${id}/copies/`, { method: "POST" });
    const choose = (keepCopies: "never" | "asked") =>
      app.database.write((sql) => saveSite(sql, { keepCopies }, new Date()));
    await choose("never");
    await run();
    await choose("asked");
    expect([await copiesOf(id), await failureOf(id), await waiting()]).toEqual([[], undefined, 0]);
  });

  describe("where no pages are fetched", () => {
    test("the page has to be sent", async () => {
      const off = await service.startApp({ FETCH_PAGES: "off", BOOKMARKS_ACCESS: "open" });
      const account = await makeAccount(off.database, "ada");
      const token = await makeToken(off.database, account, { scopes: ["bookmarks:read", "bookmarks:write"] });
      const sending = withHeaders(off.request, { authorization: `Bearer ${token}` });
      const json = { title: "A", url: "http://site.example/", description: "" };
      const body = JSON.stringify(json);
      const headers = { "content-type": "application/json" };
      const { id } = (await (await sending("/bookmarks/", { method: "POST", body, headers })).json()) as {
        id: number;
      };
      await expectProblem(await sending(`/bookmarks/${id}/copies/`, { method: "POST" }), 415);
    });
  });
});
