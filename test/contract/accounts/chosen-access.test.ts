import { expect, test } from "bun:test";
import { removeAccount } from "../../../src/accounts/account-store.ts";
import { siteBookmarksAccess } from "../../../src/accounts/service-access.ts";
import { currentAccess } from "../../../src/http/access.ts";
import { Site, saveSite } from "../../../src/web/site/site-store.ts";
import { makeAccount, makeSession } from "../../support/records/accounts.ts";
import { checkProblem } from "../../support/requests/problems.ts";
import { describeContract } from "../../support/server/contract.ts";

const UNSET = { BOOKMARKS_ACCESS: "auto" };

describeContract(
  "Bookmarks without BOOKMARKS_ACCESS",
  (service) => {
    const forwarding = [
      { "x-forwarded-for": "203.0.113.7" },
      { "x-real-ip": "203.0.113.7" },
      { forwarded: "for=203.0.113.7" },
      { via: "1.1 proxy" },
    ];

    test("are open on loopback as long as there was never an account, and then private until something is chosen", async () => {
      const { request, database } = await service.startApp(UNSET);
      const statuses = async () => [
        (await request("/bookmarks/")).status,
        (await request("/bookmarks/", { method: "POST", json: { title: "x", url: "https://example.com/" } }))
          .status,
        (await request("/library")).status,
      ];
      expect(await statuses()).toEqual([200, 201, 200]);
      const { id } = await makeAccount(database, "ada");
      expect(await statuses()).toEqual([401, 401, 303]);
      // Without an account again, they do not become open again.
      await database.write((sql) => removeAccount(sql, id, new Date(), "always"));
      expect(await statuses()).toEqual([401, 401, 303]);
      await database.write((sql) => saveSite(sql, { bookmarksAccess: "open" }, new Date()));
      await makeAccount(database, "bob");
      expect(await statuses()).toEqual([200, 201, 200]);
    });

    test("are open on loopback, but for requests that came through a proxy", async () => {
      const app = await service.startApp(UNSET);
      expect((await app.request("/bookmarks/")).status).toBe(200);
      for (const headers of forwarding)
        for (const init of [{ headers }, { headers, json: { title: "x", url: "https://example.com/" } }]) {
          const method = "json" in init ? "POST" : "GET";
          const response = await app.request("/bookmarks/", { method, ...init });
          expect(response.status).toBe(403);
          const problem: unknown = await response.json();
          checkProblem(problem, 403);
          expect(problem).toHaveProperty("detail", expect.stringContaining("commonplace welcome"));
        }
      expect(await (await app.request("/bookmarks/")).json()).toEqual([]);
    });

    test("are private where the server is published: a setting names its address, its proxy or its host", async () => {
      for (const [name, value] of [
        ["PUBLIC_URL", "http://localhost:8000"],
        ["PUBLIC_URL", "https://links.example"],
        ["TRUSTED_PROXIES", "127.0.0.1"],
        ["ALLOWED_HOSTS", "*"],
        ["ALLOWED_HOSTS", "localhost"],
      ] as const) {
        const { request } = await service.startApp({ ...UNSET, [name]: value });
        expect([name, (await request("/bookmarks/")).status]).toEqual([name, 401]);
        expect((await request("/library")).status).toBe(303);
        expect(await (await request("/")).text()).not.toContain('href="/library"');
      }
    });

    test("are private to a request under a name that is not of loopback", async () => {
      const { database } = await service.startApp(UNSET);
      const { readAccess, writeAccess } = siteBookmarksAccess(new Site(database), true);
      for (const access of [readAccess, writeAccess])
        for (const [host, anonymous] of [
          ["localhost:8000", true],
          ["links.localhost", true],
          ["127.0.0.1", true],
          ["[::1]:8000", true],
          ["links.example", false],
          ["192.168.1.2:8000", false],
          ["localhost.example", false],
        ] as const) {
          const request = new Request("http://localhost/bookmarks/", { headers: { host } });
          const asked = { request, stamp: database };
          expect([host, (await currentAccess(access, asked)).anonymous]).toEqual([host, anonymous]);
        }
    });

    test("are open through a proxy if the setting allows it", async () => {
      const app = await service.startApp({ BOOKMARKS_ACCESS: "open" });
      for (const headers of forwarding)
        expect((await app.request("/bookmarks/", { headers })).status).toBe(200);
    });

    test("follow the owner's choice, from the next request on, in every process", async () => {
      const { send, databaseUrl } = service;
      const other = await service.startApp({ ...UNSET, DATABASE_URL: databaseUrl });
      const statuses = async (headers = {}) => [
        (await send("/bookmarks/", { headers })).status,
        (
          await send("/bookmarks/", {
            method: "POST",
            json: { title: "x", url: "https://example.com/" },
            headers,
          })
        ).status,
      ];
      expect(await statuses()).toEqual([200, 201]);
      for (const [choice, expected] of [
        ["private", [401, 401]],
        ["read", [200, 401]],
        ["open", [200, 201]],
      ] as const) {
        await other.database.write((sql) => saveSite(sql, { bookmarksAccess: choice }, new Date()));
        expect(await statuses()).toEqual([...expected]);
        // It was chosen, not left at its default: then a proxy is somebody's decision.
        expect(await statuses({ "x-forwarded-for": "203.0.113.7" })).toEqual([...expected]);
      }
    });

    test("have their rule on the settings page, whether chosen, fixed or default", async () => {
      for (const [settings, rule] of [
        [{}, "Not chosen yet: only people with an account"],
        [
          { BOOKMARKS_ACCESS: "read" },
          "Anyone can read it. This is set on the server with <code>BOOKMARKS_ACCESS</code>, and",
        ],
        [{ COMMENTS: "off" }, "Nobody. This is set on the server with <code>COMMENTS</code>, and"],
      ] as const) {
        const app = await service.startApp({ ...UNSET, ...settings });
        const cookie = await makeSession(app.database, await makeAccount(app.database, "ada"));
        expect(await (await app.request("/settings", { headers: { cookie } })).text()).toContain(rule);
      }
    });
  },
  UNSET,
);
