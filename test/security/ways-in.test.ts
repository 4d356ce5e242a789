import { describe, expect, test } from "bun:test";
import { openBeside } from "../support/databases/database.ts";
import { makeAccount, makeSession, makeToken } from "../support/records/accounts.ts";
import { draft } from "../support/records/bookmarks.ts";
import { exchange, RawConnection } from "../support/requests/raw-http.ts";
import { describeHttp, type Service } from "../support/server/contract.ts";

/** Ways to write the path of the drafts that a proxy in front may let through, or a router may take for them. */
const PATHS = [
  "/api/drafts/",
  "/api/drafts",
  "/api//drafts/",
  "//api/drafts/",
  "/API/drafts/",
  "/api/Drafts/",
  "/api%2fdrafts/",
  "/api/drafts%2f",
  "/api/%64rafts/",
  "/api/drafts/;x=1",
  "/api/drafts/.json",
  "/api/posts/../drafts/",
  "/api/posts/%2e%2e/drafts/",
  "/docs/..%2fapi%2fdrafts/",
  "/api/drafts/?__proto__=1",
  "/api/drafts/#/docs",
  "/api/drafts/%00",
  "http://localhost/api/drafts/",
];

describeHttp(
  "Nobody gets to what is for accounts alone",
  (service) => {
    for (const target of PATHS)
      test(`by writing its path as ${target}`, async () => {
        for (const method of ["GET", "HEAD", "POST", "DELETE"])
          expect((await exchange(service.url, { method, target })).status).toBeOneOf([
            308, 400, 401, 404, 405,
          ]);
      });

    for (const [how, fields] of Object.entries<Record<string, string>>({
      "another method in a header": { "x-http-method-override": "GET", "x-method-override": "GET" },
      "another path in a header": {
        "x-original-url": "/docs",
        "x-rewrite-url": "/docs",
        "x-forwarded-prefix": "/docs",
      },
      "another address in a header": {
        "x-forwarded-for": "127.0.0.1",
        "x-real-ip": "127.0.0.1",
        forwarded: "for=[::1]",
      },
      "a name in a header": {
        "remote-user": "editor",
        "x-forwarded-user": "editor",
        "x-auth-request-user": "editor",
      },
      "a made-up cookie": { cookie: "commonplace_session=admin; account=1; role=admin" },
      "another scheme": { authorization: "Basic ZWRpdG9yOg==" },
    }))
      test(`by ${how}`, async () => {
        for (const target of ["/api/drafts/", "/api/comments/", "/bookmarks/", "/api/session/"])
          expect((await exchange(service.url, { method: "GET", target, fields })).status).toBe(401);
      });

    test("by a token outside of its header", async () => {
      const { key } = await someone(service);
      for (const target of [`/api/drafts/?token=${key}`, `/api/drafts/?access_token=${key}`])
        expect((await exchange(service.url, { method: "GET", target })).status).toBe(401);
      const fields = { "x-api-key": key, cookie: `commonplace_session=${key}; token=${key}` };
      expect((await exchange(service.url, { method: "GET", target: "/api/drafts/", fields })).status).toBe(
        401,
      );
    });

    test("by two Authorization headers, one of which is valid", async () => {
      const { key } = await someone(service);
      for (const order of [
        [key, "wrong"],
        ["wrong", key],
        [key, key],
      ]) {
        using connection = await RawConnection.open(service.url);
        const lines = order.map((word) => `Authorization: Token ${word}\r\n`).join("");
        connection.write(`GET /api/drafts/ HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`);
        expect((await connection.answer("GET")).status).toBe(401);
      }
    });

    test("by a page of another site with a reader's cookie, with any kind of request", async () => {
      const { cookie } = await someone(service);
      const body = JSON.stringify(draft);
      for (const type of [
        "application/json",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
      ])
        for (const site of [
          { "sec-fetch-site": "cross-site" },
          { origin: "https://evil.example" },
          { origin: "null" },
        ]) {
          const fields = { cookie, "content-type": type, ...site };
          const response = await exchange(service.url, {
            method: "POST",
            target: "/bookmarks/",
            fields,
            body,
          });
          expect(response.status).toBe(403);
        }
      const fields = { cookie };
      expect((await exchange(service.url, { method: "GET", target: "/bookmarks/", fields })).body).toBe("[]");
    });
  },
  { BOOKMARKS_ACCESS: "private", POSTS_ACCESS: "private" },
);

describeHttp("A stranger finds nothing that is not described", (service) => {
  describe("at", () => {
    for (const target of [
      "/metrics",
      "/debug",
      "/administrator/",
      "/.env",
      "/.git/config",
      "/data/commonplace.db",
      "/package.json",
    ])
      test(target, async () => {
        expect((await exchange(service.url, { method: "GET", target })).status).toBe(404);
      });
  });

  test("and TRACE does not repeat the request", async () => {
    const response = await exchange(service.url, {
      method: "TRACE",
      target: "/bookmarks/",
      fields: { cookie: "secret" },
    });
    expect(response.status).toBe(405);
    expect(JSON.stringify(response)).not.toContain("secret");
  });
});

let people = 0;

/** Somebody with an account: the key of a token, and the cookie of a session. */
async function someone({ databaseUrl }: Service): Promise<{ key: string; cookie: string }> {
  people++;
  const database = await openBeside(databaseUrl);
  const account = await makeAccount(database, `someone${people}`);
  const made = { key: await makeToken(database, account), cookie: await makeSession(database, account) };
  await database.close();
  return made;
}
