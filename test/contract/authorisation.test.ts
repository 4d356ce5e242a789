import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Account } from "../../src/accounts/account.ts";
import { createRoutes } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/read-config.ts";
import type { Database } from "../../src/database/database.ts";
import { isPage } from "../../src/http/endpoint.ts";
import {
  type Access,
  expectedStatus,
  otherRows,
  type Row,
  serviceRows,
} from "../support/requests/authorisation.ts";
import { type Caller, callers } from "../support/requests/callers.ts";
import type { Problem } from "../support/requests/problems.ts";
import { makeMember } from "../support/requests/sign-in.ts";
import { isFullRun } from "../support/run/full-run.ts";
import { startApp, type TestApp } from "../support/server/app.ts";
import { engines } from "../support/server/engines.ts";

const DEFAULT: Access = { bookmarks: "open", posts: "read", comments: "accounts" };
const accesses: readonly Access[] = [
  DEFAULT,
  { bookmarks: "read", posts: "open", comments: "moderated" },
  { bookmarks: "private", posts: "private", comments: "open" },
  ...(isFullRun
    ? ([
        { bookmarks: "read", posts: "open", comments: "accounts" },
        { bookmarks: "private", posts: "read", comments: "open" },
        { bookmarks: "open", posts: "private", comments: "moderated" },
        { bookmarks: "read", posts: "read", comments: "moderated" },
      ] as const)
    : []),
];

const settingsOf = ({ bookmarks, posts, comments }: Access) => ({
  BOOKMARKS_ACCESS: bookmarks,
  POSTS_ACCESS: posts,
  COMMENTS: comments,
});

for (const engine of engines.slice(0, 1)) {
  describe(`The matrix of who may do what (${engine.name})`, () => {
    test("has exactly one row for every endpoint", async () => {
      await using place = await engine.createDatabase();
      const app = await startApp({ DATABASE_URL: place.url });
      const routes = await createRoutes({ config: readConfig({}), database: app.database });
      const endpoints = Object.entries(routes).flatMap(([path, resource]) =>
        Object.entries(resource)
          // Pages and other protocols have rules of their own, and tests beside them.
          .filter(([, operation]) => !isPage(operation) && !("protocol" in operation))
          .map(([method]) => `${method} ${path}`),
      );
      await app.close();
      expect(endpoints.toSorted()).toEqual(Object.keys({ ...serviceRows, ...otherRows }).toSorted());
    });
  });

  for (const access of accesses) {
    describe(`With ${JSON.stringify(settingsOf(access))} (${engine.name})`, () => {
      const toEnd = new AsyncDisposableStack();
      let app: TestApp;
      let editor: Account;

      beforeAll(async () => {
        const { url } = toEnd.use(await engine.createDatabase());
        app = await startApp({ ...settingsOf(access), DATABASE_URL: url });
        toEnd.defer(() => app.close());
        editor = await makeMember(app.database, "editor");
      });

      afterAll(() => toEnd.disposeAsync());

      // What the settings of access do not change is tried once.
      const rows = { ...serviceRows, ...(access === DEFAULT && otherRows) };
      for (const [endpoint, row] of Object.entries(rows)) {
        test(`${endpoint} allows exactly the authorized callers, and refused requests change nothing`, async () => {
          const statuses: Record<string, number> = {};
          const expected: Record<string, number> = {};
          for (const [name, caller] of Object.entries(callers)) {
            expected[name] = expectedStatus(endpoint, row, caller.kind, access);
            statuses[name] = await statusFor(endpoint, row, caller);
          }
          expect(statuses).toEqual(expected);
        });
      }

      async function statusFor(endpoint: string, row: Row, caller: Caller): Promise<number> {
        const [method = "", pattern = ""] = endpoint.split(" ");
        const path = pattern
          .replace(/\{\w+\}/, String(await row.record?.(app.database)))
          .replace("{number}", "1");
        const headers = await caller.headers(app.database, editor, row.scope, row.besides);
        const json = row.json === undefined ? {} : { json: row.json };
        const before = await fingerprint(app.database);
        const response = await app.request(path, { method, headers, ...json });
        if (response.status === 401 || response.status === 403) {
          await checkRefusal(response, row, caller);
          expect(await fingerprint(app.database)).toEqual(before);
        }
        if (method === "GET")
          expect((await app.request(path, { method: "HEAD", headers })).status).toBe(response.status);
        return response.status;
      }
    });
  }
}

/** The counts of bookmarks, posts and comments, and the sums of their versions: equal while nothing changes. */
async function fingerprint({ read }: Database): Promise<unknown> {
  return [
    await read`select count(*) as n, sum(version) as versions from bookmarks`,
    await read`select published, count(*) as n, sum(version) as versions from posts group by published order by published`,
    await read`select status, count(*) as n from comments group by status order by status`,
  ];
}

/** Checks that a refusal says how to get in, or what is missing (RFC 6750, section 3). */
async function checkRefusal(response: Response, { scope }: Row, { kind }: Caller): Promise<void> {
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const { status, detail } = (await response.json()) as Problem;
  expect(status).toBe(response.status);
  const challenges = response.headers.get("www-authenticate") ?? "";
  if (status === 401) {
    expect(challenges).toContain('Bearer realm="commonplace"');
    expect(challenges).toContain('Token realm="commonplace"');
    expect(detail).toContain("/api/token/");
    if (kind !== "impostor") expect(detail).toContain("commonplace account add");
  }
  expect(challenges.includes('error="invalid_token"')).toBe(status === 401 && kind === "impostor");
  expect(challenges.includes('error="insufficient_scope"')).toBe(kind === "unscoped");
  if (kind === "unscoped") expect(challenges).toContain(`scope="${scope}"`);
}
