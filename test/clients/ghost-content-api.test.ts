import { beforeAll, expect, test } from "bun:test";
import GhostContentAPI from "@tryghost/content-api";
import { newContentKey } from "../../src/accounts/content-keys/content-key.ts";
import { createKey } from "../../src/accounts/keys.ts";
import type { PostResponse } from "../../src/posts/post.ts";
import { openBeside } from "../support/databases/database.ts";
import { makeAccount, makeToken, withToken } from "../support/records/accounts.ts";
import { describeContract } from "../support/server/contract.ts";

/** The client as it is in the registry, with the address of a server and a content key. */
describeContract("@tryghost/content-api", (service) => {
  let api: ReturnType<typeof GhostContentAPI>;
  let key: string;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    const database = await openBeside(service.databaseUrl);
    const ada = await makeAccount(database, "Ada");
    key = newContentKey();
    await database.write((sql) =>
      createKey(sql, "website", ada.id, { name: "test", secret: key }, new Date()),
    );
    const send = withToken(service.send, await makeToken(database, ada));
    await database.close();
    const publish = async (title: string, content: string, publication: Record<string, unknown> = {}) => {
      const made = await send("/api/posts/", { method: "POST", json: { title, content, published: true } });
      const { id } = (await made.json()) as PostResponse;
      const path = `/api/posts/${id}/publication/`;
      expect((await send(path, { method: "PATCH", json: publication })).status).toBe(200);
      ids[title] = id;
    };
    await publish("First light", "It *began* early.\n\n[A link](/archive)", {
      tags: ["Notebooks", "dev/web"],
      published_at: "2026-01-01T10:00:00Z",
    });
    await publish("Second wind", "More.", {
      tags: ["Notebooks"],
      summary: "A short one.",
      published_at: "2026-02-01T10:00:00Z",
    });
    await publish("A table", "See.", {
      kind: "link",
      link: "https://tables.example/a?b&c",
      published_at: "2026-03-01T10:00:00Z",
    });
    await publish("About", "Me.", { kind: "page" });
    await send("/api/drafts/", { method: "POST", json: { title: "Secret", content: "Not yet." } });
    api = new GhostContentAPI({ url: service.url, key, version: "v6.0" });
  });

  const slugs = async (options: Record<string, unknown>) =>
    (await api.posts.browse({ fields: ["slug"], ...options })).map(({ slug }) => slug);

  test("browses the published posts, newest first, with Ghost's pagination", async () => {
    const posts = await api.posts.browse({ limit: 2 });
    expect(posts.map(({ slug }) => slug)).toEqual(["a-table", "second-wind"]);
    expect(posts.meta.pagination).toEqual({ page: 1, limit: 2, pages: 2, total: 3, next: 2, prev: null });
    const last = await api.posts.browse({ limit: 2, page: 2 });
    expect(last.map(({ slug }) => slug)).toEqual(["first-light"]);
    expect(last.meta.pagination).toEqual({ page: 2, limit: 2, pages: 2, total: 3, next: null, prev: 1 });
    expect((await api.posts.browse({ limit: "all" })).meta.pagination).toMatchObject({
      limit: 100,
      total: 3,
    });
    expect(posts[0]?.html).toStartWith(
      '<p><a href="https://tables.example/a?b&amp;c">tables.example</a></p>',
    );
    expect(posts[0]).not.toHaveProperty("tags");
  });

  test("reads a post by its slug and by its id", async () => {
    const post = await api.posts.read({ slug: "first-light" }, { formats: ["html", "plaintext"] });
    expect(post).toMatchObject({
      id: String(ids["First light"]),
      comment_id: String(ids["First light"]),
      uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/),
      title: "First light",
      html: `<p>It <em>began</em> early.</p>\n<p><a href="${service.url}/archive">A link</a></p>\n`,
      plaintext: "It began early.\n\nA link",
      excerpt: "It began early. A link",
      reading_time: 1,
      featured: false,
      visibility: "public",
      published_at: "2026-01-01T10:00:00.000+00:00",
      url: `${service.url}/posts/first-light`,
    });
    expect(await api.posts.read({ id: String(ids["Second wind"]) })).toMatchObject({
      slug: "second-wind",
      excerpt: "A short one.",
      custom_excerpt: "A short one.",
    });
  });

  test.each(["v2", "v3", "v4", "canary", "v5.0"])("reads as a client of %s", async (version) => {
    const earlier = new GhostContentAPI({ url: service.url, key, version });
    expect((await earlier.posts.browse({ limit: 1, fields: ["slug"] })).map(({ slug }) => slug)).toEqual([
      "a-table",
    ]);
    expect(await earlier.posts.read({ slug: "first-light" })).toMatchObject({ title: "First light" });
  });

  test("leads the paths of earlier versions to the present one, for pages of any origin", async () => {
    const headers = { origin: "https://front.example" };
    const moved = await service.send("/ghost/api/v4/content/posts/slug/a-table/?key=1&fields=id", {
      headers,
    });
    expect([
      moved.status,
      moved.headers.get("location"),
      moved.headers.get("access-control-allow-origin"),
    ]).toEqual([307, "/ghost/api/content/posts/slug/a-table/?key=1&fields=id", "*"]);
    const preflight = { method: "OPTIONS", headers: { ...headers, "access-control-request-method": "GET" } };
    expect((await service.send("/ghost/api/v4/content/posts/", preflight)).status).toBe(204);
  });

  test("refuses in Ghost's format, whatever is asked", async () => {
    const refusals: [status: number, type: string, path: string, init?: RequestInit][] = [
      [403, "NoPermissionError", "/ghost/api/content/posts/"],
      [401, "UnauthorizedError", "/ghost/api/content/posts/?key=0"],
      [404, "NotFoundError", "/ghost/api/content/offers/"],
      [404, "NotFoundError", "/ghost/api/admin/posts/"],
      [404, "NotFoundError", "/ghost/api/v4/admin/posts/"],
      [404, "NotFoundError", "/ghost/api/latest/content/posts/"],
      [405, "MethodNotAllowedError", "/ghost/api/content/posts/", { method: "POST" }],
      [404, "NotFoundError", "/ghost/api/admin/session/", { method: "POST" }],
    ];
    for (const [status, type, path, init] of refusals) {
      const response = await service.send(path, init);
      expect([path, response.status, await response.json()]).toEqual([
        path,
        status,
        { errors: [expect.objectContaining({ type, message: expect.any(String) })] },
      ]);
    }
  });

  test("selects members", async () => {
    const [post] = await api.posts.browse({ limit: 1, fields: ["title", "url"] });
    expect<unknown>(post).toEqual({ title: "A table", url: `${service.url}/posts/a-table` });
  });

  test("includes tags and authors", async () => {
    const post = await api.posts.read({ slug: "first-light" }, { include: ["tags", "authors"] });
    expect(post.tags?.map(({ name, slug }) => [name, slug])).toEqual([
      ["Notebooks", "notebooks"],
      ["dev/web", "dev-web"],
    ]);
    expect(post.primary_tag?.slug).toBe("notebooks");
    expect(post.authors).toMatchObject([{ name: "Ada", slug: "ada" }]);
    expect(post.primary_author?.slug).toBe("ada");
  });

  test("filters", async () => {
    for (const [filter, found] of [
      ["tag:notebooks", ["second-wind", "first-light"]],
      ["tag:dev-web", ["first-light"]],
      ["tag:[dev-web,nothing]", ["first-light"]],
      ["tag:-notebooks", ["a-table"]],
      ["primary_tag:dev-web", []],
      ["slug:-a-table", ["second-wind", "first-light"]],
      [`id:-${ids["A table"]}+tag:notebooks`, ["second-wind", "first-light"]],
      ["featured:true", []],
      ["featured:false+visibility:public", ["a-table", "second-wind", "first-light"]],
      ["author:ada", ["a-table", "second-wind", "first-light"]],
      ["author:[bob]", []],
      ["published_at:>'2026-01-15'", ["a-table", "second-wind"]],
      ["published_at:<=2026-02-01T10:00:00Z+published_at:>'2026-01-01 10:00:00'", ["second-wind"]],
      ["published_at:>now-1h", []],
      ["(tag:dev-web,slug:a-table)+slug:-first-light", ["a-table"]],
      ["custom_excerpt:-null", ["second-wind"]],
      ["title:'A table'", ["a-table"]],
    ] as const)
      expect([filter, await slugs({ filter })]).toEqual([filter, [...found]]);
    expect(await slugs({ order: "title ASC, published_at desc" })).toEqual([
      "a-table",
      "first-light",
      "second-wind",
    ]);
  });

  test("refuses an unknown filter or order, with its position", async () => {
    for (const [options, context] of [
      [{ filter: "colour:red" }, "for the field colour. At character 1."],
      [{ filter: "tag:notebooks+" }, "At character 15."],
      [{ filter: "tag:[a,b" }, "At character 9."],
      [{ filter: "title:'open" }, "At character 7."],
      [{ filter: "title:~'tab'" }, "At character 7."],
      [{ filter: "published_at:>soon" }, "At character 1."],
      [{ filter: "tag:>a" }, "At character 1."],
      [{ order: "colour desc" }, "cannot be ordered by colour"],
      [{ order: "title; drop table posts" }, "is not a sort order"],
      [{ limit: "many" }, "A number from 1"],
      [{ page: 0 }, "A number from 1"],
    ] as const) {
      const error = await api.posts.browse(options).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect([options, error]).toMatchObject([
        options,
        { name: "BadRequestError", message: expect.stringContaining(context) },
      ]);
    }
  });

  test("lists tags and authors with their counts, and finds them", async () => {
    const tags = await api.tags.browse({ include: ["count.posts"], order: "count.posts desc" });
    expect(tags.map(({ slug, count }) => [slug, count?.posts])).toEqual([
      ["notebooks", 2],
      ["dev-web", 1],
    ]);
    expect(tags.meta.pagination.total).toBe(2);
    expect(await api.tags.read({ slug: "dev-web" })).toMatchObject({ name: "dev/web", visibility: "public" });
    expect((await api.tags.browse({ filter: "slug:-notebooks" })).map(({ name }) => name)).toEqual([
      "dev/web",
    ]);
    const authors = await api.authors.browse({ include: ["count.posts"] });
    expect([...authors]).toMatchObject([{ name: "Ada", slug: "ada", count: { posts: 3 } }]);
    expect(await api.authors.read({ slug: "ada" })).toMatchObject({ name: "Ada" });
  });

  test("reads pages, settings and no tiers", async () => {
    expect((await api.pages.browse()).map(({ slug, url }) => [slug, url])).toEqual([
      ["about", `${service.url}/about`],
    ]);
    expect(await api.pages.read({ slug: "about" })).toMatchObject({ html: "<p>Me.</p>\n" });
    const settings = await api.settings.browse();
    expect(settings).toMatchObject({ title: "Commonplace", lang: "en", timezone: "UTC" });
    // Websites of other origins show it.
    const icon = await fetch(String(settings.icon));
    expect(icon.status).toBe(200);
    expect(icon.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect([...(await api.tiers.browse())]).toEqual([]);
  });

  test("throws typed errors", async () => {
    for (const read of [
      () => api.posts.read({ slug: "nothing" }),
      () => api.posts.read({ slug: "about" }),
      () => api.posts.read({ id: "0" }),
      () => api.pages.read({ slug: "first-light" }),
      () => api.tags.read({ slug: "nothing" }),
      () => api.authors.read({ slug: "nobody" }),
    ])
      expect(await read().catch((error: unknown) => error)).toMatchObject({ name: "NotFoundError" });
    const other = new GhostContentAPI({ url: service.url, key: newContentKey(), version: "v6.0" });
    expect(await other.posts.browse().catch((error: unknown) => error)).toMatchObject({
      name: "UnauthorizedError",
      code: "UNKNOWN_CONTENT_API_KEY",
    });
  });
});
