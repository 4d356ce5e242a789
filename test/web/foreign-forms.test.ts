import { describe, expect, test } from "bun:test";
import { createRoutes } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/read-config.ts";
import type { Database } from "../../src/database/database.ts";
import { isPage } from "../../src/http/endpoint.ts";
import { makeAccount, makeSession } from "../support/records/accounts.ts";
import { describeContract } from "../support/server/contract.ts";

/** Every page that takes forms. */
const unsafe = Object.entries(
  await createRoutes({ config: readConfig({}), database: {} as Database }),
).flatMap(([path, resource]) =>
  Object.entries(resource)
    .filter(([method, operation]) => method !== "GET" && isPage(operation))
    .map(([method]) => ({ method, path: path.replace(/\{\w+\}/g, "7") })),
);

/** What a browser, or a program, says of a form that no page of ours sent. */
const FOREIGN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a page of another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  "a page of a sibling host": { "sec-fetch-site": "same-site", origin: "http://evil.localhost" },
  "a page of another site in an old browser": { origin: "https://evil.example" },
  "a page without an origin": { origin: "null" },
  "another port of this host": { origin: "http://localhost:8001" },
  "nobody who says where it comes from": {},
};

describeContract("A form that another site's page sends", (service) => {
  for (const access of ["open", "read", "private"] as const)
    describe(`with everything ${access}`, () => {
      test("is refused by every page with 403 for every caller, and changes nothing", async () => {
        const settings = { BOOKMARKS_ACCESS: access, POSTS_ACCESS: access };
        const app = await service.startApp(settings);
        const cookie = await makeSession(app.database, await makeAccount(app.database, "ada"));
        expect(unsafe.length).toBeGreaterThan(8);
        for (const { method, path } of unsafe)
          for (const [from, headers] of Object.entries(FOREIGN))
            for (const caller of [{}, { cookie }]) {
              const response = await app.request(path, {
                method,
                headers: { ...headers, ...caller, "content-type": "application/x-www-form-urlencoded" },
                body: "username=ada&password=x&url=https://example.com/&title=x&text=x",
              });
              expect([path, from, response.status]).toEqual([path, from, 403]);
              expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
            }
        for (const rows of [
          await app.database.read`select id from bookmarks`,
          await app.database.read`select id from posts`,
          await app.database.read`select id from tokens`,
          await app.database.read`select name from site_settings`,
        ])
          expect(rows).toEqual([]);
        expect(await app.database.read`select account_id from sessions`).toHaveLength(1);
      });
    });

  test("is taken from a page of this site, by browsers old and new", async () => {
    const app = await service.startApp();
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { origin: "http://localhost" }] as Record<
      string,
      string
    >[]) {
      const response = await app.request("/sign-in", {
        method: "POST",
        headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
        body: "username=nobody&password=wrong",
      });
      expect(response.status).toBe(401);
    }
  });
});
