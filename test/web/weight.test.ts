import { afterAll, beforeAll, expect, test } from "bun:test";
import { brotliCompressSync } from "node:zlib";
import { madeUpBookmarks } from "../../seed/made-up-bookmarks.ts";
import { makeAccount, makeSession, makeToken, withToken } from "../support/records/accounts.ts";
import { createComment, createPost } from "../support/records/blog.ts";
import { startApp, type TestApp } from "../support/server/app.ts";

/** A post of 900 words with code, a table and footnotes, and eight comments of 30 words. */
const WORDS = [...madeUpBookmarks(200, new Date("2026-01-01"))]
  .map(({ title, description }) => `${title} ${description.replaceAll("#", "")}`)
  .join(" ")
  .split(/\s+/);
const TEXT = [
  WORDS.slice(0, 450)
    .join(" ")
    .replaceAll(/(.{400,}?) /g, "$1\n\n"),
  "## A heading[^1]",
  "```js\nconst answer = 42; // of many\nexport function ask() {\n  return answer;\n}\n```",
  "| Year | Book |\n|---|---|\n| 1706 | A New Method |\n| 1721 | Another |",
  WORDS.slice(450, 900)
    .join(" ")
    .replaceAll(/(.{400,}?) /g, "$1\n\n"),
  "[^1]: A note at the foot.",
].join("\n\n");
const COMMENTS = Array.from({ length: 8 }, (_, n) => WORDS.slice(n * 30, n * 30 + 30).join(" "));

let app: TestApp;
let cookie: string;

beforeAll(async () => {
  app = await startApp({ COMMENTS: "moderated" });
  const account = await makeAccount(app.database, "ada");
  cookie = await makeSession(app.database, account);
  const send = withToken(app.request, await makeToken(app.database, account));
  for (const slug of ["weighed", "another"]) {
    const { id } = await createPost(send, { title: `A post that is ${slug}`, content: TEXT });
    const json = { slug, tags: ["weight"], summary: "What a page weighs, and why.", language: "en" };
    await send(`/api/posts/${id}/publication/`, { method: "PATCH", json });
    for (const text of COMMENTS) await createComment(send, { id }, { text });
  }
});
afterAll(() => app.close());

/** What a browser loads for a page besides images: the page, its style sheet, its scripts. */
async function loadOf(path: string, headers: Record<string, string> = {}) {
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
  "/",
  "/archive",
  "/posts/weighed",
  "/tags/weight",
  "/tags",
  "/search?q=method",
  "/posts/weighed/comments",
  "/no/such/page",
] as const)("%s takes two requests, at most 12 kB and no script", async (path) => {
  const load = await loadOf(path);
  expect(load.requests).toBe(2);
  expect(load.bytes).toBeLessThan(12_000);
  expect(load.script).toBe(0);
});

test.each(["journal", "column", "index"] as const)(
  "a theme with a layout of its own, %s, takes one more request for its sheet, and at most 14 kB",
  async (theme) => {
    const query = `theme=${theme}&accent=teal&text=typewriter&show=front`;
    const load = await loadOf(`/settings/look/preview?${query}`, { cookie });
    expect(load.requests).toBe(3);
    expect(load.bytes).toBeLessThan(14_000);
    expect(load.script).toBe(0);
  },
);

test("/sign-in, which can show a password, takes three requests, at most 12 kB", async () => {
  const load = await loadOf("/sign-in");
  expect(load.requests).toBe(3);
  expect(load.bytes).toBeLessThan(12_000);
  expect(load.script).toBeLessThan(1_000);
});

test.each([
  ["/keys", 3],
  ["/settings", 3],
  ["/account", 4],
] as const)(
  "%s has the field for everything in one more request, with at most 2 kB",
  async (path, requests) => {
    const load = await loadOf(path, { cookie });
    expect(load.requests).toBe(requests);
    expect(load.bytes).toBeLessThan(16_500);
    expect(load.script).toBeLessThan(requests === 3 ? 2_000 : 2_500);
  },
);

test("/settings/look, with its thumbnails, takes five requests without the preview, at most 16 kB", async () => {
  const load = await loadOf("/settings/look", { cookie });
  expect(load.requests).toBe(5);
  expect(load.bytes).toBeLessThan(16_000);
  expect(load.script).toBeLessThan(2_200);
});

test("the editor weighs at most 36 kB with a post of 900 words, in five requests", async () => {
  const weights: number[] = [];
  for (let round = 0; round < 8; round++) {
    const load = await loadOf(`/write/${crypto.randomUUID()}?post=1`, { cookie });
    expect(load.requests).toBe(5);
    weights.push(load.bytes);
  }
  // Its random keys compress differently each time: 20 bytes more in one load of 40.
  expect(Math.min(...weights)).toBeLessThan(36_000);
});

test("the style sheet is kept for a year under a name that its content makes", async () => {
  const html = await (await app.request("/sign-in")).text();
  const url = /href="(\/assets\/[^"]+\.css)"/.exec(html)?.[1] ?? "";
  const response = await app.request(url);
  expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
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

test("the manifest names an SVG, pictures of two sizes and one to be cut, each of its size and small", async () => {
  const { icons } = (await (await app.request("/manifest.webmanifest")).json()) as {
    icons: { src: string; type: string; sizes: string; purpose: string }[];
  };
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    "any any",
    "192x192 any",
    "512x512 any",
    "512x512 maskable",
  ]);
  const pictures = icons.filter(({ type }) => type === "image/png");
  for (const { src, sizes } of [...pictures, { src: "/apple-touch-icon.png", sizes: "180x180" }]) {
    const response = await app.request(src);
    expect([src, response.status, response.headers.get("content-type")]).toEqual([src, 200, "image/png"]);
    const png = Buffer.from(await response.arrayBuffer());
    // The width and the height in a PNG's first chunk.
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    expect(png.length).toBeLessThan(16_500);
  }
  const favicon = await app.request("/favicon.ico");
  expect(favicon.headers.get("content-type")).toBe("image/vnd.microsoft.icon");
  expect([...new Uint8Array(await favicon.arrayBuffer()).slice(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
});

test("a page with a notice is not cached", async () => {
  const response = await app.request("/archive", { headers: { cookie: "commonplace_notice=signed-out" } });
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  expect(response.headers.get("set-cookie")).toStartWith("commonplace_notice=; Max-Age=0");
  expect(await response.text()).toContain("You are signed out.");
});

test("the start loads neither the renderer of posts, nor writers of feeds, nor readers of files", () => {
  const source = (file: string) =>
    JSON.stringify(Bun.fileURLToPath(import.meta.resolve(`../../src/${file}`)));
  const script = `
    const { createRoutes } = await import(${source("app/app.ts")});
    const { readConfig } = await import(${source("config/read-config.ts")});
    createRoutes({ config: readConfig({}), database: {} });
    console.log(Object.keys(require.cache).join("\\n"))`;
  const { stdout } = Bun.spawnSync([process.execPath, "--no-env-file", "-e", script]);
  const packages = [...stdout.toString().matchAll(/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g)].map(
    ([, name]) => name,
  );
  expect(packages).toContain("preact");
  const heavy = [
    "markdown-it",
    "sanitize-html",
    "highlight.js",
    "feedsmith",
    "csv-parse",
    "@streamparser/json",
    "yauzl",
  ];
  expect(heavy.filter((name) => packages.includes(name))).toEqual([]);
});
