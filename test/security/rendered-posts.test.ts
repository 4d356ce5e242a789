import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Browser } from "playwright-core";
import { renderMarkdown } from "../../src/posts/rendering/render-markdown.ts";
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

const rendered = hostileMarkup.map((text) => renderMarkdown(text, new Map()).html);

/** Elements that a post may have; the one script of a page is the test's own. */
const ALLOWED =
  /^(?:a|abbr|aside|b|bdi|bdo|blockquote|br|caption|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|footer|h2|h3|h4|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|rp|rt|ruby|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|time|tr|u|ul|var|wbr|script)$/;
const FORBIDDEN = /^on|^style$|^name$|action|^target$|^srcdoc$/;
const SCHEMES = /^(?:https?|mailto|tel|about|):$/;

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

test("no hostile text runs script in a browser, not even without the pages' policy", async () => {
  expect(hostileMarkup.length).toBeGreaterThan(1_000);
  expect(await textsThatRun(browser, rendered)).toEqual([]);
});

test("the same texts run scripts if they are not sanitized, so the test can fail", async () => {
  expect((await textsThatRun(browser, hostileMarkup.slice(0, 60))).length).toBeGreaterThan(10);
});

test("nothing of a hostile text can run scripts, load, submit or style anything", async () => {
  const page = await offlinePage(browser);
  await page.setContent(rendered.join("\n"));
  await page.addScriptTag({ path: TRY_MARKUP });
  const { elements, attributes, schemes } = await page.evaluate<Inventory>("inventory()");
  expect(elements.filter((name) => !ALLOWED.test(name))).toEqual([]);
  // The one script is the test's own.
  expect(await page.locator("script").count()).toBe(1);
  expect(attributes.filter((name) => FORBIDDEN.test(name))).toEqual([]);
  expect(schemes.filter((scheme) => !SCHEMES.test(scheme))).toEqual([]);
  await page.close();
});

test(`nothing of recombined parts of hostile texts can do so either (${RUNS} texts)`, async () => {
  const texts = fc.sample(recombined, RUNS);
  const page = await offlinePage(browser);
  await page.addScriptTag({ path: TRY_MARKUP });
  const forbiddenIn = (html: readonly string[]) =>
    page.evaluate<{ text: string; found: string[] }[]>(
      `forbiddenIn(${JSON.stringify([html, ALLOWED.source, FORBIDDEN.source, SCHEMES.source]).slice(1, -1)})`,
    );
  expect((await forbiddenIn(texts)).length).toBeGreaterThan(RUNS / 10);
  expect(await forbiddenIn(texts.map((text) => renderMarkdown(text, new Map()).html))).toEqual([]);
  await page.close();
}, 600_000);
