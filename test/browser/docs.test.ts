import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";
import { DocsPage } from "./docs-page.ts";

const folder = temporaryFolder();
let server: RunningServer;
let browser: Browser;
let docs: DocsPage;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    startServer({ DATABASE_URL: `sqlite:${folder.file("docs.db")}`, SERVICES: "bookmarks" }),
    launchBrowser(),
  ]);
});

afterEach(async () => {
  await docs.close();
  expect(docs.complaints).toEqual([]);
});

afterAll(async () => {
  await browser.close();
  await server.kill();
  folder[Symbol.dispose]();
});

test("the page names the server, its services and their operations", async () => {
  docs = await DocsPage.open(browser, server.url);
  const { page } = docs;
  expect(await page.title()).toBe("Commonplace · API");
  expect(await page.locator("h1").textContent()).toStartWith("Commonplace");
  expect(await page.locator(".info").textContent()).toContain("On this server: Bookmarks");
  expect(await page.locator("#operations-tag-Bookmarks").textContent()).toStartWith("Bookmarks");
  for (const summary of ["List bookmarks", "Create a bookmark", "Delete a bookmark"])
    expect(await page.getByText(summary, { exact: true }).isVisible()).toBe(true);
});

test("not one request goes to another host, whatever is opened and executed", async () => {
  docs = await DocsPage.open(browser, server.url);
  await docs.execute("createBookmark");
  await docs.unfoldSchemas();
  expect(docs.requests.toSorted()).toEqual(
    [
      "bookmarks/",
      "docs",
      "docs/start.js",
      "docs/style.css",
      "docs/swagger-ui-bundle.js",
      "docs/swagger-ui.css",
      "openapi.json",
    ].map((path) => `${server.url}/${path}`),
  );
});

test("the example of POST /bookmarks/ creates a bookmark, which is listed then, on the page and elsewhere", async () => {
  docs = await DocsPage.open(browser, server.url);
  const created = await docs.execute("createBookmark");
  expect(created).toMatchObject({ status: "201", body: { title: "Bun" } });

  const listed = await docs.execute("listBookmarks");
  expect(listed.status).toBe("200");
  expect(listed.body).toContainEqual(created.body);
  expect(await (await fetch(`${server.url}/bookmarks/`)).json()).toContainEqual(created.body);
});

test("a bookmark is read, replaced, changed and deleted by the id that is filled in", async () => {
  docs = await DocsPage.open(browser, server.url);
  const { body } = await docs.execute("createBookmark");
  const { id } = body as { id: number };
  expect(await docs.execute("readBookmark", id)).toEqual({ status: "200", body });
  expect(await docs.execute("replaceBookmark", id)).toEqual({ status: "200", body });
  expect(await docs.execute("changeBookmark", id)).toMatchObject({ status: "200", body: { id } });
  expect(await docs.execute("deleteBookmark", id)).toEqual({ status: "204", body: undefined });
  expect((await fetch(`${server.url}/bookmarks/${id}`)).status).toBe(404);
});

test("an operation is unfolded, filled in and executed with the keyboard alone", async () => {
  docs = await DocsPage.open(browser, server.url);
  const { page } = docs;
  await docs.tabTo("createBookmark", ".opblock-summary-control");
  await page.keyboard.press("Enter");
  await docs.block("createBookmark").locator("textarea").waitFor();
  await docs.tabTo("createBookmark", "textarea");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type('{ "title": "Typed", "url": "https://example.com/typed" }');
  await docs.tabTo("createBookmark", ".execute");
  await page.keyboard.press("Enter");
  expect(await docs.answerOf("createBookmark")).toMatchObject({
    status: "201",
    body: { title: "Typed", description: "" },
  });
});

test("375 pixels are wide enough to read everything and to execute an operation", async () => {
  docs = await DocsPage.open(browser, server.url, { viewport: { width: 375, height: 667 } });
  expect(await docs.execute("createBookmark")).toMatchObject({ status: "201" });
  expect(await docs.page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  const controls = docs.block("createBookmark").locator(":is(button, input, select, textarea):visible");
  const edges = await controls.evaluateAll((all) =>
    // The types of a browser's elements are not among those of this program.
    (all as unknown as { getBoundingClientRect(): { right: number } }[]).map(
      (one) => one.getBoundingClientRect().right,
    ),
  );
  expect(edges.length).toBeGreaterThan(10);
  expect(Math.max(...edges)).toBeLessThanOrEqual(375);
});

test.each(["light", "dark"] as const)("to %s eyes every text stands out", async (colorScheme) => {
  docs = await DocsPage.open(browser, server.url, { colorScheme });
  const { page } = docs;
  await docs.execute("createBookmark");
  await docs.unfoldSchemas();
  const paper = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  expect(paper).toBe(colorScheme === "dark" ? "rgb(21, 24, 28)" : "rgb(251, 250, 247)");
  // Swagger UI has colours of its own for what our style sheet leaves alone.
  expect(await page.locator("html.dark-mode").count()).toBe(colorScheme === "dark" ? 1 : 0);
  const script = await Bun.file(join(import.meta.dir, "faint-texts.js")).text();
  expect(await page.evaluate(script)).toEqual([]);
});

test("a reload sends nothing again that still holds, and shows the same", async () => {
  docs = await DocsPage.open(browser, server.url);
  const bundle = docs.page.waitForResponse(`${server.url}/docs/swagger-ui-bundle.js`);
  await docs.page.reload();
  expect((await bundle).status()).toBe(304);
  await docs.shown();
});

test("with a PUBLIC_URL of another host the page speaks to the server that it came from", async () => {
  using other = temporaryFolder();
  const settings = {
    DATABASE_URL: `sqlite:${other.file("docs.db")}`,
    PUBLIC_URL: "https://links.example.com",
  };
  const elsewhere = await startServer(settings);
  try {
    docs = await DocsPage.open(browser, elsewhere.url);
    expect(await docs.execute("createBookmark")).toMatchObject({ status: "201" });
    expect(docs.requests.filter((url) => !url.startsWith(elsewhere.url))).toEqual([]);
  } finally {
    await elsewhere.kill();
  }
});

test("an address that names another document still shows ours, and nothing of it is run", async () => {
  docs = await DocsPage.open(browser, server.url);
  const evil = "https://evil.example/openapi.json";
  const script = encodeURIComponent("<img src=x onerror=alert(1)>");
  await docs.page.goto(
    `${server.url}/docs?url=${evil}&configUrl=${evil}&urls.primaryName=${script}#/${script}`,
  );
  await docs.shown();
  expect(await docs.page.locator(".info").textContent()).toContain("On this server: Bookmarks");
  expect(docs.requests.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
});

test("executing the list of bookmarks asks for a page of it, so that a hundred thousand do not freeze the tab", async () => {
  docs = await DocsPage.open(browser, server.url);
  expect((await docs.execute("listBookmarks")).status).toBe("200");
  expect(docs.requests).toContain(`${server.url}/bookmarks/?limit=20`);
});
