import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/pages/browser.ts";
import { type RunningServer, run, startServer, temporaryFolder } from "../support/server/server.ts";
import { DocsPage } from "./docs-page.ts";

const PASSWORD = "correct horse battery";

const folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${folder.file("docs.db")}` };
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  await run(["account", "add", "editor"], { env: settings, stdin: `${PASSWORD}\n` });
  [server, browser] = await Promise.all([startServer(settings), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.kill();
  folder[Symbol.dispose]();
});

test("a person who authorizes with a token creates a post that anyone can then read", async () => {
  const docs = await DocsPage.open(browser, server.url);
  expect(await docs.execute("createPost")).toMatchObject({ status: "401" });
  await docs.authorize(await newToken());
  const created = await docs.executeAgain("createPost");
  expect(created).toMatchObject({ status: "201", body: { title: "First light", published: true } });
  const page = (await (await fetch(`${server.url}/api/posts/`)).json()) as { results: unknown[] };
  expect(page.results).toEqual([created.body]);
  await docs.close();
});

async function newToken(): Promise<string> {
  const response = await fetch(`${server.url}/api/token/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "editor", password: PASSWORD }),
  });
  const { token } = (await response.json()) as { token: string };
  return token;
}
