import { expect, test } from "bun:test";
import { newContentKey } from "../../../src/accounts/content-keys/content-key.ts";
import { createKey } from "../../../src/accounts/keys.ts";
import {
  disableAccount,
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

const POSTS = "/ghost/api/content/posts/";

describeApp("Content keys", (service) => {
  const start = async (settings: Record<string, string> = {}) => {
    const app = await service.startApp(settings);
    const ada = await makeAccount(app.database, "ada");
    const key = newContentKey();
    await app.database.write((sql) =>
      createKey(sql, "website", ada.id, { name: "site", secret: key }, new Date()),
    );
    const send = withToken(app.request, await makeToken(app.database, ada));
    return { ...app, ada, key, send };
  };

  test("open Ghost's Content API, as a parameter, and nothing else", async () => {
    const { request, key } = await start({ POSTS_ACCESS: "private" });
    expect((await request(`${POSTS}?key=${key}`)).status).toBe(200);
    const without = await request(POSTS);
    expect([without.status, await without.json()]).toMatchObject([
      403,
      { errors: [{ type: "NoPermissionError" }] },
    ]);
    for (const wrong of [newContentKey(), key.slice(1), key.toUpperCase(), `${key}0`])
      expect([wrong, (await request(`${POSTS}?key=${wrong}`)).status]).toEqual([wrong, 401]);
    for (const scheme of ["Token", "Bearer"])
      for (const path of [POSTS, "/api/posts/", "/api/drafts/", "/api/session/"])
        expect((await request(path, { headers: { authorization: `${scheme} ${key}` } })).status).toBeOneOf([
          401, 403,
        ]);
    expect((await request(`/api/posts/?key=${key}`)).status).toBe(401);
    expect((await request(POSTS, { headers: { "x-key": key } })).status).toBe(403);
  });

  test("show published posts only, and what is published later at once", async () => {
    const { request, send, key } = await start();
    const titles = async () => {
      const response = await request(`${POSTS}?key=${key}`);
      return ((await response.json()) as { posts: { title: string }[] }).posts.map(({ title }) => title);
    };
    const draft = await send("/api/drafts/", { method: "POST", json: { title: "Draft", content: "…" } });
    const { id } = (await draft.json()) as { id: number };
    expect(await titles()).toEqual([]);
    expect((await request(`${POSTS}${id}/?key=${key}`)).status).toBe(404);
    await send(`/api/drafts/${id}/`, { method: "PATCH", json: { published: true } });
    expect(await titles()).toEqual(["Draft"]);
    await send(`/api/posts/${id}/`, { method: "PATCH", json: { published: false } });
    expect(await titles()).toEqual([]);
  });

  test("allow caching with revalidation", async () => {
    const { request, send, key } = await start();
    const first = await request(`${POSTS}?key=${key}`);
    const etag = first.headers.get("etag") ?? "";
    expect(first.headers.get("cache-control")).toBe("no-cache, no-transform");
    expect(first.headers.get("content-version")).toBe("v6.0");
    const ask = () => request(`${POSTS}?key=${key}`, { headers: { "if-none-match": etag } });
    expect((await ask()).status).toBe(304);
    await send("/api/posts/", { method: "POST", json: { title: "New", content: "", published: true } });
    expect((await ask()).status).toBe(200);
  });

  test("work in pages of any origin, which get no credentials", async () => {
    const { request, key } = await start();
    const headers = { origin: "https://any.example" };
    const response = await request(`${POSTS}?key=${key}`, { headers });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    expect((await request("/api/posts/", { headers })).headers.has("access-control-allow-origin")).toBe(
      false,
    );
    const preflight = await request(POSTS, {
      method: "OPTIONS",
      headers: {
        ...headers,
        "access-control-request-method": "GET",
        "access-control-request-headers": "accept-version",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("accept-version");
  });

  test("let pages read that a resource of Ghost is not served here", async () => {
    const { request, key } = await start();
    const headers = { origin: "https://any.example" };
    for (const path of ["/ghost/api/content/offers/", "/ghost/api/content/nothing/1/"]) {
      const preflight = await request(path, {
        method: "OPTIONS",
        headers: { ...headers, "access-control-request-method": "GET" },
      });
      expect(preflight.status).toBe(204);
      const response = await request(`${path}?key=${key}`, { headers });
      expect(response.status).toBe(404);
      for (const read of [preflight, response])
        expect(read.headers.get("access-control-allow-origin")).toBe("*");
    }
    for (const path of ["/ghost/nothing", "/linkding/api/nothing/"])
      expect((await request(path, { headers })).headers.has("access-control-allow-origin")).toBe(false);
  });

  test("find nothing under a text with a NUL, on each engine", async () => {
    const { request, key } = await start();
    for (const path of [`${POSTS}slug/a%00b/`, "/ghost/api/content/tags/slug/%00/"])
      expect((await request(`${path}?key=${key}`)).status).toBe(404);
    for (const filter of ["slug:'a%00'", "title:[a,'%00']"])
      expect((await request(`${POSTS}?key=${key}&filter=${filter}`)).status).toBe(400);
  });

  test("end with their account", async () => {
    const { request, database, ada, key } = await start();
    await disableAccount(database, ada);
    expect((await request(`${POSTS}?key=${key}`)).status).toBe(401);
  });

  test("are made on the page of keys, shown once, and revoked there", async () => {
    const { request, database, ada } = await start();
    const page = withHeaders(request, { cookie: await makeSession(database, ada) });
    const made = await submit(page, "/keys/websites", { website: "My <site>" });
    expect(made.headers.get("cache-control")).toBe("private, no-store");
    const [, key = ""] = /class="once">([0-9a-f]{26})</.exec(await made.text()) ?? [];
    expect((await request(`${POSTS}?key=${key}`)).status).toBe(200);
    const listed = await (await page("/keys")).text();
    expect(listed).toContain("My &lt;site");
    expect(listed).not.toContain(key);
    const [, id = ""] = /action="\/keys\/websites\/end">.*?value="(\d+)"/.exec(listed) ?? [];
    const bob = await makeAccount(database, "bob");
    const other = withHeaders(request, { cookie: await makeSession(database, bob) });
    await submit(other, "/keys/websites/end", { key: id });
    expect((await request(`${POSTS}?key=${key}`)).status).toBe(200);
    expect((await submit(page, "/keys/websites/end", { key: id })).status).toBe(303);
    expect((await request(`${POSTS}?key=${key}`)).status).toBe(401);
    const empty = await submit(page, "/keys/websites", { website: "" });
    expect(empty.status).toBe(422);
  });

  test("give access to nothing when PROTOCOLS leaves the API out", async () => {
    const { request, key, database, ada } = await start({ PROTOCOLS: "linkding" });
    expect((await request(`${POSTS}?key=${key}`)).status).toBe(404);
    const page = withHeaders(request, { cookie: await makeSession(database, ada) });
    expect(await (await page("/keys")).text()).not.toContain("/keys/websites");
  });
});
