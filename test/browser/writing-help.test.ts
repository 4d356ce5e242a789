/** What the editor does while one types: lists, links, images, words, and the name of its button. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { makeImage } from "../support/files/images.ts";
import { until } from "../support/machine/until.ts";
import { launchBrowser } from "../support/pages/browser.ts";
import { fullRunTest } from "../support/run/full-run.ts";
import { type RunningServer, run, startServer, temporaryFolder } from "../support/server/server.ts";

const PASSWORD = "correct horse battery";
const folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${folder.file("blog.db")}` };
let server: RunningServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  await run(["account", "add", "editor"], { env: settings, stdin: `${PASSWORD}\n` });
  [server, browser] = await Promise.all([startServer(settings), launchBrowser()]);
  context = await browser.newContext({ baseURL: server.url, reducedMotion: "reduce" });
  page = await context.newPage();
  await page.goto("/sign-in");
  // The first field has the focus.
  await page.waitForSelector("#username:focus");
  await page.keyboard.type("editor");
  await page.fill("#password", PASSWORD);
  await page.click("button[type=submit]");
  await page.waitForURL((url) => url.pathname !== "/sign-in");
  await page.goto(`/write/${crypto.randomUUID()}`);
});

afterAll(async () => {
  await browser.close();
  await server.kill();
  folder[Symbol.dispose]();
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

test("Enter leads from the title to the text, whose toolbar is one stop for Tab", async () => {
  const focused = () =>
    page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.textContent");
  await write("Words.|");
  await page.fill("#title", "A week");
  await page.press("#title", "Shift+Enter");
  expect([await page.inputValue("#title"), await read(), await focused()]).toEqual([
    "A week",
    "|Words.",
    "Text, in Markdown",
  ]);
  await page.focus("#title");
  const stops = [];
  for (const key of [
    "Tab",
    "ArrowRight",
    "ArrowRight",
    "ArrowRight",
    "End",
    "Tab",
    "Shift+Tab",
    "Shift+Tab",
  ]) {
    await page.keyboard.press(key);
    stops.push(await focused());
  }
  expect(stops).toEqual(["Bold", "Italic", "Link", "Picture", "Cite", "Text, in Markdown", "Cite", "Title"]);
  // A pasted title of two lines becomes one, too.
  await page.fill("#title", "A week\nof sourdough ");
  await page.keyboard.press("Tab");
  expect(await page.inputValue("#title")).toBe("A week of sourdough");
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

test("words are counted, and the button is named after the date", async () => {
  // Neither addresses nor descriptions of images, but captions.
  await page.fill(
    "#content",
    'Two [words](https://example.com/a-b), it’s four.\n\n漢字 ![not read](/media/0a-1b.jpg "Seven") https://example.com',
  );
  await page.getByText("7 words").waitFor();
  const button = page.locator(".desk-bar .button").first();
  expect(await button.textContent()).toBe("Publish");
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
    const small = page.locator(".details .tile img");
    expect(await small.getAttribute("src")).toBe(cover);
    await page.getByRole("button", { name: "Remove the cover" }).click();
    await small.waitFor({ state: "detached" });
    expect(await page.inputValue("#image")).toBe("");
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
