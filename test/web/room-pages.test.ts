import { beforeAll, describe } from "bun:test";
import type { Page } from "playwright-core";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { keepPlace } from "../../src/copies/reading-store.ts";
import { makeImage } from "../support/files/images.ts";
import { describePages, type PageState, usePageSite } from "../support/pages/page-visits.ts";
import { extractedPage, makeCopy } from "../support/records/copies.ts";
import { makeMark } from "../support/records/marks.ts";

const WORDS = "The commonplace book was a place to put what one had read, under headings of one’s own. ";
const ROW = `<tr>${"<td>A. and J. Churchill, London</td>".repeat(8)}</tr>`;
const ARTICLE = [
  `<p>${WORDS.repeat(6)}<sup><a href="#copy-n">1</a></sup></p>`,
  '<figure><img src="picture-1" alt="A page of 1710" loading="lazy"><figcaption>Its index.</figcaption></figure>',
  `<h2>Of its heads</h2><blockquote><p>${WORDS}</p></blockquote>`,
  `<pre><code class="language-js">${"const index = new Map(entries); ".repeat(6)}</code></pre>`,
  `<table><thead><tr><th scope="col">Printer</th></tr></thead><tbody>${ROW}</tbody></table>`,
  `<p>It is <math><mi>a</mi><mo>=</mo><mn>2</mn></math>, and ${"unbroken".repeat(30)}.</p><p id="copy-n">1. A note.</p>`,
].join("");
/** Words of several paragraphs, a table, a formula, words that overlap, and words that are gone. */
const MARKS = [
  [
    "place to put what one had read, under headings of one’s own",
    `Compare with Locke. ${"Again and again. ".repeat(20)}`,
  ],
  ["under headings of one’s own. The commonplace book", ""],
  ["Its index.\n\nOf its heads\n\nThe commonplace book", "Of the picture, and of what follows it"],
  ["const index = new Map(entries); const", "In code"],
  ["Churchill, London", "In a table"],
  ["It is a=2, and", "A formula"],
  ["These words were taken out of the page", "They were on its first page."],
] as const;
/** The days on which the copies were taken. */
const DAYS = ["2026-11-02T10:00:00Z", "2026-11-20T10:00:00Z"];

/** Selects the caption of the picture. */
async function select(page: Page): Promise<void> {
  await page.locator(".prose figcaption").click({ clickCount: 3 });
  await page.locator("#mark-bar").waitFor();
}

const STATES: readonly PageState[] = [
  { name: "room", path: "/library/1/read", signedIn: true },
  {
    name: "room-look",
    like: "room",
    path: "/library/1/read",
    signedIn: true,
    act: (page) => page.getByText("Display", { exact: true }).click(),
  },
  {
    name: "room-keys",
    like: "room",
    path: "/library/1/read",
    signedIn: true,
    act: (page) => page.keyboard.press("?"),
  },
  { name: "room-other-copy", like: "room", path: "/library/1/read?copy=1", signedIn: true },
  { name: "room-rtl", like: "room", path: "/library/2/read", signedIn: true },
  { name: "room-pdf", like: "room", path: "/library/3/read", signedIn: true },
  { name: "room-missing", like: "room", path: "/library/4/read", signedIn: true },
  { name: "room-marks", like: "room-note", path: "/library/5/read", signedIn: true },
  { name: "room-paragraphs", like: "room-note", path: "/library/5/read?mark=paragraphs", signedIn: true },
  {
    name: "room-selected",
    like: "room-note",
    path: "/library/5/read",
    signedIn: true,
    act: select,
  },
  {
    name: "room-note",
    path: "/library/5/read",
    signedIn: true,
    act: async (page) => {
      await select(page);
      await page.locator("#mark-bar").getByRole("button", { name: "Add a note" }).click();
    },
  },
  { name: "mark", like: "room-note", path: "/library/5/marks/1", signedIn: true },
];

describe("The reading room", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });
  beforeAll(async () => {
    const { database } = site;
    for (const title of [
      "On commonplace books",
      "كتاب",
      "A paper",
      "A page that nobody has kept",
      "Marked",
    ]) {
      const link = { title, url: `https://books.example/${encodeURIComponent(title)}`, description: "" };
      await database.write((sql) => insertBookmark(sql, link, undefined, new Date(DAYS[0] ?? "")));
    }
    await database.write((sql) => sql`update bookmarks set unread = ${true} where id = ${4}`);
    const bytes = await makeImage("png", { width: 900, height: 500 });
    const pictures = [{ url: "data:", bytes }];
    const article = { html: ARTICLE, words: 1_830, pictures, site: "The Margin" };
    for (const title of ["On Commonplace Books (a draft)", "On Commonplace Books"])
      await makeCopy(database, 1, title, { page: await extractedPage(title, article) });
    const html = `<p>${"الكتاب خير جليس. ".repeat(30)}</p>`;
    const arabic = { html, words: 90, language: "ar", direction: "rtl", isArticle: false } as const;
    await makeCopy(database, 2, "كتاب", { page: await extractedPage("في حفظ الكتب", arabic) });
    const original = { bytes: Buffer.from("%PDF-1.4"), type: "application/pdf" };
    await makeCopy(database, 3, "A paper", { page: undefined, original });
    await makeCopy(database, 5, "Marked", { page: await extractedPage("Marked", article) });
    for (const [quote, note] of MARKS) await makeMark(database, 5, quote, { note });
    await database.write(async (sql) => {
      for (const id of [1, 2, 3, 4, 5])
        await sql`update copies set taken_at = ${new Date(DAYS[id === 1 ? 0 : 1] ?? "")} where id = ${id}`;
      await keepPlace(sql, 1, { place: 400, progress: 41 }, new Date(DAYS[1] ?? ""));
    });
  });

  describePages("Its pages", site, STATES);
});
