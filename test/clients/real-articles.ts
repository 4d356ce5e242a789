import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { extractPage } from "../../src/copies/extraction/extract-page.ts";
import { readTree } from "../../src/copies/extraction/page-tree.ts";
import { sanitizeCopy } from "../../src/copies/extraction/sanitize-copy.ts";

/**
 * Compares the articles that are extracted from saved pages with those that Readability expects:
 * `npm run real-articles -- FOLDER`, with the folder of Readability's test pages. Pages of others are not part of this repository.
 */

/** The share of words that must be the same. */
const ENOUGH = 0.95;
const URL_OF_PAGES = "http://fakehost/test/page.html";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder with the test pages of Readability.");
const pages = readdirSync(resolve(folder)).toSorted();

/** The words of an expected article, as they stand there. */
function expectedWords(html: string): string[] {
  const { document, dataUrls } = readTree(html, URL_OF_PAGES);
  const source = { url: URL_OF_PAGES, base: URL_OF_PAGES, dataUrls, hasFilms: false };
  return wordsOf(sanitizeCopy([document.body], source).text);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** The harmonic mean of precision and recall, of words with their number. */
function similarity(found: readonly string[], expected: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of expected) left.set(word, (left.get(word) ?? 0) + 1);
  let same = 0;
  for (const word of found) {
    const count = left.get(word) ?? 0;
    if (count > 0) same++;
    left.set(word, count - 1);
  }
  return found.length + expected.length === 0 ? 1 : (2 * same) / (found.length + expected.length);
}

const costs: number[] = [];
let right = 0;
for (const page of pages) {
  const read = (name: string) => readFileSync(join(resolve(folder), page, name));
  const before = process.cpuUsage();
  let found = { text: "", isArticle: false };
  try {
    found = extractPage(read("source.html"), URL_OF_PAGES, "text/html; charset=utf-8");
  } catch (error) {
    console.log(`${page}: ${error}`);
  }
  const { user, system } = process.cpuUsage(before);
  costs.push((user + system) / 1_000);
  const equal = similarity(wordsOf(found.text), expectedWords(read("expected.html").toString()));
  if (equal >= ENOUGH) right++;
  else console.log(`${page}: ${equal.toFixed(3)}${found.isArticle ? "" : ", not taken for an article"}`);
}
costs.sort((one, other) => one - other);
const share = (part: number) => Math.round(costs[Math.floor((costs.length - 1) * part)] ?? 0);
console.log(`${right} of ${pages.length} articles have at least ${ENOUGH * 100} % of their words.`);
console.log(`CPU of a page: median ${share(0.5)} ms, p95 ${share(0.95)} ms, most ${share(1)} ms.`);
