import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import { renderMarkdown } from "../../src/posts/rendering/render-markdown.ts";
import { launchBrowser } from "../support/pages/browser.ts";
import { hostileMarkup } from "../support/pages/hostile-markup.ts";
import { rounds } from "../support/run/full-run.ts";

const RUNS = Number(process.env.FUZZ_RUNS ?? rounds(60, 1_000));

/** What a parser of Markdown or HTML may take for the beginning or the end of something. */
const BETWEEN = [
  ...[
    "",
    " ",
    "\n",
    "\n\n",
    "\0",
    "\t",
    "`",
    "```\n",
    "    ",
    "> ",
    "- ",
    "| a |\n|---|\n| ",
    "[^1]: ",
    "**",
    "\\",
  ],
  ...[
    "<",
    ">",
    '"',
    "'",
    "=",
    "/",
    "&",
    "&#",
    ";",
    "<!--",
    "-->",
    "]]>",
    "<![CDATA[",
    "<?",
    "</p>",
    "<p ",
    "<svg>",
    "<math>",
  ],
  ...[
    "<style>",
    "</style>",
    "<title>",
    "<noscript>",
    "<template>",
    "<table>",
    "<select>",
    "![](",
    "[a](",
    ")",
    "<https:",
  ],
];

/** Pieces of hostile texts, with something between them. */
const piece = fc
  .tuple(fc.constantFrom(...hostileMarkup), fc.nat(200), fc.integer({ min: 1, max: 120 }))
  .map(([text, from, length]) => text.slice(from % text.length).slice(0, length));
const recombined = fc
  .array(fc.oneof(piece, fc.constantFrom(...BETWEEN)), { minLength: 2, maxLength: 8 })
  .map((pieces) => pieces.join(""));

const rendered = hostileMarkup.map((text) => renderMarkdown(text, new Map()).html);

/** Elements that a post may have; the one script of a page is the test's own. */
const ALLOWED =
  /^(?:a|abbr|aside|b|bdi|bdo|blockquote|br|caption|cite|code|dd|del|details|div|dl|dt|em|figcaption|figure|footer|h2|h3|h4|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|rp|rt|ruby|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|time|tr|u|ul|var|wbr|script)$/;
const FORBIDDEN = /^on|^style$|^name$|action|^target$|^srcdoc$/;
const SCHEMES = /^(?:https?|mailto|tel|about|):$/;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test("no hostile text runs script in a browser, not even without the pages' policy", async () => {
  expect(hostileMarkup.length).toBeGreaterThan(1_000);
  expect(await textsThatRun(rendered)).toEqual([]);
});

test("the same texts run scripts if they are not sanitized, so the test can fail", async () => {
  expect((await textsThatRun(hostileMarkup.slice(0, 60))).length).toBeGreaterThan(10);
});

test("nothing of a hostile text can run scripts, load, submit or style anything", async () => {
  const page = await offlinePage();
  await page.setContent(rendered.join("\n"));
  await page.addScriptTag({ path: join(import.meta.dir, "../support/pages/try-markup.js") });
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
  const page = await offlinePage();
  await page.addScriptTag({ path: join(import.meta.dir, "../support/pages/try-markup.js") });
  const forbiddenIn = (html: readonly string[]) =>
    page.evaluate<{ text: string; found: string[] }[]>(
      `forbiddenIn(${JSON.stringify([html, ALLOWED.source, FORBIDDEN.source, SCHEMES.source]).slice(1, -1)})`,
    );
  expect((await forbiddenIn(texts)).length).toBeGreaterThan(RUNS / 10);
  expect(await forbiddenIn(texts.map((text) => renderMarkdown(text, new Map()).html))).toEqual([]);
  await page.close();
}, 600_000);

interface Inventory {
  readonly elements: string[];
  readonly attributes: string[];
  readonly schemes: string[];
}

/** @returns the texts of which anything ran, wherever the call came from */
async function textsThatRun(texts: readonly string[]): Promise<string[]> {
  const page = await offlinePage();
  await page.setContent("<main></main>");
  await page.addScriptTag({ path: join(import.meta.dir, "../support/pages/try-markup.js") });
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
