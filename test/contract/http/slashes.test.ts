import { describe, expect, test } from "bun:test";
import { create, draft, pathOf, read } from "../../support/records/bookmarks.ts";
import { exchange, fieldOf } from "../../support/requests/raw-http.ts";
import { describeHttp } from "../../support/server/contract.ts";

/** Targets with which a careless redirect would lead to another host. */
const HOSTILE = [
  "//evil.example",
  "//evil.example/",
  "//evil.example/bookmarks",
  "//evil.example/bookmarks/1/",
  "///evil.example/bookmarks",
  "/%2f%2fevil.example",
  "/%2f%2fevil.example/",
  "/%2fevil.example/bookmarks",
  "/bookmarks//",
  "/bookmarks///",
  "//bookmarks",
  "//bookmarks/1/",
  "/bookmarks//1/",
  "/bookmarks/%2f/",
  "/bookmarks/%2f%2fevil.example/",
  "/bookmarks/..%2f..%2f%2fevil.example/",
  "/bookmarks/../..//evil.example/",
  "/\\evil.example/",
  "/\\evil.example/bookmarks",
  "/bookmarks\\",
  "/bookmarks/%5cevil.example/",
  "/bookmarks/%0d%0aLocation:%20https:%2f%2fevil.example/",
  "/bookmarks/%00/",
  "/bookmarks/%c3/",
  "/bookmarks/%/",
  "/bookmarks/http:%2f%2fevil.example/",
  "/bookmarks?//evil.example",
  "/./bookmarks",
  "/;/bookmarks",
  "http://evil.example/bookmarks",
  "http://evil.example//evil.example/bookmarks",
];

describeHttp("The other slash form", (service) => {
  const query = "?limit=2&x=a%20b+c&empty=&%C3%A9&url=https://a.example/?b";

  for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"]) {
    test(`answers ${method} with 308 to the canonical one, query kept`, async () => {
      const fields = { "content-type": "application/json" };
      for (const [path, canonical] of [
        ["/bookmarks", "/bookmarks/"],
        ["/bookmarks/7/", "/bookmarks/7"],
        ["/bookmarks/abc/", "/bookmarks/abc"],
        ["/healthz/", "/healthz"],
        ["/openapi.json/", "/openapi.json"],
      ]) {
        const plain = await exchange(service.url, { method, target: path ?? "", fields, body: "{}" });
        expect([plain.status, fieldOf(plain, "location")]).toEqual([308, canonical]);
        expect(plain.body).toBe("");
        const queried = await exchange(service.url, { method, target: `${path}${query}`, fields });
        expect([queried.status, fieldOf(queried, "location")]).toEqual([308, `${canonical}${query}`]);
      }
    });
  }

  test("keeps the method and body of a client that follows it", async () => {
    const follow = { redirect: "follow" } as const;
    const response = await service.send("/bookmarks", { method: "POST", json: draft, ...follow });
    expect(response.status).toBe(201);
    const bookmark = await create(service.send);
    const slashed = `${pathOf(bookmark)}/`;
    expect((await service.send(slashed, { method: "PUT", json: draft, ...follow })).status).toBe(200);
    expect(
      (await service.send(slashed, { method: "PATCH", json: { title: "Patched" }, ...follow })).status,
    ).toBe(200);
    expect((await read(service.send, bookmark)).title).toBe("Patched");
    expect((await service.send(slashed, { method: "DELETE", ...follow })).status).toBe(204);
  });

  test("changes nothing by itself", async () => {
    const bookmark = await create(service.send);
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const response = await service.send(`${pathOf(bookmark)}/`, { method, json: { title: "x" } });
      expect(response.status).toBe(308);
    }
    expect(await read(service.send, bookmark)).toEqual(bookmark);
  });

  test("is never built from the Host header, nor from headers of an untrusted proxy", async () => {
    for (const fields of [
      { host: "localhost:1" },
      { host: "anything.localhost" },
      { host: "[::1]:80" },
      { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", forwarded: "host=evil.example" },
    ]) {
      const response = await exchange(service.url, { method: "GET", target: "/bookmarks", fields });
      expect([response.status, fieldOf(response, "location")]).toEqual([308, "/bookmarks/"]);
    }
  });

  describe("never leads to another host:", () => {
    for (const hostile of HOSTILE) {
      test(hostile, async () => {
        for (const method of ["GET", "POST"]) {
          const response = await exchange(service.url, { method, target: hostile });
          expect(response.status).toBeLessThan(500);
          const location = fieldOf(response, "location");
          expect(location !== undefined).toBe(response.status === 308);
          if (location === undefined) continue;
          expect(location).toMatch(/^\/(?![/\\])/);
          expect(new URL(location, service.url).origin).toBe(service.url);
        }
      });
    }

    test("nor does the Location of a new bookmark", async () => {
      const fields = { host: "anything.localhost:1", "content-type": "application/json" };
      const body = JSON.stringify(draft);
      const response = await exchange(service.url, { method: "POST", target: "/bookmarks/", fields, body });
      expect(response.status).toBe(201);
      expect(fieldOf(response, "location")).toMatch(/^\/bookmarks\/\d+$/);
    });
  });
});
