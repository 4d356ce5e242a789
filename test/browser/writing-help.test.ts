/** What the editor does while one types: lists, links, images, words, and the name of its button. */
import { beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { makeImage } from "../support/files/images.ts";
import { until } from "../support/machine/until.ts";
import { usePageSite } from "../support/pages/page-visits.ts";
import { fullRunTest } from "../support/run/full-run.ts";

const site = usePageSite({ BOOKMARKS_ACCESS: "private" });
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  context = await site.window();
  page = await context.newPage();
  await page.goto("/sign-in");
  // The first field has the focus.
  await page.waitForSelector("#username:focus");
  await page.keyboard.type("ada");
  await page.fill("#password", "correct horse battery");
  await page.click("button[type=submit]");
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.goto(`/write/${crypto.randomUUID()}`);
});

/** Writes a text whose caret is at `|`, or whose selection is between two of them. */
async function write(marked: string): Promise<void> {
  const [before = "", selected = "", after] = marked.split("|");
  const text = after === undefined ? before + selected : before + selected + after;
  const end = after === undefined ? before.length : before.length + selected.length;
  await page.fill("#content", text);
  await page.evaluate(`document.forms[0].elements.content.setSelectionRange(${before.length}, ${end})`);
}

const read = () =>
  page.evaluate<string>(`{
    const { value, selectionStart } = document.forms[0].elements.content;
    value.slice(0, selectionStart) + "|" + value.slice(selectionStart);
  }`);

const untilHas = (field: string, text: string) =>
  until(`${field} has ${text}`, async () => (await page.inputValue(field)).includes(text), { every: 50 });

const ENTERED = [
  ["- one|", "- one\n- |"],
  ["- o|ne", "- o\n- |ne"],
  ["  * one|", "  * one\n  * |"],
  ["9. nine|", "9. nine\n10. |"],
  ["1) one|", "1) one\n2) |"],
  ["- [x] done|", "- [x] done\n- [ ] |"],
  ["> said|", "> said\n> |"],
  // An empty item ends the list.
  ["- one\n- |", "- one\n|"],
  ["1. one\n2. |\nafter", "1. one\n|\nafter"],
  // No lists: words, code, the middle of a mark.
  ["-5 degrees|", "-5 degrees\n|"],
  ["words|", "words\n|"],
  ["```\n- one|", "```\n- one\n|"],
  ["|- one", "\n|- one"],
] as const;

const focused = () => page.evaluate<string>("document.activeElement.ariaLabel || document.activeElement.id");

/** Selects a part of the text, as the keyboard does. */
async function select(from: number, to: number): Promise<void> {
  await page.focus("#content");
  await page.evaluate(`document.forms[0].elements.content.setSelectionRange(${from}, ${to})`);
}

test("Enter leads from the title to the text; the marks at a selection are one stop for Tab before it", async () => {
  await write("Words.|");
  await page.fill("#title", "A week");
  await page.press("#title", "Shift+Enter");
  expect([await page.inputValue("#title"), await read(), await focused()]).toEqual([
    "A week",
    "|Words.",
    "Text, in Markdown",
  ]);
  const stopsOf = async (...keys: string[]) => {
    const stops = [];
    for (const key of keys) {
      await page.keyboard.press(key);
      stops.push(await focused());
    }
    return stops;
  };
  await page.focus("#title");
  expect(await stopsOf("Tab", "Tab")).toEqual(["tags", "Text, in Markdown"]);
  await select(0, 5);
  await page.locator(".tools.shown").waitFor();
  expect(
    await stopsOf("Shift+Tab", "ArrowRight", "ArrowRight", "ArrowRight", "End", "Tab", "Shift+Tab", "Escape"),
  ).toEqual(["Bold", "Italic", "Link", "Heading", "", "Text, in Markdown", "", "Text, in Markdown"]);
  // Until something else is selected.
  await page.locator(".tools:not(.shown)").waitFor({ state: "hidden" });
  expect(await page.evaluate<string>("getSelection().toString()")).toBe("Words");
  // A pasted title of two lines becomes one, too.
  await page.fill("#title", "A week\nof sourdough ");
  await page.keyboard.press("Tab");
  expect(await page.inputValue("#title")).toBe("A week of sourdough");
});

test("tags are shown apart, and a click, Enter and a comma begin another one", async () => {
  const chips = page.locator(".tag-chips bdi");
  const tags = page.locator("#tags");
  await tags.fill("river, #night train");
  await page.focus("#title");
  expect(await chips.allTextContents()).toEqual(["#river", "#night train"]);
  await tags.click();
  await page.keyboard.type("fog");
  await page.keyboard.press("Enter");
  await page.keyboard.type("ש");
  await page.keyboard.press("Enter");
  expect(await tags.inputValue()).toBe("river, #night train, fog, ש, ");
  await page.keyboard.press("Enter");
  expect([await focused(), await tags.inputValue()]).toEqual([
    "Text, in Markdown",
    "river, #night train, fog, ש",
  ]);
  expect(await chips.allTextContents()).toEqual(["#river", "#night train", "#fog", "#ש"]);
  // What was clicked and left is as it was.
  await tags.click();
  await page.focus("#title");
  expect(await tags.inputValue()).toBe("river, #night train, fog, ש");
  // The cross removes one, and the others are as they were but for their signs.
  await page.locator(".tag-chips .drop").nth(1).click();
  expect(await chips.allTextContents()).toEqual(["#river", "#fog", "#ש"]);
  expect(await tags.inputValue()).toBe("river, fog, ש");
  await tags.fill("");
});

const MARKED = [
  ["Bold", "a |word| b", "a **word** b"],
  ["Bold", "a **|word|** b", "a word b"],
  ["Italic", "a |word| b", "a _word_ b"],
  ["Link", "a |word| b", "a [word](url) b"],
  ["Heading", "|A week|", "## A week"],
  ["Quote", "|said|", "> said"],
  ["List", "|one\ntwo|", "- one\n- two"],
  ["Code", "a |word| b", "a `word` b"],
  // Two scripts, and signs of two code units.
  ["Bold", "שלום |עולם|", "שלום **עולם**"],
  ["Italic", "🌊 |🌉🌉| b", "🌊 _🌉🌉_ b"],
] as const;

test("a mark at the selection changes the text, and one step takes it back", async () => {
  for (const [name, before, after] of MARKED) {
    await write(before);
    const unmarked = await page.inputValue("#content");
    await page.focus("#content");
    await page.locator(".tools.shown").getByRole("button", { name, exact: true }).click();
    expect([name, before, await page.inputValue("#content")]).toEqual([name, before, after]);
    expect(await focused()).toBe("Text, in Markdown");
    await page.keyboard.press("Control+z");
    expect([name, before, await page.inputValue("#content")]).toEqual([name, before, unmarked]);
  }
});

fullRunTest(
  "the marks stand beside the selected lines and within the text, and measure nothing while one types",
  async () => {
    const line =
      "A line of the text that is long enough to be broken at the end of the column, as most are. ";
    await write(`|${`${line.repeat(3)}\n\n`.repeat(350)}|`);
    // 100,000 characters: whole, at the first line, in the middle, at the end.
    const { length } = await page.inputValue("#content");
    expect(length).toBeGreaterThan(95_000);
    // Measured for the first time, before it is counted.
    await page.locator(`.tools.shown[data-at="0-${length}"]`).waitFor();
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox();
      return box ?? { x: 0, y: 0, width: 0, height: 0 };
    };
    const COUNT = `new MutationObserver((all) => {
    window.measured += all.filter(({ addedNodes }) => addedNodes.length > 0).length;
  }).observe(document.querySelector(".mirror"), { childList: true })`;
    await page.evaluate(`window.measured = 0; ${COUNT}`);
    for (const [from, to] of [
      [0, 6],
      [270, 290],
      [50_000, 50_010],
      [length - 8, length - 2],
    ] as const) {
      await select(from, to);
      await page.locator(`.tools.shown[data-at="${from}-${to}"]`).waitFor();
      const [tools, text] = [await boxOf(".tools"), await boxOf("#content")];
      expect([from, tools.x >= text.x, tools.x + tools.width <= text.x + text.width + 1]).toEqual([
        from,
        true,
        true,
      ]);
    }
    expect(await page.evaluate<number>("window.measured")).toBe(4);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("Forty characters more, none of them lost");
    await page.locator(".tools:not(.shown)").waitFor({ state: "attached" });
    expect(await page.evaluate<number>("window.measured")).toBe(4);
  },
);

const INSERTED = [
  ["/", "Table", "| | |  |\n| --- | --- |\n|  |  |"],
  ["One.\n/co", "Code", "One.\n```\n|\n```"],
  ["/quo", "Quotation", "> |"],
  ["/Link", "Link from the library", "[[|"],
] as const;

test("/ at the beginning of a line offers a picture, a table, code, a quotation and a link", async () => {
  const field = page.locator("#content");
  const options = page.getByRole("listbox", { name: "Insert" }).getByRole("option");
  const names = async () => (await options.allTextContents()).map((name) => name.trim());
  const typed = async (text: string) => {
    await field.fill("");
    await field.pressSequentially(text);
  };
  await typed("/");
  await options.first().waitFor();
  expect(await names()).toEqual(["Picture", "Table", "Code", "Quotation", "Link from the library"]);
  expect(await page.getByText(/^5 choices\./).getAttribute("role")).toBe("status");
  // What has no room comes back with it.
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ ...size, height: 180 });
  await options.nth(4).waitFor({ state: "detached" });
  await page.setViewportSize(size);
  await options.nth(4).waitFor();
  for (const [text, name, after] of INSERTED) {
    await typed(text);
    await options.first().waitFor();
    const selected = page.getByRole("option", { selected: true });
    while ((await selected.textContent())?.trim() !== name) await field.press("ArrowDown");
    expect(await field.getAttribute("aria-activedescendant")).toBe(await selected.getAttribute("id"));
    await field.press("Enter");
    expect([text, await read()]).toEqual([text, after]);
    await field.press("Escape");
    await field.press("Control+z");
    expect(await field.inputValue()).toBe(text);
  }
  await typed("/pic");
  const chosen = page.waitForEvent("filechooser");
  await options.first().click();
  expect([(await chosen).isMultiple(), await field.inputValue()]).toEqual([true, ""]);
  // With the mouse, the button beside an empty line.
  await write("One.\n|\nTwo.");
  await page.locator(".insert-here").click();
  await options.nth(1).click();
  expect(await read()).toBe("One.\n| | |  |\n| --- | --- |\n|  |  |\nTwo.");
  await write("One.|");
  await page.locator(".insert-here").waitFor({ state: "hidden" });
  // Escape leaves the sign, and what is typed on.
  await typed("/ta");
  await options.first().waitFor();
  await field.press("Escape");
  await field.pressSequentially("r");
  expect([await options.count(), await read()]).toEqual([0, "/tar|"]);
  // Nothing is offered within a line, in code, and for a word that begins no name.
  for (const text of ["and/", "/usr", "```\n/"]) {
    await typed(text);
    // A list that is to open has opened by then.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
    expect([text, await options.count()]).toEqual([text, 0]);
  }
});

test("Enter continues a list, and ends it after an empty item", async () => {
  for (const [before, after] of ENTERED) {
    await write(before);
    await page.press("#content", "Enter");
    expect([before, await read()]).toEqual([before, after]);
  }
  // It can be undone as a step of its own.
  await write("- one|");
  await page.press("#content", "Enter");
  await page.press("#content", "Control+z");
  expect(await page.inputValue("#content")).toBe("- one");
});

const ADDRESS = "https://example.com/a";
const PASTED = [
  ["see |this| page", ADDRESS, `see [this](${ADDRESS})| page`],
  ["see |this| page", ` ${ADDRESS}\n`, `see [this](${ADDRESS})| page`],
  ["see |this|", "https://example.com/a_(b)", "see [this](<https://example.com/a_(b)>)|"],
  // Otherwise what is pasted takes the place of the selection, as everywhere.
  ["see |this| page", "that", "see that| page"],
  ["see | page", ADDRESS, `see ${ADDRESS}| page`],
  ["[this](|url|)", ADDRESS, `[this](${ADDRESS}|)`],
  ["|http://example.org/|", ADDRESS, `${ADDRESS}|`],
  ["|two\nlines|", ADDRESS, `${ADDRESS}|`],
] as const;

test("an address that is pasted on selected words makes a link of them", async () => {
  for (const [before, pasted, after] of PASTED) {
    await write(before);
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(pasted)});
      const event = new ClipboardEvent("paste", { clipboardData, cancelable: true, bubbles: true });
      if (document.forms[0].elements.content.dispatchEvent(event))
        document.execCommand("insertText", false, ${JSON.stringify(pasted)});
    }`);
    expect([before, pasted, await read()]).toEqual([before, pasted, after]);
  }
});

/** Texts and the number of their words, which the server and the page count alike. Each is another one than before, so that it is saved. */
const COUNTED = [
  ["One", "1 word · 1 min"],
  ["", "0 words"],
  ["Two [words](https://example.com/a-b)", "2 words · 1 min"],
  ["漢字", "2 words · 1 min"],
  ["word ".repeat(1_200), "1,200 words · 5 min"],
] as const;

test("words and minutes are counted while one types, as they are when the page is opened", async () => {
  const counted = page.locator(".desk-bar .counted");
  for (const [text, words] of COUNTED) {
    // It may be saved by itself before the key is pressed.
    const saved = page.waitForResponse((response) => {
      const request = response.request();
      return request.method() === "PUT" && request.postDataJSON().content === text;
    });
    await page.fill("#content", text);
    await counted.getByText(words, { exact: true }).waitFor();
    await page.press("#content", "Control+s");
    await saved;
    const html = await (await page.request.get(page.url())).text();
    expect(/class="counted"[^>]*>([^<]*)</.exec(html)?.[1]).toBe(words);
  }
});

test("words are counted, and the button is named after the date", async () => {
  // Neither addresses nor descriptions of images, but captions.
  await page.fill(
    "#content",
    'Two [words](https://example.com/a-b), it’s four.\n\n漢字 ![not read](/media/0a-1b.jpg "Seven") https://example.com',
  );
  await page.locator(".desk-bar").getByText("7 words · 1 min").waitFor();
  const button = page.locator(".desk-bar [value=publish]");
  expect(await button.textContent()).toBe("Publish");
  await page.getByRole("button", { name: "Details" }).click();
  await page.fill("#publish_at", "2999-01-01T09:30");
  expect(await button.textContent()).toBe("Schedule");
  await page.fill("#publish_at", "1999-01-01T09:30");
  expect(await button.textContent()).toBe("Publish");
});

fullRunTest(
  "a new text begins with the caret in its title, and a cover is uploaded by choosing it",
  async () => {
    await page.goto(`/write/${crypto.randomUUID()}`);
    // A page gives the focus when it is drawn, which may be after it has loaded.
    await page.locator("#title:focus").waitFor();
    await page.keyboard.type("At once");
    expect(await page.inputValue("#title")).toBe("At once");
    await page.setInputFiles("[name=cover]", {
      name: "cover.png",
      mimeType: "image/png",
      buffer: Buffer.from(await makeImage("png", { width: 900 })),
    });
    await untilHas("#image", "/media/");
    const cover = await page.inputValue("#image");
    const small = page.locator(".cover img");
    expect(await small.getAttribute("src")).toBe(cover);
    await page.getByRole("button", { name: "Remove the cover" }).click();
    await small.waitFor({ state: "detached" });
    expect(await page.inputValue("#image")).toBe("");
    await page.getByRole("button", { name: "Details" }).click();
    await page.fill("#image", cover);
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await page.waitForURL("**/preview");
    expect(await page.locator(`article img[src^="${cover}"]`).count()).toBe(1);
    await page.getByText("Edit", { exact: true }).click();
    expect(await small.getAttribute("src")).toBe(cover);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL("**/posts/at-once");
    expect(await page.locator(`article img[src^="${cover}"]`).count()).toBe(1);
  },
);
