import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { removeBookmarks } from "../../src/bookmarks/bulk/change-many.ts";
import { en } from "../../src/web/messages/en.ts";
import { until } from "../support/machine/until.ts";
import { usePageSite, watch } from "../support/pages/page-visits.ts";
import { casesOf, fullRunTest } from "../support/run/full-run.ts";

/** In the browser: lets the time of the toast pass. */
const PASS_TIME = `document.querySelector("main > .toast").getAnimations().forEach((one) => one.finish())`;
/** In the browser: the links and buttons that are under the toast at the page's end. */
const COVERED = `(() => {
  scrollTo(0, document.documentElement.scrollHeight);
  const toast = document.querySelector("main > .toast").getBoundingClientRect();
  return [...document.querySelectorAll("a, button, input")].flatMap((one) => {
    if (one.closest(".toast")) return [];
    const { top, bottom, left, right } = one.getBoundingClientRect();
    const apart = bottom <= toast.top || top >= toast.bottom || right <= toast.left || left >= toast.right;
    return apart ? [] : [one.outerHTML];
  });
})()`;

/**
 * In the browser, before a page: collects what screen readers announce. That is what enters a status that was there already,
 * and not one that comes with the page, or with a part of it.
 */
const COLLECT_SAID = `document.addEventListener("readystatechange", () => {
  if (document.readyState !== "interactive") return;
  const known = new Set(document.querySelectorAll("[role=status]"));
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes)
      if (addedNodes.length > 0 && known.has(target)) announced(target.textContent);
    for (const one of document.querySelectorAll("[role=status]")) known.add(one);
  }).observe(document, { childList: true, subtree: true });
})`;

describe("What an action did", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });
  const labels = en.library;

  const save = (count: number) =>
    site.database.write(async (sql) => {
      const ids: number[] = [];
      for (let n = 0; n < count; n++) {
        const url = `https://toast.example/${crypto.randomUUID()}`;
        ids.push(
          (await insertBookmark(sql, { title: `Link ${n}`, url, description: "" }, undefined, new Date())).id,
        );
      }
      return ids;
    });
  const open = (options: Parameters<typeof site.page>[0] = {}): Promise<Page> =>
    site.page({ viewport: { width: 1280, height: 700 }, ...options }, true);
  const markFirst = async (page: Page) => {
    await page.goto("/library");
    const row = page.locator(".bookmarks > li").first();
    await row.hover();
    if (await row.locator(".more").isVisible()) await row.locator(".more").click();
    await row.getByRole("button", { name: labels.bulk.unread }).click();
    const toast = page.locator("main > .toast");
    await toast.waitFor();
    return toast;
  };

  test("goes after its time, but not while it is pointed at, and the key still undoes it", async () => {
    await save(12);
    const page = await open();
    const faults = watch(page, site.server.url);
    const toast = await markFirst(page);
    await toast.hover();
    await page.evaluate(PASS_TIME);
    expect(await toast.isVisible()).toBe(true);
    await page.mouse.move(2, 2);
    await page.evaluate(PASS_TIME);
    expect(await toast.isVisible()).toBe(false);
    await page.keyboard.press("z");
    await page.getByText(en.library.next.done.read).waitFor();
    expect(faults).toEqual([]);
  });

  const windows: [string, Parameters<typeof site.window>[0]][] = [
    ["with scripts", {}],
    ["without", { javaScriptEnabled: false }],
    ["on a phone", { viewport: { width: 390, height: 700 }, hasTouch: true }],
  ];
  test.each(casesOf(windows, 2))("covers nothing at the page's end, %s", async (_, options) => {
    await save(12);
    const page = await open(options);
    const toast = await markFirst(page);
    await toast.getByRole("button", { name: labels.undo }).waitFor();
    expect(await page.evaluate(COVERED)).toEqual([]);
  });

  test("leaves the page where it is, also where a whole page follows", async () => {
    const ids = await save(30);
    await removeBookmarks(site.database, ids, undefined, new Date());
    const page = await open();
    await page.goto("/library/removed");
    const restore = page.getByRole("button", { name: labels.removal.restore }).nth(15);
    await restore.scrollIntoViewIfNeeded();
    const top = await page.evaluate("scrollY");
    expect(top).toBeGreaterThan(100);
    await restore.click();
    await page.locator("main > .toast").waitFor();
    expect(await page.evaluate("scrollY")).toBe(top);
    // Another page begins at its top.
    const [id = 0] = await save(30);
    await page.setViewportSize({ width: 1280, height: 200 });
    await page.goto(`/library/${id}`);
    await page.evaluate("scrollTo(0, 150)");
    expect(await page.evaluate("scrollY")).toBe(150);
    await page.evaluate(`document.querySelector('[formaction$="/remove"]').click()`);
    await page.waitForURL("**/library");
    await page.locator("main > .toast").waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
  });

  test("is announced, in place and on a page that follows, and so is what a search finds", async () => {
    const [id = 0] = await save(3);
    const page = await open();
    const said: string[] = [];
    await page.exposeFunction("announced", (words: string) => said.push(words));
    await page.addInitScript(COLLECT_SAID);
    const hasSaid = (words: string) => until(words, async () => said.some((one) => one.includes(words)));
    await markFirst(page);
    await hasSaid("Added to");
    await page.goto("/library");
    await page.getByRole("searchbox").fill("link");
    await hasSaid("for “link”");
    await page.goto(`/library/${id}`);
    await page.evaluate(`document.querySelector('[formaction$="/remove"]').click()`);
    await page.waitForURL("**/library");
    await hasSaid("removed");
  });

  test("leaves the focus of the keyboard where it was, at what has taken that place", async () => {
    const ids = await save(3);
    await removeBookmarks(site.database, ids, undefined, new Date());
    const page = await open();
    await page.goto("/library/removed");
    const buttons = page.getByRole("button", { name: labels.removal.restore });
    const count = await buttons.count();
    for (const [at, next] of [
      [1, 1],
      [count - 2, count - 3],
    ] as const) {
      await buttons.nth(at).focus();
      await page.keyboard.press("Enter");
      await page.locator("main > .toast").waitFor();
      // biome-ignore lint/suspicious/noExplicitAny: a DOM element in the browser; the tests have no DOM types
      const isFocused = (element: any) => element === element.ownerDocument.activeElement;
      expect([at, await buttons.nth(next).evaluate(isFocused)]).toEqual([at, true]);
    }
    // Who clicks sees no ring around another button.
    await buttons.first().click();
    await page.locator("main > .toast").waitFor();
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
  });

  test("keeps what was typed for who comes back, also where Safari resets fields that it shall not complete", async () => {
    const page = await open();
    for (const [path, typed] of [
      ["/library/new", { title: "A map", tags: "maps, harbors" }],
      [`/write/${crypto.randomUUID()}`, { tags: "maps, harbors" }],
    ] as const) {
      await page.goto(path);
      for (const [name, value] of Object.entries(typed)) await page.locator(`[name=${name}]`).fill(value);
      await page.evaluate(`dispatchEvent(new Event("pagehide"))`);
      await page.evaluate(`document.querySelector("main form").reset()`);
      for (const [name, value] of Object.entries(typed))
        expect([path, name, await page.locator(`[name=${name}]`).inputValue()]).toEqual([path, name, value]);
    }
  });

  fullRunTest("is why nothing was done, where the list stays as it is", async () => {
    const [id = 0] = await save(1);
    const page = await open();
    await page.goto("/library");
    const body = "<main><h1>Nothing can be stored now</h1><p>The disk is full.</p></main>";
    await page.route("**/library/later", (route) =>
      route.fulfill({ status: 507, contentType: "text/html", body }),
    );
    const row = page.locator(`#link-${id}`);
    await row.hover();
    await row.getByRole("button", { name: labels.bulk.unread }).click();
    await page.getByText("Nothing can be stored now: The disk is full.").waitFor();
    expect(await row.count()).toBe(1);
  });
});
