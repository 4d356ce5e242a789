import { afterAll, beforeAll, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { makeAccount, makeSession } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";

let app: TestApp;
let cookie: string;

beforeAll(async () => {
  app = await startApp();
  cookie = await makeSession(app.database, await makeAccount(app.database, "ada"));
});
afterAll(() => app.close());

/** What a browser loads for a page besides images: the page, its style sheet, its scripts. */
async function loadOf(path: string, headers: Record<string, string>) {
  const html = await (await app.request(path, { headers: { accept: "text/html", ...headers } })).text();
  const files = [...html.matchAll(/<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)"/g)].map(
    ([, url = ""]) => url,
  );
  const texts = await Promise.all(files.map(async (url) => (await app.request(url)).text()));
  const scripts = texts.filter((_, index) => files[index]?.endsWith(".js"));
  return { requests: 1 + files.length, bytes: brotli(html, ...texts), script: brotli(...scripts) };
}

function brotli(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + (text === "" ? 0 : brotliCompressSync(text).length), 0);
}

test.each([
  ["/", false],
  ["/archive", false],
  ["/sign-in", false],
  ["/no/such/page", false],
  ["/account", true],
  ["/keys", true],
  ["/settings", true],
] as const)("%s takes two requests, at most 12 kB and no script", async (path, signedIn) => {
  const load = await loadOf(path, signedIn ? { cookie } : {});
  expect(load.requests).toBe(2);
  expect(load.bytes).toBeLessThan(12_000);
  expect(load.script).toBe(0);
});

test("the style sheet is kept for a year under a name that its content makes", async () => {
  const html = await (await app.request("/sign-in")).text();
  const url = /href="(\/assets\/[^"]+\.css)"/.exec(html)?.[1] ?? "";
  const answer = await app.request(url);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const other = await app.request(url.replace(/\/assets\/[^/]+/, "/assets/another-one"));
  expect(other.status).toBe(200);
  expect(other.headers.get("cache-control")).toBe("no-cache");
});

test("a public page is the same for all anonymous readers, with a strong tag, and personal for others", async () => {
  const first = await app.request("/archive");
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[^"]+"$/);
  expect(first.headers.get("cache-control")).toBe("no-cache");
  expect(first.headers.get("vary")).toContain("Cookie");
  const stale = await app.request("/archive", { headers: { cookie: "commonplace_session=stale" } });
  expect(stale.headers.get("etag")).toBe(etag);
  expect(await stale.text()).toBe(await first.text());
  const unchanged = await app.request("/archive", { headers: { "if-none-match": etag } });
  expect(unchanged.status).toBe(304);
  expect(unchanged.headers.get("content-security-policy")).toContain("script-src 'self'");
  const own = await app.request("/archive", { headers: { cookie } });
  expect(own.headers.get("cache-control")).toBe("private, no-cache");
  expect(own.headers.get("etag")).toBeNull();
});

test("a page with a notice is stored by nobody", async () => {
  const answer = await app.request("/archive", { headers: { cookie: "commonplace_notice=signed-out" } });
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(answer.headers.get("set-cookie")).toStartWith("commonplace_notice=; Max-Age=0");
  expect(await answer.text()).toContain("You are signed out.");
});
