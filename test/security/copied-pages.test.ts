import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Browser } from "playwright-core";
import { readTree } from "../../src/copies/extraction/page-tree.ts";
import { sanitizeCopy } from "../../src/copies/extraction/sanitize-copy.ts";
import { hostileMarkup as forPages } from "../support/copies/hostile-markup.ts";
import { sharedBrowser } from "../support/pages/browser.ts";
import { hostileMarkup } from "../support/pages/hostile-markup.ts";
import {
  type Inventory,
  offlinePage,
  recombined,
  TRY_MARKUP,
  textsThatRun,
} from "../support/pages/try-markup.ts";
import { rounds } from "../support/run/full-run.ts";

const RUNS = Number(process.env.FUZZ_RUNS ?? rounds(60, 1_000));
const URL_OF_PAGES = "https://pages.example/";

/** What is shown of a page that consists of a text. */
function copied(text: string): string {
  const { document, dataUrls } = readTree(text, URL_OF_PAGES);
  const source = { url: URL_OF_PAGES, base: URL_OF_PAGES, dataUrls, hasFilms: true };
  return sanitizeCopy([document.body], source).html;
}

/** Elements that a copy may have; the one script of a page is the test's own. */
const ALLOWED =
  /^(?:a|abbr|b|bdi|bdo|blockquote|br|caption|cite|code|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|h[2-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|rp|rt|ruby|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var|wbr|math|menclose|merror|mfrac|mi|mmultiscripts|mn|mo|mover|mpadded|mphantom|mprescripts|mroot|mrow|ms|mspace|msqrt|mstyle|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|semantics|script)$/;
const FORBIDDEN = /^on|^style$|^name$|action|^target$|^src(?:doc|set)$|^xlink/;
const SCHEMES = /^(?:https?|about|):$/;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

const all = [...hostileMarkup, ...forPages];

test("no hostile page runs script in a copy of it, not even without the pages' policy", async () => {
  expect(await textsThatRun(browser, all.map(copied))).toEqual([]);
});

test("the same pages run scripts as they are, so the test can fail", async () => {
  expect((await textsThatRun(browser, forPages)).length).toBeGreaterThan(10);
});

test("nothing in a copy can run scripts, load, submit or style anything", async () => {
  const page = await offlinePage(browser);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.setContent(all.map(copied).join("\n"));
  await page.addScriptTag({ path: TRY_MARKUP });
  const { elements, attributes, schemes } = await page.evaluate<Inventory>("inventory()");
  expect(elements.filter((name) => !ALLOWED.test(name))).toEqual([]);
  expect(await page.locator("script").count()).toBe(1);
  expect(attributes.filter((name) => FORBIDDEN.test(name))).toEqual([]);
  expect(schemes.filter((scheme) => !SCHEMES.test(scheme))).toEqual([]);
  expect(requests.filter((url) => !/picture-\d+$/.test(url))).toEqual([]);
  await page.close();
});

test(`nothing in copies of recombined parts can do so either (${RUNS} pages)`, async () => {
  const texts = fc.sample(recombined, RUNS);
  const page = await offlinePage(browser);
  await page.addScriptTag({ path: TRY_MARKUP });
  const forbiddenIn = (html: readonly string[]) =>
    page.evaluate<{ text: string; found: string[] }[]>(
      `forbiddenIn(${JSON.stringify([html, ALLOWED.source, FORBIDDEN.source, SCHEMES.source]).slice(1, -1)})`,
    );
  expect((await forbiddenIn(texts)).length).toBeGreaterThan(RUNS / 10);
  expect(await forbiddenIn(texts.map(copied))).toEqual([]);
  await page.close();
}, 600_000);
