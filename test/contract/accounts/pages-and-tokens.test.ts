import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Account } from "../../../src/accounts/account.ts";
import { createRoutes } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import type { Page } from "../../../src/http/endpoint.ts";
import { makeAccount, makeToken, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";

const SETTINGS = { BOOKMARKS_ACCESS: "private", POSTS_ACCESS: "private", FETCH_PAGES: "off" };

/** Files for programs at the paths of pages: a token counts there as in the API. */
const FILES = [
  "GET /authors/{slug}/feed.atom",
  "GET /authors/{slug}/feed.json",
  "GET /authors/{slug}/feed.rss",
  "GET /feed.atom",
  "GET /feed.json",
  "GET /feed.rss",
  "GET /library.atom",
  "GET /library/export/bookmarks.csv",
  "GET /library/export/bookmarks.html",
  "GET /library/export/bookmarks.json",
  "GET /links.atom",
  "GET /posts/{slug}/comments.atom",
  "GET /tags/{tag...}/feed.atom",
  "GET /tags/{tag...}/feed.json",
  "GET /tags/{tag...}/feed.rss",
  "POST /library/export/everything.json",
  "POST /library/export/everything.zip",
];

describe("A token on a page", () => {
  let app: TestApp;
  let account: Account;
  let pages: [string, Page][];

  beforeAll(async () => {
    app = await startApp(SETTINGS);
    account = await makeAccount(app.database, "ada");
    const routes = await createRoutes({ config: readConfig(SETTINGS), database: app.database });
    pages = Object.entries(routes).flatMap(([path, resource]) =>
      Object.entries(resource).flatMap(([method, operation]): [string, Page][] =>
        operation.kind === "page" ? [[`${method} ${path}`, operation]] : [],
      ),
    );
  });
  afterAll(() => app.close());

  const responseTo = async (name: string, headers: Record<string, string>) => {
    const [method, pattern = ""] = name.split(" ");
    const path = pattern.replace(/\{[^}]+\}/g, "1");
    const send = withHeaders(app.request, { accept: "text/html", ...headers });
    const response = await (method === "GET" ? send(path) : submit(send, path, {}));
    return [response.status, response.headers.get("location"), await response.text()];
  };

  test("is like no credentials, be it good or wrong, but for feeds and downloads", async () => {
    expect(pages.length).toBeGreaterThan(70);
    const tokens = ["wrong", await makeToken(app.database, account)];
    for (const [name, { contract }] of pages) {
      if (contract.takesTokens) continue;
      const anonymous = await responseTo(name, {});
      for (const token of tokens)
        expect([name, ...(await responseTo(name, { authorization: `Token ${token}` }))]).toEqual([
          name,
          ...anonymous,
        ]);
    }
  });

  test("counts for these files alone, with the scope that reads the same in the API", async () => {
    const files = pages.filter(([, { contract }]) => contract.takesTokens).map(([name]) => name);
    expect(files.toSorted()).toEqual(FILES);
    const reading = { authorization: `Token ${await makeToken(app.database, account)}` };
    const writing = await makeToken(app.database, account, { scopes: ["bookmarks:write", "posts:write"] });
    for (const name of FILES.filter((file) => !/\{slug\}|everything/.test(file))) {
      expect([name, (await responseTo(name, reading))[0]]).toEqual([name, 200]);
      expect([name, (await responseTo(name, { authorization: `Token ${writing}` }))[0]]).toEqual([name, 403]);
      expect([name, (await responseTo(name, { authorization: "Token wrong" }))[0]]).toEqual([name, 303]);
    }
  });
});
