import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { PAGES_OF_PARTS } from "../../seed/pictures/all-states.ts";
import { openState } from "../../seed/pictures/open-state.ts";
import type { PictureSite } from "../../seed/pictures/picture-site.ts";
import { type SiteName, startSites } from "../../seed/pictures/picture-sites.ts";
import { sharedBrowser } from "../support/pages/browser.ts";
import { isFullRun } from "../support/run/full-run.ts";

const PHONE = { width: 390, height: 844 };
const scriptOf = (name: string) => readFileSync(join(import.meta.dir, "../support/pages", name), "utf8");
const SMALL_TARGETS = scriptOf("small-targets.js");
const CUT_RINGS = scriptOf("cut-rings.js");
/**
 * Leaves the first rows of long lists: more are of the same kinds, and each of their many targets is looked at in
 * steps of a quarter of a pixel.
 */
const SHORTEN = `{
  const lists = [...document.querySelectorAll("main :is(ul, tbody)")].map(({ children }) => [...children]);
  for (const rows of [...lists, [...document.querySelectorAll(".bookmarks > li")]])
    for (const row of rows.slice(12)) row.remove();
}`;
/** Doubles the size of all text. The result is by how much the page is then wider than the window. */
const EXCESS_WIDTH = `(() => {
  document.documentElement.style.fontSize = "200%";
  return document.documentElement.scrollWidth - innerWidth;
})()`;

/** The controls of the documentation of the API are those of Swagger UI. */
const FOREIGN = "/docs";
/** The states of the short run: lists, forms, texts, the editor. */
const FEW =
  /^(library|library-compact|search|bookmark|tags|front|post|archive|write|editor|settings|import-preview)$/;

/** The other states of a page that may differ from its first on a phone: long texts, errors, selections. */
const SPECIAL = /hostile|errors|select|compact|sheet|unread/;

const states = PAGES_OF_PARTS.flatMap((pages) => Object.values(pages))
  .flatMap((ofPage) =>
    ofPage.filter(({ name }, index) => FEW.test(name) || (isFullRun && (index === 0 || SPECIAL.test(name)))),
  )
  .map((state) => [state.name, state] as const);

describe("On a phone", () => {
  const toEnd = new AsyncDisposableStack();
  let sites: Readonly<Record<SiteName, PictureSite>>;
  let browser: Browser;
  beforeAll(async () => {
    sites = await startSites(toEnd);
    browser = await sharedBrowser();
  });
  afterAll(() => toEnd.disposeAsync());

  test.each(states)(
    "%s has no target below 40 px, rings that are whole, and room for text of double size",
    async (_, state) => {
      const page = await openState(browser, sites[state.on ?? "full"], state, { hasTouch: true });
      await page.evaluate(SHORTEN);
      if (state.path !== FOREIGN) expect(await page.evaluate(CUT_RINGS)).toEqual([]);
      await page.setViewportSize(PHONE);
      if (state.path !== FOREIGN) {
        expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
        expect(await page.evaluate(CUT_RINGS)).toEqual([]);
      }
      expect(await page.evaluate(EXCESS_WIDTH)).toBeLessThanOrEqual(0);
      await page.context().close();
    },
  );
});
