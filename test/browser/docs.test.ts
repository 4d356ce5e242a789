import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/pages/browser.ts";
import { fullRunTest } from "../support/run/full-run.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server/server.ts";
import { DocsPage } from "./docs-page.ts";

const folder = temporaryFolder();
let server: RunningServer;
let browser: Browser;
/** One page for the tests that follow on each other. */
let docs: DocsPage;
/** Pages of single tests. */
const others: DocsPage[] = [];
/** What the first test has created. */
let bookmark: { readonly id: number };

beforeAll(async () => {
  [server, browser] = await Promise.all([
    startServer({ DATABASE_URL: `sqlite:${folder.file("docs.db")}`, SERVICES: "bookmarks" }),
    launchBrowser(),
  ]);
  docs = await DocsPage.open(browser, server.url, { colorScheme: "dark" });
});

afterEach(async () => {
  const complaints = [docs, ...others].flatMap((page) => page.complaints.splice(0));
  for (const page of others.splice(0)) await page.close();
  expect(complaints).toEqual([]);
});

afterAll(async () => {
  await browser.close();
  await server.kill();
  folder[Symbol.dispose]();
});

async function openAnother(url = server.url, query = ""): Promise<DocsPage> {
  const page = await DocsPage.open(browser, url, {}, query);
  others.push(page);
  return page;
}

test("the page names the server, its services and their operations", async () => {
  const { page } = docs;
  expect(await page.title()).toBe("Commonplace · API");
  expect(await page.locator("h1").textContent()).toStartWith("Commonplace");
  expect(await page.locator(".info").textContent()).toContain("On this server: Bookmarks");
  expect(await page.locator("#operations-tag-Bookmarks").textContent()).toStartWith("Bookmarks");
  for (const summary of ["List bookmarks", "Create a bookmark", "Delete a bookmark"])
    expect(await page.getByText(summary, { exact: true }).isVisible()).toBe(true);
});

test("the example of POST /bookmarks/ creates a bookmark, which is listed then, on the page and elsewhere", async () => {
  const created = await docs.execute("createBookmark");
  expect(created).toMatchObject({ status: "201", body: { title: "Bun" } });
  bookmark = created.body as { id: number };

  const listed = await docs.execute("listBookmarks");
  expect(listed.status).toBe("200");
  expect(listed.body).toContainEqual(created.body);
  expect(await (await fetch(`${server.url}/bookmarks/`)).json()).toContainEqual(created.body);
});

test("executing the list of bookmarks asks for a page of it, so that a hundred thousand do not freeze the tab", () => {
  expect(docs.requests).toContain(`${server.url}/bookmarks/?limit=20`);
});

fullRunTest("to dark eyes and to light ones, also when that changes, every text stands out", async () => {
  const own = await openAnother();
  const { page } = own;
  await own.unfold("createBookmark");
  await own.unfoldSchemas();
  const script = await Bun.file(join(import.meta.dir, "faint-texts.js")).text();
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    // Swagger UI has colours of its own for what our style sheet leaves alone.
    await page.locator(colorScheme === "dark" ? "html.dark-mode" : "html:not(.dark-mode)").waitFor();
    // Some colours change by and by.
    await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished))");
    const paper = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    expect(paper).toBe(colorScheme === "dark" ? "rgb(21, 24, 28)" : "rgb(251, 250, 247)");
    expect(await page.evaluate(script)).toEqual([]);
  }
});

fullRunTest("375 pixels are wide enough to read everything and to execute an operation", async () => {
  const own = await openAnother();
  const { page } = own;
  await page.setViewportSize({ width: 375, height: 667 });
  expect(await own.execute("createBookmark")).toMatchObject({ status: "201" });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(375);
  const controls = own.block("createBookmark").locator(":is(button, input, select, textarea):visible");
  const edges = await controls.evaluateAll((all) =>
    // The types of a browser's elements are not among those of this program.
    (all as unknown as { getBoundingClientRect(): { right: number } }[]).map(
      (one) => one.getBoundingClientRect().right,
    ),
  );
  expect(edges.length).toBeGreaterThan(10);
  expect(Math.max(...edges)).toBeLessThanOrEqual(375);
});

test("a bookmark is read by the id that is filled in", async () => {
  expect(await docs.execute("readBookmark", bookmark.id)).toEqual({ status: "200", body: bookmark });
});

fullRunTest("a bookmark is replaced, changed and deleted by its id", async () => {
  const { id } = bookmark;
  expect(await docs.execute("replaceBookmark", id)).toEqual({ status: "200", body: bookmark });
  expect(await docs.execute("changeBookmark", id)).toMatchObject({ status: "200", body: { id } });
  expect(await docs.execute("deleteBookmark", id)).toEqual({ status: "204", body: undefined });
  expect((await fetch(`${server.url}/bookmarks/${id}`)).status).toBe(404);
});

test("not one request has gone to another host, whatever was opened and executed", () => {
  expect([...new Set(docs.requests)].toSorted()).toEqual(
    [
      "bookmarks/",
      `bookmarks/${bookmark.id}`,
      "bookmarks/?limit=20",
      "docs",
      "docs/start.js",
      "docs/style.css",
      "docs/swagger-ui-bundle.js",
      "docs/swagger-ui.css",
      "openapi.json",
    ]
      .map((path) => `${server.url}/${path}`)
      .toSorted(),
  );
});

fullRunTest("a reload sends nothing again that still holds, and shows the same", async () => {
  const bundle = docs.page.waitForResponse(`${server.url}/docs/swagger-ui-bundle.js`);
  await docs.page.reload();
  expect((await bundle).status()).toBe(304);
  await docs.shown();
});

fullRunTest("an operation is unfolded, filled in and executed with the keyboard alone", async () => {
  const own = await openAnother();
  const { page } = own;
  await own.tabTo("createBookmark", ".opblock-summary-control");
  await page.keyboard.press("Enter");
  await own.block("createBookmark").locator("textarea").waitFor();
  await own.tabTo("createBookmark", "textarea");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type('{ "title": "Typed", "url": "https://example.com/typed" }');
  await own.tabTo("createBookmark", ".execute");
  await page.keyboard.press("Enter");
  expect(await own.answerOf("createBookmark")).toMatchObject({
    status: "201",
    body: { title: "Typed", description: "" },
  });
});

fullRunTest("with a PUBLIC_URL of another host the page speaks to the server that it came from", async () => {
  using folder = temporaryFolder();
  const elsewhere = await startServer({
    DATABASE_URL: `sqlite:${folder.file("docs.db")}`,
    PUBLIC_URL: "https://links.example.com",
    SERVICES: "bookmarks",
    BOOKMARKS_ACCESS: "open",
  });
  try {
    const own = await openAnother(elsewhere.url);
    expect(await own.execute("createBookmark")).toMatchObject({ status: "201" });
    expect(own.requests.filter((url) => !url.startsWith(elsewhere.url))).toEqual([]);
  } finally {
    await elsewhere.kill();
  }
});

fullRunTest("an address that names another document still shows ours, and nothing of it is run", async () => {
  const evil = "https://evil.example/openapi.json";
  const script = encodeURIComponent("<img src=x onerror=alert(1)>");
  const query = `?url=${evil}&configUrl=${evil}&urls.primaryName=${script}#/${script}`;
  const own = await openAnother(server.url, query);
  expect(await own.page.locator(".info").textContent()).toContain("On this server: Bookmarks");
  expect(own.requests.filter((url) => !url.startsWith(server.url) && !url.startsWith("data:"))).toEqual([]);
});
