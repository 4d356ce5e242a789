import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { createWelcomeLink } from "../../src/accounts/welcome/welcome-link.ts";
import { openDatabase } from "../../src/database/open.ts";
import { launchBrowser } from "../support/pages/browser.ts";
import { watch } from "../support/pages/page-visits.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server/server.ts";

const NAME = "notebook.example";
const PASSWORD = "correct horse battery";

const folder = temporaryFolder();
const databaseUrl = `sqlite:${folder.file("journey.db")}`;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  // A name of the local network, over plain http: browsers trust it less than a loopback address.
  server = await startServer({ DATABASE_URL: databaseUrl, ALLOWED_HOSTS: NAME });
  browser = await launchBrowser([NAME]);
});

afterAll(async () => {
  await browser.close();
  await server.kill();
  folder[Symbol.dispose]();
});

test("without script, over plain http on a name: set up, keep a key, change things, sign out and in", async () => {
  const url = server.url.replace("127.0.0.1", NAME);
  // Looking at a page whose style sheet is still on its way would end the transition to it, which the browser reports.
  const context = await browser.newContext({
    baseURL: url,
    javaScriptEnabled: false,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const faults = watch(page, url);

  await page.goto(`/welcome/${await welcomeSecret()}`);
  await page.getByLabel("Username").fill("not a name");
  await page.getByLabel("Password").fill(PASSWORD);
  await submit(page, "Create my account");
  expect(await page.title()).toStartWith("Error: ");
  // What was typed is still there, but a password is never sent back.
  expect(await page.getByLabel("Username").inputValue()).toBe("not a name");
  expect(await page.getByLabel("Password").inputValue()).toBe("");
  await page.getByLabel("Username").fill("ada");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByLabel("Name of the site").fill("Slow <b>fruit</b>");
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await submit(page, "Create my account");
  expect(await page.textContent("[role=status]")).toContain("Your account is ready.");
  expect(await page.textContent(".name")).toBe("Slow <b>fruit</b>");
  expect((await fetch(`${server.url}/bookmarks/`)).status).toBe(401);

  await page.goto("/keys");
  await page.getByLabel("Name").fill("phone");
  await submit(page, "Create token");
  const key = (await page.textContent(".once")) ?? "";
  const headers = { authorization: `Bearer ${key}` };
  expect((await fetch(`${server.url}/bookmarks/`, { headers })).status).toBe(200);
  await submit(page, /^Revoke/);
  expect((await fetch(`${server.url}/bookmarks/`, { headers })).status).toBe(401);

  await page.goto("/settings");
  await page.getByLabel("Anyone can read it", { exact: false }).first().check();
  await submit(page, "Save");
  expect((await fetch(`${server.url}/bookmarks/`)).status).toBe(200);

  await page.goto("/account");
  await submit(page, "Sign out");
  await page.goto("/settings");
  expect(new URL(page.url()).pathname).toBe("/sign-in");
  await page.getByLabel("Username").fill("ada");
  await page.getByLabel("Password").fill(PASSWORD);
  await submit(page, "Sign in");
  expect(new URL(page.url()).pathname).toBe("/settings");
  expect(faults).toEqual([]);
  await context.close();
});

async function welcomeSecret(): Promise<string> {
  const database = await openDatabase(databaseUrl);
  const link = await createWelcomeLink(database, new Date());
  await database.close();
  return link?.secret ?? "";
}

async function submit(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.waitForLoadState();
}
