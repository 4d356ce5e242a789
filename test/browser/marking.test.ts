/** Marking in the reading room with a pointer, the keyboard, a finger, and without a script. */
import { beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import type { Mark } from "../../src/marks/mark.ts";
import { marksOf } from "../../src/marks/mark-store.ts";
import { until } from "../support/machine/until.ts";
import { usePageSite, watch } from "../support/pages/page-visits.ts";
import { extractedPage, makeCopy } from "../support/records/copies.ts";
import { fullRunTest } from "../support/run/full-run.ts";

const HTML = [
  '<p>Once <em>upon</em> a time &amp; place, <a href="https://example.com/">a reader</a> marked words.</p>',
  "<ul><li>The first item.</li><li>The second &lt;item&gt;.<ul><li>One within it.</li></ul></li></ul>",
  "<pre><code>let a = 1;\n  let b = 2;</code></pre>",
  "<table><tr><th>Year</th><th>Book</th></tr><tr><td>1706</td><td>A New Method</td></tr></table>",
  "<p>A formula <math><mi>a</mi><mo>=</mo><mn>2</mn></math> and <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>.</p>",
  `<p>${"Many words follow here. ".repeat(60)}</p><p>The end.</p>`,
].join("");

const site = usePageSite();
let id: number;

beforeEach(async () => {
  const link = { title: "A link", url: `https://example.com/${crypto.randomUUID()}`, description: "" };
  ({ id } = await site.database.write((sql) => insertBookmark(sql, link, undefined, new Date())));
  await makeCopy(site.database, id, "A page", {
    page: await extractedPage("A page", { html: HTML, words: 300 }),
  });
});

const marks = (): Promise<Mark[]> => marksOf(site.database.read, [id]);

async function open(options = {}): Promise<{ page: Page; faults: string[] }> {
  const page = await site.page({ viewport: { width: 1280, height: 700 }, ...options }, true);
  const faults = watch(page, site.server.url);
  await page.goto(`/library/${id}/read`);
  return { page, faults };
}

/** Selects a part of the text by its characters. @returns the words */
async function select(page: Page, start: number, end: number): Promise<string> {
  return page.evaluate(
    ([start, end]) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
      const { document, getSelection, NodeFilter } = globalThis as any;
      const walker = document.createTreeWalker(document.querySelector(".prose"), NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      let at = 0;
      for (let node = walker.nextNode(); node; at += node.length, node = walker.nextNode()) {
        if (start >= at && start < at + node.length) range.setStart(node, start - at);
        if (end > at && end <= at + node.length) range.setEnd(node, end - at);
      }
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return range.toString() as string;
    },
    [start, end] as const,
  );
}

/** Where the words of a paragraph are. */
async function boxOf(page: Page, paragraph: number) {
  const box = await page.locator(".prose p").nth(paragraph).boundingBox();
  if (box === null) throw new Error("there is no such paragraph");
  return box;
}

const bar = (page: Page) => page.locator("#mark-bar");
/** Waits for a number of marks in the page. */
const shown = async (page: Page, count: number) => {
  await page
    .locator("mark[id]")
    .nth(count - 1)
    .waitFor();
  expect(await page.locator("mark[id]").count()).toBe(count);
};
const visible = (text: string) => text.replace(/\s/g, "");

test("two clicks select a word, and m marks it, where it is", async () => {
  const { page, faults } = await open();
  await page.evaluate("scrollTo(0, 60)");
  const { x, y } = await boxOf(page, 0);
  expect(await bar(page).isVisible()).toBe(false);
  await page.mouse.dblclick(x + 20, y + 12);
  await bar(page).waitFor();
  expect(String(await page.evaluate("String(getSelection())")).trim()).toBe("Once");
  // It stands beside the text, not on it.
  const box = await bar(page).boundingBox();
  const text = await page.locator(".prose").boundingBox();
  expect(box?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
  await page.keyboard.press("m");
  await shown(page, 1);
  // A second press makes no second mark, nor has it the key’s other meaning.
  await page.keyboard.press("m");
  await bar(page).waitFor({ state: "hidden" });
  expect([await page.evaluate("scrollY"), new URL(page.url()).pathname]).toEqual([60, `/library/${id}/read`]);
  expect(await page.locator("#marks-here blockquote").allTextContents()).toEqual(["Once"]);
  expect((await marks()).map(({ quote, position }) => [quote, position])).toEqual([["Once", 0]]);
  // Without a selection, the key is that of the button at the end.
  await page.keyboard.press("m");
  await page.waitForURL("**/library/later");
  expect(faults).toEqual([]);
  await page.close();
});

test("what is selected is what is marked, also beside marks and notes", async () => {
  const { page, faults } = await open();
  const length = Number(await page.evaluate(`document.querySelector(".prose").textContent.length`));
  const ranges = [
    ...[
      [0, 30],
      [5, 9],
      [20, 75],
      [60, 110],
      [100, 140],
      [120, 190],
      [150, 215],
      [10, 30],
    ],
    [length - 20, length],
  ] as [number, number][];
  for (const [index, [start, end]] of ranges.entries()) {
    const words = await select(page, start, end);
    await bar(page).waitFor();
    if (index % 2 === 0) await bar(page).getByRole("button", { name: "Mark", exact: true }).click();
    else {
      await bar(page).getByRole("button", { name: "Add a note" }).click();
      await page.getByLabel("Note", { exact: true }).fill(`Note ${index}\nof two lines`);
      await bar(page).getByRole("button", { name: "Save" }).click();
    }
    await shown(page, index + 1);
    const made = (await marks()).at(-1);
    expect(visible(made?.quote ?? "")).toBe(visible(words));
  }
  expect(await page.evaluate(`document.querySelector(".prose").textContent.length`)).toBe(length);
  expect(faults).toEqual([]);
  await page.close();
});

fullRunTest(
  "selecting stays selecting: by keyboard, by three clicks, and by dragging over the bar's place",
  async () => {
    const { page } = await open({ viewport: { width: 700, height: 700 } });
    const { x, y } = await boxOf(page, 0);
    await page.mouse.dblclick(x + 20, y + 12);
    for (let step = 0; step < 3; step++) await page.keyboard.press("Shift+ArrowRight");
    await bar(page).waitFor();
    expect(await page.evaluate("String(getSelection())")).toBe("Once up");
    await page.mouse.click(x + 300, y + 12);
    await bar(page).waitFor({ state: "hidden" });
    await page.mouse.click(x + 20, y + 12, { clickCount: 3 });
    await bar(page).waitFor();
    // Without room beside the text, it stands below.
    expect((await bar(page).boundingBox())?.y).toBeGreaterThan(y + 20);
    // While the pointer is down, it is not there.
    await page.mouse.click(x + 300, y + 12);
    await page.mouse.move(x + 2, y + 12);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 60, { steps: 4 });
    expect(await bar(page).isVisible()).toBe(false);
    await page.mouse.up();
    await bar(page).waitFor();
    await page.mouse.click(x + 30, y + 200);
    await bar(page).waitFor({ state: "hidden" });
    expect(await marks()).toEqual([]);
    await page.close();
  },
);

fullRunTest("a note that is cancelled leaves the words selected", async () => {
  const { page } = await open();
  const words = await select(page, 5, 20);
  await bar(page).getByRole("button", { name: "Add a note" }).click();
  const note = page.getByLabel("Note", { exact: true });
  await note.fill("Not kept");
  // Keys of the page are none of the bar’s, and a press elsewhere leaves what is written.
  await note.press("Tab");
  await page.keyboard.press("m");
  const { x, y } = await boxOf(page, 0);
  await page.mouse.click(x + 300, y + 12);
  expect(await note.inputValue()).toBe("Not kept");
  await note.press("Escape");
  await bar(page).getByRole("button", { name: "Mark", exact: true }).click();
  await shown(page, 1);
  expect((await marks()).map(({ quote, note }) => [quote, note])).toEqual([[words.trim(), ""]]);
  await page.close();
});

test("what fails is said, and keeps the words and the note", async () => {
  const { page } = await open();
  await select(page, 5, 20);
  await bar(page).getByRole("button", { name: "Add a note" }).click();
  await page.getByLabel("Note", { exact: true }).fill("Kept");
  const save = bar(page).getByRole("button", { name: "Save" });
  await page.context().setOffline(true);
  await save.click();
  await bar(page).getByText("the server can’t be reached").waitFor();
  await page.context().setOffline(false);
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await save.click();
  await bar(page).getByText("you are signed out").waitFor();
  await page.context().addCookies(cookies);
  // Another tab has deleted the copy.
  await site.database.write((sql) => sql`update copies set extractor = ${7} where bookmark_id = ${id}`);
  await save.click();
  await bar(page).getByText("has changed since the page was opened").waitFor();
  await site.database.write((sql) => sql`update copies set extractor = ${1} where bookmark_id = ${id}`);
  await save.click();
  await shown(page, 1);
  expect((await marks()).map(({ note }) => note)).toEqual(["Kept"]);
  // The browser has translated the page.
  await page.evaluate(`document.querySelector(".prose p").firstChild.data = "Es war "`);
  await select(page, 0, 6);
  await bar(page).getByRole("button", { name: "Mark", exact: true }).click();
  await bar(page).getByText("The page shows other words than the copy").waitFor();
  // Too much.
  await page.evaluate(`document.querySelector(".prose").append("x".repeat(6000))`);
  await page.evaluate(`getSelection().selectAllChildren(document.querySelector(".prose"))`);
  await bar(page).getByRole("button", { name: "Mark", exact: true }).click();
  await bar(page).getByText("The text has no such words").waitFor();
  await page.close();
});

fullRunTest("on a phone, a bar stands at the foot while words are selected", async () => {
  const { page } = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await select(page, 5, 20);
  await bar(page).waitFor();
  const box = await bar(page).boundingBox();
  const foot = await page.locator(".phone-bar").boundingBox();
  expect(box?.width).toBe(390);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(foot?.y ?? 0, 0);
  for (const button of await bar(page).getByRole("button").all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await bar(page).getByRole("button", { name: "Mark", exact: true }).tap();
  await shown(page, 1);
  await bar(page).waitFor({ state: "hidden" });
  await select(page, 30, 40);
  await bar(page).waitFor();
  await page.evaluate("getSelection().empty()");
  await bar(page).waitFor({ state: "hidden" });
  await page.close();
});

fullRunTest(
  "without a script, a paragraph is marked by its button, and its note written on the page of the mark",
  async () => {
    const { page } = await open({ viewport: { width: 390, height: 800 }, javaScriptEnabled: false });
    await page.getByRole("link", { name: "Mark paragraphs" }).click();
    await page.locator(".prose p").first().getByRole("button", { name: "Mark" }).click();
    await page.waitForURL(/mark=paragraphs#mark-\d+$/);
    expect(visible((await marks())[0]?.quote ?? "")).toBe("Onceuponatime&place,areadermarkedwords.");
    await page.locator(".of-mark").first().click();
    await page.waitForURL(/#note-\d+$/);
    await page.getByRole("link", { name: "Add a note" }).click();
    await page.getByLabel("Note").fill("Mine");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Note saved.").waitFor();
    await page.getByRole("link", { name: "Show in the text" }).click();
    await page.waitForURL(/#mark-\d+$/);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Mark removed.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await until("the mark is back", async () => (await marks()).length === 1);
    await page.close();
  },
);
