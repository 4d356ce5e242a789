import { beforeAll, describe, expect, test } from "bun:test";
import {
  type Blog,
  COMMENTS,
  createComment,
  createPost,
  DRAFTS,
  describeBlog,
  POSTS,
  pathOf,
  readPage,
  storePosts,
} from "../../support/records/blog.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";

const PROXY = "127.0.0.1";
const FORWARDED = { "x-forwarded-host": "blog.example", "x-forwarded-proto": "https" };

async function fill({ database }: Blog): Promise<void> {
  const posts = Array.from({ length: 3 }, (_, index) => ({ createdAt: new Date(index * 1000) }));
  await storePosts(database, [
    ...posts,
    ...posts.map((post) => ({ ...post, collection: "drafts" as const })),
  ]);
}

/** The links of the middle one of three pages. */
async function linksOf(blog: Blog, headers: Readonly<Record<string, string>>, base = POSTS) {
  const response = await blog.editor(`${base}?page=2&page_size=1`, { headers });
  expect(response.status).toBe(200);
  const { next, previous } = (await response.json()) as { next: string; previous: string };
  return { next, previous };
}

const linksFrom = (origin: string, base = POSTS) => ({
  next: `${origin}${base}?page=3&page_size=1`,
  previous: `${origin}${base}?page=1&page_size=1`,
});

describeBlog("The links of a page", (suite) => {
  beforeAll(() => fill(suite));

  test("keep the query with unknown parameters, except for the page", async () => {
    const query = "ordering=-title&a=%2B%26%3D%20%C3%A9&page=2&b=1&page_size=1&b=2&c";
    const { next, previous } = await readPage(suite.anyone, `${POSTS}?${query}`);
    for (const [link, page] of [
      [next, "3"],
      [previous, "1"],
    ] as const) {
      const url = new URL(link ?? "");
      expect(url.origin + url.pathname).toBe(`http://localhost${POSTS}`);
      const expected = new URLSearchParams(query);
      expected.set("page", page);
      for (const parameters of [url.searchParams, expected]) parameters.sort();
      expect(url.searchParams.toString()).toBe(expected.toString());
    }
  });

  test("of the last page go by number, not by its name", async () => {
    const { next, previous } = await readPage(suite.anyone, `${POSTS}?page=last&page_size=1`);
    expect(next).toBeNull();
    expect(previous).toBe(`http://localhost${POSTS}?page=2&page_size=1`);
  });

  for (const base of [POSTS, DRAFTS]) {
    test(`of ${base} are built from the requested host, with its port`, async () => {
      for (const host of ["localhost", "localhost:8000", "127.0.0.1:81", "[::1]:8000", "blog.localhost"])
        expect(await linksOf(suite, { host }, base)).toEqual(linksFrom(`http://${host}`, base));
    });
  }

  test("are built from PUBLIC_URL when it is set, whatever the Host header and the proxy's headers", async () => {
    for (const TRUSTED_PROXIES of ["", PROXY]) {
      const blog = suite.servedWith({
        PUBLIC_URL: "https://public.example",
        TRUSTED_PROXIES,
        ALLOWED_HOSTS: "blog.example",
      });
      for (const headers of [{}, { host: "localhost:8000" }, { host: "public.example" }, FORWARDED])
        expect(await linksOf(blog, headers)).toEqual(linksFrom("https://public.example"));
    }
  });

  test("are built from the headers of a proxy that is trusted", async () => {
    const blog = suite.servedWith({
      TRUSTED_PROXIES: `10.0.0.0/8,${PROXY}`,
      ALLOWED_HOSTS: "*.example",
    });
    expect(await linksOf(blog, FORWARDED)).toEqual(linksFrom("https://blog.example"));
    expect(await linksOf(blog, { "x-forwarded-proto": "https" })).toEqual(linksFrom("https://localhost"));
    expect(await linksOf(blog, { "x-forwarded-proto": "http" })).toEqual(linksFrom("http://localhost"));
    const port = { "x-forwarded-host": "blog.example:8443" };
    expect(await linksOf(blog, port)).toEqual(linksFrom("http://blog.example:8443"));
    expect(await linksOf(blog, {})).toEqual(linksFrom("http://localhost"));
  });

  test("are built from the last value when several proxies have added to a header", async () => {
    const blog = suite.servedWith({ TRUSTED_PROXIES: PROXY, ALLOWED_HOSTS: "*" });
    const headers = { "x-forwarded-host": "evil.example, blog.example", "x-forwarded-proto": "http, https" };
    expect(await linksOf(blog, headers)).toEqual(linksFrom("https://blog.example"));
  });

  test("are never built from the headers of a proxy that is not trusted", async () => {
    for (const TRUSTED_PROXIES of ["", "10.0.0.1", "127.0.0.2/32"]) {
      const blog = suite.servedWith({ TRUSTED_PROXIES, ALLOWED_HOSTS: "*" });
      expect(await linksOf(blog, FORWARDED)).toEqual(linksFrom("http://localhost"));
    }
  });

  test("are never built from a host that the server refuses, not even from a trusted proxy", async () => {
    const blog = suite.servedWith({ TRUSTED_PROXIES: PROXY });
    for (const headers of [{ host: "evil.example" }, { "x-forwarded-host": "evil.example" }])
      await expectProblem(await blog.anyone(POSTS, { headers }), 421);
    for (const headers of [{ host: "local host" }, { "x-forwarded-host": "localhost/evil" }])
      await expectProblem(await blog.anyone(POSTS, { headers }), 400);
  });

  test("are those of each client, even for a cached page", async () => {
    const blog = suite.servedWith({ TRUSTED_PROXIES: PROXY, ALLOWED_HOSTS: "*" });
    for (let round = 0; round < 3; round++) {
      for (const host of ["one.example", "two.example"])
        expect(await linksOf(blog, { host })).toEqual(linksFrom(`http://${host}`));
      expect(await linksOf(blog, FORWARDED)).toEqual(linksFrom("https://blog.example"));
    }
  });

  describe("behind a trusted proxy that determines their host, change the entity tag of", () => {
    const trusting = { TRUSTED_PROXIES: PROXY, ALLOWED_HOSTS: "*", BOOKMARKS_ACCESS: "open" };
    const lists: Readonly<Record<string, () => Promise<string>>> = {
      posts: async () => `${POSTS}?page_size=1`,
      drafts: async () => `${DRAFTS}?page_size=1`,
      "posts that match": async () => `${POSTS}?page_size=1&search=post`,
      "a post's comments": async () => {
        const post = await createPost(suite.editor);
        for (let count = 0; count < 2; count++) await createComment(suite.editor, post);
        return `${pathOf(post)}comments/?page_size=1`;
      },
      "comments by status": async () => `${COMMENTS}?status=shown&page_size=1`,
      bookmarks: async () => {
        for (const title of ["One", "Two"]) {
          const json = { title, url: "https://example.com/" };
          expect((await suite.editor("/bookmarks/", { method: "POST", json })).status).toBe(201);
        }
        return "/bookmarks/?limit=1";
      },
      "bookmarks that match": async () => "/bookmarks/?limit=1&q=example",
      "the root": async () => "/api/",
      "the feed": async () => "/feed.atom",
      robots: async () => "/robots.txt",
    };
    for (const [name, pathTo] of Object.entries(lists))
      test(name, async () => {
        const path = await pathTo();
        const behindProxy = suite.servedWith(trusting).editor;
        const pinned = suite.servedWith({ ...trusting, PUBLIC_URL: "https://public.example" }).editor;
        const read = async (send: Send, host: string, tag = "") => {
          const headers = { "x-forwarded-host": host, "if-none-match": tag };
          const response = await send(path, { headers });
          const { status } = response;
          const bytes = (await response.text()) + response.headers.get("link");
          return { status, bytes, etag: response.headers.get("etag") ?? "" };
        };
        const one = await read(behindProxy, "one.example");
        const two = await read(behindProxy, "two.example", one.etag);
        expect([one.status, two.status]).toEqual([200, 200]);
        expect(one.bytes).toContain("//one.example/");
        expect(two.bytes).toContain("//two.example/");
        expect(one.etag).toStartWith('"');
        expect(two.etag).not.toBe(one.etag);
        expect((await read(behindProxy, "one.example", one.etag)).status).toBe(304);
        const three = await read(pinned, "one.example");
        expect(three.bytes).toContain("//public.example/");
        expect((await read(pinned, "two.example", three.etag)).status).toBe(304);
      });
  });
});
