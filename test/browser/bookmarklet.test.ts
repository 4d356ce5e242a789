/** The bookmarklet hands over the page that the browser shows, which its window keeps only when the person saves the link. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { until } from "../support/machine/until.ts";
import { usePageSite } from "../support/pages/page-visits.ts";
import { fullRunTest, oneOfEach } from "../support/run/full-run.ts";

const sentence = "The quick brown fox jumps over the lazy dog, and the day is long. ";
const MEMBERS = `<!DOCTYPE html><title>For members</title><article><h1>For members</h1>${`<p>${sentence.repeat(6)}</p>`.repeat(4)}
  <p>Only members know the word flugelhorn.</p><script>document.title = "ran"</script></article>`;

const ours = usePageSite({ BOOKMARKS_ACCESS: "private" });
let context: BrowserContext;
let code: string;

/** Another site, which shows a page only to its members. */
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request) =>
    new Response(
      request.headers.get("cookie")?.includes("member=1") ? MEMBERS : "<title>Sign in</title><p>Sign in",
      { headers: { "content-type": "text/html; charset=utf-8" } },
    ),
});
const origin = `http://127.0.0.1:${site.port}`;

beforeAll(async () => {
  context = await ours.window({}, true);
  const page = await context.newPage();
  await page.goto("/library/bookmarklet");
  const href = (await page.locator('a[href^="javascript:"]').getAttribute("href")) ?? "";
  code = decodeURIComponent(href.slice("javascript:".length));
  await page.close();
  await context.addCookies([{ name: "member", value: "1", url: origin }]);
});

afterAll(() => site.stop(true));

/** Opens a page of the site, and runs a script there that opens the window. */
async function opened(path: string, script = code): Promise<{ page: Page; window: Page }> {
  const page = await context.newPage();
  await page.goto(origin + path);
  const popup = page.waitForEvent("popup");
  await page.addScriptTag({ content: script });
  const window = await popup;
  await window.waitForLoadState();
  return { page, window };
}

const box = (window: Page) => window.locator("keep-page input");
const json = async (path: string) => (await context.request.get(ours.server.url + path)).json();
async function saved(window: Page): Promise<void> {
  const closed = window.waitForEvent("close");
  await window.click("button:not([name])[type=submit]");
  await closed;
}
async function linkOf(path: string): Promise<{ id: number; url: string }> {
  const links = (await json("/bookmarks/?per_page=100")) as { id: number; url: string }[];
  const link = links.find(({ url }) => url === origin + path);
  if (link === undefined) throw new Error("the link was not saved");
  return link;
}
const copiesOf = async (path: string) =>
  (await json(`/bookmarks/${(await linkOf(path)).id}/copies/`)) as { id: number; origin: string }[];

test("a page behind a sign-in is kept as the browser shows it, and found by its words", async () => {
  const { page, window } = await opened("/members");
  await box(window).waitFor({ state: "visible" });
  expect(await box(window).isChecked()).toBe(false);
  await box(window).check();
  await saved(window);
  const { id } = await linkOf("/members");
  const [copy] = await copiesOf("/members");
  expect(copy?.origin).toBe("browser");
  const text = await (
    await context.request.get(`${ours.server.url}/bookmarks/${id}/copies/${copy?.id}/text`)
  ).text();
  expect(text).toContain("Only members know the word flugelhorn.");
  expect(text).not.toContain("<script");
  expect(await json("/bookmarks/?q=page:flugelhorn")).toMatchObject([{ id }]);
  await page.close();
});

fullRunTest("without the tick, the link alone is saved", async () => {
  const { page, window } = await opened("/plain");
  await box(window).waitFor({ state: "visible" });
  await saved(window);
  expect(await copiesOf("/plain")).toEqual([]);
  await page.close();
});

fullRunTest(
  "a link that is there already asks what to do, and its page is kept after the answer",
  async () => {
    const { page, window } = await opened("/members");
    await box(window).waitFor({ state: "visible" });
    await box(window).check();
    const closed = window.waitForEvent("close");
    await window.click("button[value=merge]");
    await closed;
    expect(await copiesOf("/members")).toHaveLength(2);
    await page.close();
  },
);

/**
 * Opens the window from a page of the site that sends what it wants.
 * @param url of the link, an expression there
 * @param sends a statement there that sends messages to `w`
 */
async function attacked(path: string, url: string, sends: string): Promise<{ page: Page; window: Page }> {
  const script = `
    const w = open("${ours.server.url}/library/new?window=1&title=T&url=" + encodeURIComponent(${url}));
    const send = () => { ${sends} };`;
  const both = await opened(path, script);
  const { page, window } = both;
  await window.evaluate(`customElements.whenDefined("keep-page").then(() => {
    globalThis.heard = new Promise((resolve) => addEventListener("message", ({ data }) => data === "end" && resolve()));
  })`);
  await page.addScriptTag({ content: 'send(); w.postMessage("end", "*")' });
  // The window's own script was there before.
  await window.evaluate("globalThis.heard");
  return both;
}

const NOT_TAKEN = [
  [
    "a page for the address of another site",
    `"https://victim.example/"`,
    `w.postMessage({ commonplace: "page", html: "<p>x" }, "*")`,
  ],
  [
    "a message of another shape",
    "location.href",
    `w.postMessage({ commonplace: "page", html: { toString: 1 } }, "*"); w.postMessage("<p>x", "*"); w.postMessage(null, "*")`,
  ],
  [
    "a page that is too large",
    "location.href",
    `w.postMessage({ commonplace: "page", html: "a".repeat(25 * 1024 * 1024 + 1) }, "*")`,
  ],
] as const;

/** In the short run the first of them. */
test.each(oneOfEach(NOT_TAKEN, () => ""))("%s is not taken", async (_, url, sends) => {
  const { page, window } = await attacked("/hostile", url, sends);
  expect(await box(window).isVisible()).toBe(false);
  expect(await box(window).isDisabled()).toBe(true);
  await page.close();
  await window.close();
});

test("markup and scripts of a page that is handed over reach nothing in the window, and nothing is stored before it is saved", async () => {
  const html = `<p id="in">Hostile words</p><img src=x onerror="window.ran=1"><script>window.ran=1</script>`;
  const sends = `w.postMessage({ commonplace: "page", html: ${JSON.stringify(html)} }, "*")`;
  const { page, window } = await attacked("/markup", "location.href", sends);
  await box(window).waitFor({ state: "visible" });
  expect(await window.locator("#in").count()).toBe(0);
  expect(await window.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined();
  expect(((await json("/bookmarks/?per_page=100")) as { url: string }[]).map(({ url }) => url)).not.toContain(
    `${origin}/markup`,
  );
  await box(window).check();
  await saved(window);
  const [copy] = await copiesOf("/markup");
  const { id } = await linkOf("/markup");
  const text = await (
    await context.request.get(`${ours.server.url}/bookmarks/${id}/copies/${copy?.id}/text`)
  ).text();
  expect(text).toContain("Hostile words");
  expect(text).not.toMatch(/onerror|script/);
  await page.close();
});

fullRunTest("where the page cannot be kept, the link is saved and the window says so", async () => {
  const { page, window } = await opened("/refused");
  await box(window).waitFor({ state: "visible" });
  await box(window).check();
  await window.route("**/copies/", (route) => route.fulfill({ status: 507, body: "{}" }));
  await window.click("button:not([name])[type=submit]");
  await window.getByText("The link is saved. The page itself was not kept").waitFor();
  expect(await copiesOf("/refused")).toEqual([]);
  await until("the link is there", async () => (await linkOf("/refused")).id > 0);
  await page.close();
  await window.close();
});
