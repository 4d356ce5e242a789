import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Extractor } from "../../../src/copies/extraction/extraction-process.ts";
import { HostPace } from "../../../src/copies/fetching/host-pace.ts";
import { FETCH_JOB, requestAdded } from "../../../src/copies/fetching/request-fetch.ts";
import type { Instant } from "../../../src/database/database.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { fetchingFrom } from "../../support/copies/fetching.ts";
import { makeAccount, makeToken, withHeaders } from "../../support/records/accounts.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";
import { loopbackNetwork } from "../../support/server/loopback-network.ts";

const MEGABYTE = 1024 * 1024;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAADklEQVR42mNwgAIGyhgAQGYQAQewk6IAAAAASUVORK5CYII=",
  "base64",
);
const sentence = "The quick brown fox jumps over the lazy dog, and the day is long. ";
const article = (rest = "") =>
  `<!doctype html><html lang="en"><title>A fox</title><article><h1>A fox</h1>${`<p>${sentence.repeat(6)}</p>`.repeat(4)}${rest}</article>`;
const html = (text: string, headers: Record<string, string> = {}, status = 200) =>
  new Response(text, { status, headers: { "content-type": "text/html; charset=utf-8", ...headers } });

/** What a site that is busy says. */
let retryAfter: string | undefined;

/** A page of which one piece comes, as events. */
const slow = { begun: Promise.withResolvers<void>(), ended: Promise.withResolvers<void>() };

function slowPage({ signal }: Request): Response {
  signal.addEventListener("abort", () => slow.ended.resolve());
  slow.begun.resolve();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("<p>A drop")) });
  return new Response(body, { headers: { "content-type": "text/html" } });
}

const ARTICLE = "http://site.example/article";

/** What the site has, by path. */
const PAGES: Readonly<Record<string, (request: Request) => Response>> = {
  "/article": () => html(article(`<figure><img src="/fox.png"><figcaption>Caption</figcaption></figure>`)),
  "/fox.png": () => new Response(PNG, { headers: { "content-type": "image/png" } }),
  "/no-pictures": () =>
    html(
      article(
        `<figure><img src="/gone.png"><figcaption>One</figcaption></figure><figure><img src="/large.png"><figcaption>Two</figcaption></figure><figure><img src="http://inner.example/a.png"><figcaption>Three</figcaption></figure><figure><img src="http://site.example:8080/fox.png"><figcaption>Four</figcaption></figure>`,
      ),
    ),
  "/large.png": () => new Response(Buffer.concat([PNG, Buffer.alloc(2 * MEGABYTE)])),
  "/gone": () => html("", {}, 410),
  "/full": () => html(`<!--${"a".repeat(10 * MEGABYTE - 7)}-->`),
  "/large": () => html(`<!--${"a".repeat(10 * MEGABYTE - 6)}-->`),
  "/busy": () => html("", {}, 503),
  "/limited": () => html("", retryAfter === undefined ? {} : { "retry-after": retryAfter }, 429),
  "/deep": () => html("<div>".repeat(300)),
  "/slow": slowPage,
};

describeApp("A page that the server fetches", (service) => {
  let app: TestApp;
  let fetching: Awaited<ReturnType<typeof fetchingFrom>>;
  const languages = new Set<string | null>();
  const site = loopbackNetwork((request) => {
    languages.add(request.headers.get("accept-language"));
    return PAGES[new URL(request.url).pathname]?.(request) ?? html("", {}, 404);
  });
  beforeAll(async () => {
    app = await service.startApp();
    fetching = await fetchingFrom(app, site.network, new Extractor());
  });
  afterAll(() => site.stop());

  async function fetched(path: string): Promise<{ id: number; copies: Record<string, unknown>[] }> {
    const id = await fetching.ask(path.startsWith("/") ? `http://site.example${path}` : path);
    await fetching.run();
    return { id, copies: await fetching.copiesOf(id) };
  }

  test.each([
    ["/full", "no-text"],
    ["/large", "too-large"],
  ])("has 10 MiB at most: of %s it is said %s", async (path, reason) => {
    const { id } = await fetched(path);
    expect(await fetching.failureOf(id)).toBe(reason);
  });

  test("is asked for in the language of the site", async () => {
    languages.clear();
    await fetched("/gone");
    expect([...languages]).toEqual(["de-AT,de;q=0.9,en;q=0.8"]);
  });

  test("at an address that is not public is never asked for", async () => {
    const { id } = await fetched("http://inner.example/");
    expect([await fetching.failureOf(id), await fetching.waiting()]).toEqual(["not-public", 0]);
  });

  test("that is too much is kept as it was sent", async () => {
    const { id, copies } = await fetched("/deep");
    expect(copies).toMatchObject([{ title: "A link", words: 0, is_article: false }]);
    const original = await fetching.send(`/bookmarks/${id}/copies/${copies[0]?.id}/original?download=true`);
    expect(await original.text()).toBe("<div>".repeat(300));
  });

  test.each<[header: string | undefined, seconds: number]>([
    [undefined, 30],
    ["0", 30],
    ["tomorrow", 30],
    ["600", 600],
    ["99999999", 24 * 60 * 60],
    ["Tue, 01 Jan 2999 00:00:00 GMT", 24 * 60 * 60],
  ])("of a site that wants to be left alone (%s) is asked for after %d s", async (header, seconds) => {
    retryAfter = header;
    const before = Date.now();
    const { id } = await fetched("/limited");
    const [job] = await app.database.read<{ run_at: Instant }>`
      select run_at from jobs where kind = ${FETCH_JOB}`;
    // Of the clock, only the order is known.
    expect(new Date(job?.run_at ?? 0).getTime()).toBeWithin(
      before + seconds * 1_000,
      Date.now() + seconds * 1_000 + 1,
    );
    await fetching.send(`/bookmarks/${id}`, { method: "DELETE" });
    await fetching.run();
  });

  test("that comes in drops is given up with the server, and its connection ends", async () => {
    slow.begun = Promise.withResolvers();
    slow.ended = Promise.withResolvers();
    const id = await fetching.ask("http://site.example/slow");
    const stop = new AbortController();
    const fetch = fetching.run(stop.signal).catch(() => "stopped");
    await slow.begun.promise;
    stop.abort();
    expect(await fetch).toBe("stopped");
    await slow.ended.promise;
    expect([await fetching.copiesOf(id), await fetching.failureOf(id)]).toEqual([[], undefined]);
    await fetching.send(`/bookmarks/${id}`, { method: "DELETE" });
    await app.database.write((sql) => sql`delete from jobs where kind = ${FETCH_JOB}`);
  });

  test.each(["/busy", "/limited", "http://nowhere.example/"])(
    "%s is asked again, and given up",
    async (path) => {
      const { id } = await fetched(path);
      for (let attempts = 1; attempts < 5; attempts++) {
        expect([await fetching.failureOf(id), await fetching.waiting()]).toEqual([undefined, 1]);
        await fetching.run();
      }
      expect([await fetching.failureOf(id), await fetching.waiting()]).toEqual(["unreachable", 0]);
    },
  );

  test("its pictures come with it; one that cannot be had leaves its caption", async () => {
    const { id, copies } = await fetched("/article");
    const text = await (await fetching.send(`/bookmarks/${id}/copies/${copies[0]?.id}/text`)).text();
    expect(text).toContain(`<img src="picture-1"`);
    expect((await fetching.send(`/bookmarks/${id}/copies/${copies[0]?.id}/picture-1`)).status).toBe(200);
    const other = await fetched("http://site.example:8080/article");
    expect(
      (await fetching.send(`/bookmarks/${other.id}/copies/${other.copies[0]?.id}/picture-1`)).status,
    ).toBe(200);
    const without = await fetched("/no-pictures");
    const bare = await (
      await fetching.send(`/bookmarks/${without.id}/copies/${without.copies[0]?.id}/text`)
    ).text();
    expect(bare).not.toContain("<img");
    for (const caption of ["One", "Two", "Three", "Four"]) expect(bare).toContain(caption);
  });

  test("a copy that comes forgets why there was none", async () => {
    const { id } = await fetched("/gone");
    expect(await fetching.failureOf(id)).toBe("gone");
    const headers = { "content-type": "text/html" };
    await fetching.send(`/bookmarks/${id}/copies/`, { method: "POST", body: "<p>Kept", headers });
    expect(await fetching.failureOf(id)).toBeUndefined();
  });

  test("a job that was ended after its copy was kept keeps no second one", async () => {
    const id = await fetching.newBookmark(ARTICLE);
    await fetching.send(`/bookmarks/${id}/copies/`, { method: "POST" });
    const [row] = await app.database.read<{
      payload: string;
    }>`select payload from jobs where kind = ${FETCH_JOB}`;
    await fetching.run();
    const now = new Date();
    await app.database.write(
      (sql) => sql`
        insert into jobs (kind, key, payload, requests, run_at, attempts, created_at)
        values (${FETCH_JOB}, ${String(id)}, ${row?.payload ?? ""}, 1, ${now}, 0, ${now})`,
    );
    await fetching.run();
    expect((await fetching.copiesOf(id)).length).toBe(1);
  });

  test("a bookmark that is gone needs none, and one with all its copies takes no more", async () => {
    const id = await fetching.newBookmark(ARTICLE);
    await fetching.send(`/bookmarks/${id}/copies/`, { method: "POST" });
    await fetching.send(`/bookmarks/${id}`, { method: "DELETE" });
    await fetching.run();
    expect([await fetching.failureOf(id), await fetching.waiting()]).toEqual([undefined, 0]);
    await expectProblem(await fetching.send(`/bookmarks/${id}/copies/`, { method: "POST" }), 404);
  });

  test("a host is asked for one page in two seconds", async () => {
    fetching.waits.length = 0;
    await fetched("http://paced.example/article");
    await fetched("http://other.example/article");
    expect(fetching.waits).toEqual([]);
    await fetched("http://paced.example/article");
    expect(fetching.waits).toEqual([2_000]);
  });

  test("the turns of a host are two seconds apart, for requests that wait at once and after a pause, too", async () => {
    const waits: number[] = [];
    let now = 0;
    const pace = new HostPace({
      now: () => now,
      wait: async (milliseconds) => void waits.push(milliseconds),
    });
    const { signal } = new AbortController();
    const ask = (...hosts: string[]) => Promise.all(hosts.map((host) => pace.wait(host, signal)));
    await ask("a.example", "b.example", "a.example", "a.example");
    expect(waits).toEqual([2_000, 4_000]);
    now = 60_000;
    await ask("a.example", "a.example");
    expect(waits).toEqual([2_000, 4_000, 2_000]);
  });

  test("an added link is fetched unless it has a copy by then", async () => {
    const [bare, sent] = [await fetching.newBookmark(ARTICLE), await fetching.newBookmark(ARTICLE)];
    const headers = { "content-type": "text/html" };
    await fetching.send(`/bookmarks/${sent}/copies/`, { method: "POST", body: "<p>Sent", headers });
    for (const id of [bare, sent]) {
      const now = new Date();
      await app.database.write(async (sql) => {
        await saveSite(sql, { keepCopies: "added" }, now);
        await requestAdded(sql, id, undefined, now);
      });
      await fetching.run();
    }
    expect((await fetching.copiesOf(bare)).map(({ origin }) => origin)).toEqual(["fetched"]);
    expect((await fetching.copiesOf(sent)).map(({ origin }) => origin)).toEqual(["browser"]);
  });

  test("what somebody asks for is fetched though there is a copy", async () => {
    const id = await fetching.newBookmark(ARTICLE);
    const headers = { "content-type": "text/html" };
    await fetching.send(`/bookmarks/${id}/copies/`, { method: "POST", body: "<p>Sent", headers });
    await fetching.send(`/bookmarks/${id}/copies/`, { method: "POST" });
    await fetching.run();
    expect((await fetching.copiesOf(id)).map(({ origin }) => origin)).toEqual(["fetched", "browser"]);
  });

  test("what was requested is not fetched once the site keeps no copies", async () => {
    const id = await fetching.newBookmark(ARTICLE);
    await fetching.send(`/bookmarks/${id}/copies/`, { method: "POST" });
    const choose = (keepCopies: "never" | "asked") =>
      app.database.write((sql) => saveSite(sql, { keepCopies }, new Date()));
    await choose("never");
    await fetching.run();
    await choose("asked");
    expect([await fetching.copiesOf(id), await fetching.failureOf(id), await fetching.waiting()]).toEqual([
      [],
      undefined,
      0,
    ]);
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
