import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { renderMarkdown } from "../../src/posts/rendering/render-markdown.ts";
import { launchBrowser } from "../support/browser.ts";
import { hostileMarkup } from "../support/hostile-markup.ts";

const rendered = hostileMarkup.map((text) => renderMarkdown(text, new Map()).html);

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test("no hostile text runs script in a browser, not even without the pages' policy", async () => {
  expect(hostileMarkup.length).toBeGreaterThan(1_000);
  expect(await textsThatRun(rendered)).toEqual([]);
}, 60_000);

test("the same texts run script when they are shown as they are: the test can tell", async () => {
  expect((await textsThatRun(hostileMarkup.slice(0, 60))).length).toBeGreaterThan(10);
}, 60_000);

test("of a hostile text nothing is left that could run, load, submit or style", async () => {
  const page = await offlinePage();
  await page.setContent(rendered.join("\n"));
  await page.addScriptTag({ path: join(import.meta.dir, "../support/try-markup.js") });
  const { elements, attributes, schemes } = await page.evaluate<Inventory>("inventory()");
  const allowed =
    /^(?:a|abbr|aside|b|bdi|bdo|blockquote|br|caption|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|footer|h2|h3|h4|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|rp|rt|ruby|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|time|tr|u|ul|var|wbr|script)$/;
  expect(elements.filter((name) => !allowed.test(name))).toEqual([]);
  // The one script is the test's own.
  expect(await page.locator("script").count()).toBe(1);
  expect(attributes.filter((name) => /^on|^style$|^name$|action|^target$|^src(?:doc)$/.test(name))).toEqual(
    [],
  );
  expect(schemes.filter((scheme) => !/^(?:https?|mailto|tel|about|):$/.test(scheme))).toEqual([]);
  await page.close();
}, 60_000);

interface Inventory {
  readonly elements: string[];
  readonly attributes: string[];
  readonly schemes: string[];
}

/** @returns the texts of which anything ran, wherever the call came from */
async function textsThatRun(texts: readonly string[]): Promise<string[]> {
  const page = await offlinePage();
  await page.setContent("<main></main>");
  await page.addScriptTag({ path: join(import.meta.dir, "../support/try-markup.js") });
  const ran = await page.evaluate<string[]>(`textsThatRun(${JSON.stringify(texts)})`);
  await page.close();
  return ran;
}

async function offlinePage(): Promise<Page> {
  const page = await browser.newPage();
  await page.route("**", (route) => route.abort());
  page.on("dialog", (dialog) => dialog.dismiss());
  return page;
}
