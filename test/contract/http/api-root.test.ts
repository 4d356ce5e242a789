import { expect, test } from "bun:test";
import { sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";

const ROOT = "/api/";

describeContract("GET /api/", (service) => {
  test("lists the resources below it, each with its absolute URL", async () => {
    const response = await service.send(ROOT);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({
      posts: `${service.url}/api/posts/`,
      drafts: `${service.url}/api/drafts/`,
      comments: `${service.url}/api/comments/`,
      session: `${service.url}/api/session/`,
    });
  });

  test("links only to resources with GET", async () => {
    const resources = (await (await service.send(ROOT)).json()) as Record<string, string>;
    for (const url of Object.values(resources)) {
      const response = await fetch(url);
      await response.body?.cancel();
      expect(response.status).toBeOneOf([200, 401]);
    }
  });

  test("builds its links from PUBLIC_URL where that is set", async () => {
    const { request } = await service.startApp({ PUBLIC_URL: "https://links.example.com" });
    const body = await (await request(ROOT, { headers: { host: "links.example.com" } })).json();
    expect(body).toMatchObject({ posts: "https://links.example.com/api/posts/" });
  });

  test("leaves out the posts where that service is off", async () => {
    const { request } = await service.startApp({ SERVICES: "bookmarks" });
    const resources = (await (await request(ROOT)).json()) as Record<string, string>;
    expect(Object.keys(resources)).toContain("session");
    expect(Object.keys(resources)).not.toContain("posts");
  });

  test("has a strong ETag, answers 304 to it, and redirects the other slash", async () => {
    const etag = (await service.send(ROOT)).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    const again = await service.send(ROOT, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    const other = await sendTo(service.url)("/api");
    expect([other.status, other.headers.get("location")]).toEqual([308, ROOT]);
  });
});
