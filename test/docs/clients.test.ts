import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchUtils } from "ra-core";
import drfProvider from "ra-data-drf";
import type { BookmarkResponse } from "../../src/bookmarks/bookmark.ts";
import type { PostResponse } from "../../src/posts/post.ts";
import { type BlogServer, credentials, startBlogServer } from "../clients/blog-server.ts";
import { temporaryFolder } from "../support/server/server.ts";

const page = readFileSync(join(import.meta.dir, "../../docs/clients.md"), "utf8");

interface Init extends RequestInit {
  readonly json?: unknown;
}
type Call = (path: string, init?: Init) => Promise<Response>;

interface Highlight {
  readonly field: string;
  readonly start: number;
  readonly end: number;
}

/** What the page defines. */
interface Functions {
  readonly call: Call;
  bookmarks(): AsyncGenerator<BookmarkResponse>;
  change<T>(path: string, edit: (record: T) => Partial<T>): Promise<T>;
  search(
    q: string,
    page?: string,
  ): Promise<{
    matches: number;
    next?: string;
    results: { bookmark: BookmarkResponse; highlights: Highlight[] }[];
  }>;
  marked(text: string, highlights: readonly Highlight[]): [string, boolean][];
  create<T>(path: string, json: unknown): Promise<T>;
  signedIn(username: string, password: string): Promise<Call>;
  dataProvider(provider: unknown, fetchJson: unknown, token: string): ReturnType<typeof drfProvider>;
}

const folder = temporaryFolder();
let server: BlogServer;
let client: Functions;

beforeAll(async () => {
  server = await startBlogServer();
  const blocks = [...page.matchAll(/^```js\n(.*?)^```/gms)].map(([, block = ""]) => block);
  const names = ["call", "bookmarks", "search", "marked", "change", "create", "signedIn", "dataProvider"];
  const file = folder.file("clients.js");
  writeFileSync(
    file,
    `const base = "${server.url}";\n${blocks.join("\n")}\nexport { ${names.join(", ")} };\n`,
  );
  client = await import(file);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const draft = { title: "Bun", url: "https://bun.sh/" };

test("a failing call throws the detail of the problem document", async () => {
  const failing = client.call("/bookmarks/", { method: "POST", json: { title: 1, url: "ftp://x" } });
  const error = await failing.then(
    () => undefined,
    (error) => error,
  );
  expect(error).toBeInstanceOf(Error);
  expect(error.status).toBe(422);
  expect(error.errors.map(({ code }: { code: string }) => code)).toEqual(["wrong_type", "url_scheme"]);
});

test("all bookmarks are read, page by page", async () => {
  for (let count = 0; count < 203; count++) await client.create("/bookmarks/", draft);
  const ids: number[] = [];
  for await (const { id } of client.bookmarks()) ids.push(id);
  expect(ids).toEqual(Array.from({ length: 203 }, (_, index) => 203 - index));
});

test("a search has pages, marks what matches, and points at an error", async () => {
  for (const title of ["😀 Deep river", "River 𝒜 deep"])
    await client.create("/bookmarks/", { ...draft, title });
  const found = await client.search("riv* deep");
  const titles = found.results.map(({ bookmark, highlights }) =>
    client.marked(
      bookmark.title,
      highlights.filter(({ field }) => field === "title"),
    ),
  );
  expect(titles).toEqual([
    [
      ["River", true],
      [" 𝒜 ", false],
      ["deep", true],
    ],
    [
      ["😀 ", false],
      ["Deep", true],
      [" ", false],
      ["river", true],
    ],
  ]);
  expect(found.next).toBeUndefined();
  const page = await client.search("river", "/bookmarks/search?limit=1&q=river");
  const last = await client.search("river", page.next);
  expect([...page.results, ...last.results].map(({ bookmark }) => bookmark.title)).toEqual([
    "River 𝒜 deep",
    "😀 Deep river",
  ]);
  const error = await client.search('😀 "deep').catch((error) => error);
  expect(error.errors).toMatchObject([{ parameter: "q", code: "unclosed_quote", position: 2 }]);
});

test("simultaneous changes all take effect", async () => {
  const { id } = await client.create<BookmarkResponse>("/bookmarks/", draft);
  const add = () =>
    client.change<BookmarkResponse>(`/bookmarks/${id}`, ({ description }) => ({
      description: `${description}x`,
    }));
  await Promise.all(Array.from({ length: 10 }, add));
  const response = await client.call(`/bookmarks/${id}`);
  expect(await response.json()).toMatchObject({ description: "x".repeat(10) });
});

test("a change ends where something on the way makes every tag a wrong one", async () => {
  const { id } = await client.create<BookmarkResponse>("/bookmarks/", draft);
  const { fetch } = globalThis;
  let requests = 0;
  globalThis.fetch = Object.assign(
    async (...words: Parameters<typeof fetch>) => {
      if (++requests > 10) throw new Error("It does not end.");
      const response = await fetch(...words);
      response.headers.set("etag", '"of-the-proxy"');
      return response;
    },
    { preconnect: fetch.preconnect },
  );
  try {
    const changing = client.change<BookmarkResponse>(`/bookmarks/${id}`, () => ({ title: "New" }));
    await expect(changing).rejects.toMatchObject({ status: 412 });
  } finally {
    globalThis.fetch = fetch;
  }
});

test("a repeated creation after a lost response creates one record", async () => {
  const { fetch } = globalThis;
  let lost = 0;
  globalThis.fetch = Object.assign(
    async (...words: Parameters<typeof fetch>) => {
      const response = await fetch(...words);
      if (lost++ === 0) throw new TypeError("The connection broke.");
      return response;
    },
    { preconnect: fetch.preconnect },
  );
  try {
    const { id } = await client.create<BookmarkResponse>("/bookmarks/", { ...draft, title: "Once" });
    const [newest, before] = await Array.fromAsync(client.bookmarks());
    expect([newest?.id, newest?.title, before?.title]).toEqual([id, "Once", "Bun"]);
    expect(lost).toBeGreaterThan(1);
  } finally {
    globalThis.fetch = fetch;
  }
});

test("a signed-in person publishes, by hand and with react-admin", async () => {
  const json = { title: "First light", content: "Hello.", published: true };
  await expect(client.call("/api/posts/", { method: "POST", json })).rejects.toMatchObject({ status: 401 });
  const editor = await client.signedIn(credentials.username, credentials.password);
  const { id } = (await (await editor("/api/posts/", { method: "POST", json })).json()) as PostResponse;

  const response = await client.call("/api/token/", { method: "POST", json: credentials });
  const { token } = (await response.json()) as { token: string };
  const provider = client.dataProvider(drfProvider, fetchUtils.fetchJson, token);
  expect((await provider<PostResponse>("GET_ONE", "posts", { id })).data).toMatchObject(json);
  await provider("DELETE", "posts", { id });
  await expect(client.call(`/api/posts/${id}/`)).rejects.toMatchObject({ status: 404 });
});
