/** The images of a post in the editor: added, described, moved and taken out, mostly on a phone. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import type { BrowserContext, Page } from "playwright-core";
import { makeImage } from "../support/files/images.ts";
import { until as poll } from "../support/machine/until.ts";
import { usePageSite } from "../support/pages/page-visits.ts";
import { fullRunTest } from "../support/run/full-run.ts";
import { temporaryFolder } from "../support/server/server.ts";

const site = usePageSite({ BOOKMARKS_ACCESS: "private" });
const folder = temporaryFolder();
const ADDRESS = "/media/[0-9a-f]{40}\\.png";
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  context = await site.window({ viewport: { width: 390, height: 844 }, hasTouch: true }, true);
});

afterEach(() => page?.close());

afterAll(() => folder[Symbol.dispose]());

const until: typeof poll = (what, isSo, options) => poll(what, isSo, { every: 50, ...options });

/** Opens the editor with a text. */
async function open(content = ""): Promise<void> {
  page = await context.newPage();
  await page.goto(`/write/${crypto.randomUUID()}`);
  await page.locator(".pictures ul[aria-label]").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Picture", exact: true }).waitFor();
  await page.fill("#title", "A walk");
  await page.fill("#content", content);
}

const image = async (name: string, width = 300, height = 200) => ({
  name,
  mimeType: "image/png",
  buffer: Buffer.from(await makeImage("png", { width, height })),
});

const choose = (...files: Awaited<ReturnType<typeof image>>[]) => page.setInputFiles("#picture", files);
const content = () => page.inputValue("#content");
const untilText = (pattern: string) =>
  until(`the text is ${pattern}`, async () => new RegExp(`^${pattern}$`).test(await content()));
const sheet = () => page.getByRole("dialog");
const tiles = () => page.getByRole("list", { name: "Pictures in the text" }).getByRole("listitem");
const focused = () =>
  page.evaluate<string>("document.activeElement.ariaLabel ?? document.activeElement.id ?? ''");

test("two images come into a post in six taps, each with its description and one with a caption", async () => {
  await open("Above.");
  let taps = 0;
  const tap = (name: string) => {
    taps++;
    return page.getByRole("button", { name, exact: true }).tap();
  };
  const chosen = page.waitForEvent("filechooser");
  await tap("Picture");
  // In the phone's own window: each of the two, and its button.
  taps += 3;
  await (await chosen).setFiles([await image("one.png", 400), await image("two.png")]);
  await sheet().getByRole("heading", { name: "Picture 1 of 2" }).waitFor();
  expect(await focused()).toBe("picture-alt");
  await page.keyboard.type("The railing");
  await page.keyboard.press("Enter");
  await sheet().getByRole("heading", { name: "Picture 2 of 2" }).waitFor();
  await page.keyboard.type("The bank");
  await page.keyboard.press("Tab");
  await page.keyboard.type('In the "morning"');
  await page.keyboard.press("Enter");
  await untilText(
    `Above\\.\n\n!\\[The railing\\]\\(${ADDRESS}\\)\n\n!\\[The bank\\]\\(${ADDRESS} "In the \\\\"morning\\\\""\\)\n\n`,
  );
  // One writes on below them.
  expect(await focused()).toBe("Text, in Markdown");
  await page.keyboard.type("Below.");
  expect(await content()).toEndWith('\\"")\n\nBelow.');
  await tap("Publish");
  await page.waitForURL("**/posts/a-walk");
  expect(taps).toBeLessThanOrEqual(6);
  const images = page.locator(".prose img");
  expect([await images.nth(0).getAttribute("alt"), await images.nth(1).getAttribute("alt")]).toEqual([
    "The railing",
    "The bank",
  ]);
  expect(await page.locator(".prose figcaption").textContent()).toBe('In the "morning"');
});

test("the strip describes, moves and takes out, and each step is undone in the text", async () => {
  await open();
  await choose(await image("one.png", 400), await image("two.png", 900));
  await page.keyboard.press("Escape");
  await untilText(`!\\[\\]\\(${ADDRESS}\\)\n\n!\\[\\]\\(${ADDRESS}\\)\n\n`);
  const [, one = "", two = ""] = /\((\S+)\)\s+!\[\]\((\S+)\)/.exec(await content()) ?? [];
  const before = await content();
  const first = page.getByRole("button", { name: "Picture 1 of 2: Describe it" });
  await first.press("Enter");
  await page.keyboard.type("A [gate], *open*");
  await sheet().getByRole("button", { name: "Done" }).click();
  expect(await content()).toBe(`![A \\[gate\\], \\*open\\*](${one})\n\n![](${two})\n\n`);
  expect(await focused()).toBe("Picture 1 of 2: A [gate], *open*");
  await page.locator("#content").press("Control+z");
  expect(await content()).toBe(before);
  await page.locator("#content").press("Control+Shift+z");
  await page.getByRole("button", { name: "Picture 1 of 2: A [gate]" }).press("Enter");
  await sheet().getByRole("button", { name: "Later" }).click();
  expect(await content()).toBe(`![](${two})\n\n![A \\[gate\\], \\*open\\*](${one})\n\n`);
  expect(await sheet().getByRole("heading").textContent()).toBe("Picture 2 of 2");
  await sheet().getByRole("button", { name: "Previous" }).click();
  await page.getByLabel("Decorative, needs no description").check();
  expect(await page.locator("#picture-alt").isVisible()).toBe(false);
  await page.keyboard.press("Escape");
  const described = `![](${two} "")\n\n![A \\[gate\\], \\*open\\*](${one})\n\n`;
  expect(await content()).toBe(described);
  await page.getByRole("button", { name: "Picture 1 of 2: Decorative" }).press("Enter");
  await sheet().getByRole("button", { name: "Remove" }).click();
  await page.getByRole("status").filter({ hasText: "Picture removed." }).waitFor();
  expect(await content()).toBe(`![A \\[gate\\], \\*open\\*](${one})\n\n`);
  expect(await focused()).toBe("Picture 1 of 1: A [gate], *open*");
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await content()).toBe(described);
  // Both are described or decoration: nothing asks again.
  await page.getByRole("button", { name: "Publish" }).click();
  await page.waitForURL("**/posts/**");
});

fullRunTest("in a wide window, images stand beside their lines, and follow them", async () => {
  await open("Above.\n\nBelow.");
  await choose(await image("one.png", 400), await image("two.png", 500));
  await page.keyboard.press("Escape");
  await untilText(`Above\\.\n\nBelow\\.\n\n!\\[\\]\\(${ADDRESS}\\)\n\n!\\[\\]\\(${ADDRESS}\\)\n\n`);
  const beside = page.locator(".beside-text img");
  expect(await beside.count()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await beside.nth(1).waitFor();
  const boxes = async () => {
    const all = [await page.locator("#content").boundingBox(), await beside.nth(0).boundingBox()];
    return all.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 });
  };
  const [text, first] = await boxes();
  // Its line is the fifth.
  const line = 1.62 * 19;
  expect(Math.abs((first?.y ?? 0) - (text?.y ?? 0) - 16 - 4 * line)).toBeLessThan(line / 2);
  expect(first?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
  await page.evaluate("document.forms[0].elements.content.setSelectionRange(0, 0)");
  await page.locator("#content").press("Enter");
  await until("it follows", async () => Math.abs(((await boxes())[1]?.y ?? 0) - (first?.y ?? 0) - line) < 2);
  await beside.nth(1).click();
  await sheet().getByRole("heading", { name: "Picture 2 of 2" }).waitFor();
  await sheet().getByRole("button", { name: "Remove" }).click();
  await until("one is left", async () => (await beside.count()) === 1);
});

test("an image that is not taken says why in its place, can be sent again, and touches no word of the text", async () => {
  await open("Only words.");
  const says = async (words: string) => {
    await tiles().filter({ hasText: words }).waitFor();
    await page.getByRole("status").filter({ hasText: words }).waitFor({ state: "attached" });
    expect(await content()).toBe("Only words.");
  };
  const leaveOut = async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Leave it out/ }).click();
    expect(await tiles().count()).toBe(0);
  };
  await choose({ name: "a.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
  await says("Only complete, non-animated JPEG");
  // Also where one is when one describes it.
  await sheet().getByText("Only complete, non-animated JPEG").waitFor();
  // The same file would be refused again.
  expect(await page.getByRole("button", { name: /^Try again/ }).count()).toBe(0);
  await leaveOut();
  await choose({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Notes.") });
  await says("This is not a picture.");
  await leaveOut();
  // A file of this size goes to the browser by its name: its bytes would be one message of 28 MB.
  const large = folder.file("large.jpg");
  writeFileSync(large, Buffer.alloc(21 * 2 ** 20));
  await page.setInputFiles("#picture", large);
  await says("It is larger than 20 MB.");
  await leaveOut();
  const refusals = [
    [507, { detail: "The disk is full." }, "The disk of the server is full."],
    [503, { detail: "The server is read-only: READ_ONLY is on." }, "The server is read-only"],
    [401, { detail: "Sign in." }, "You are signed out."],
    [502, undefined, "The server cannot be reached."],
  ] as const;
  for (const [status, json, words] of refusals) {
    await page.route("**/api/media/", (route) =>
      json === undefined
        ? route.fulfill({ status, body: "<p>Bad gateway" })
        : route.fulfill({ status, json }),
    );
    await choose(await image("two.png"));
    await says(words);
    await page.unroute("**/api/media/");
    if (status !== 502) await leaveOut();
  }
  // Nothing is published without it.
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("status").filter({ hasText: "Not every picture could be uploaded." }).waitFor();
  expect(page.url()).toContain("/write/");
  expect(await focused()).toBe("Try again: two.png");
  await page.keyboard.press("Enter");
  await untilText(`Only words\\.\n\n!\\[\\]\\(${ADDRESS}\\)\n\n`);
});

fullRunTest(
  "images without a description are counted; they are described one after another, or published as they are",
  async () => {
    await open("Above.");
    await choose(await image("one.png", 400), await image("two.png"), await image("three.png", 500));
    const primary = () => sheet().locator(".button:not(.plain):visible").textContent();
    expect(await primary()).toBe("Next");
    await page.keyboard.type("The railing");
    await page.keyboard.press("Escape");
    await untilText(`Above\\.(?:\n\n!\\[.*\\]\\(${ADDRESS}\\)){3}\n\n`);
    await page.getByRole("button", { name: "Publish" }).click();
    const asked = page.getByRole("alert").filter({ hasText: "2 pictures have no description." });
    await asked.locator(":scope:focus").waitFor();
    await asked.getByRole("button", { name: "Describe them" }).tap();
    await sheet().getByRole("heading", { name: "Picture 2 of 3" }).waitFor();
    expect([await focused(), await primary()]).toEqual(["picture-alt", "Next"]);
    await page.keyboard.type("The bank");
    await sheet().getByRole("button", { name: "Next" }).tap();
    await sheet().getByRole("heading", { name: "Picture 3 of 3" }).waitFor();
    expect(await primary()).toBe("Done");
    await sheet().getByRole("button", { name: "Done" }).tap();
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("heading", { name: "A picture has no description." }).waitFor();
    await page.getByRole("button", { name: "Publish anyway" }).click();
    await page.waitForURL("**/posts/**");
    const alts = [0, 1, 2].map((n) => page.locator(".prose img").nth(n).getAttribute("alt"));
    expect(await Promise.all(alts)).toEqual(["The railing", "The bank", ""]);
  },
);

test("the text is not simply saved while an image is on no server yet", async () => {
  await open("Only words.");
  const state = page.locator("[data-state]");
  await state.filter({ hasText: /^Saved [^;]+$/ }).waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/media/", async (route) => {
    await released;
    await route.continue();
  });
  await choose(await image("one.png"));
  await state.filter({ hasText: /^Saved [^;]+; not every picture has been uploaded$/ }).waitFor();
  await page.evaluate(
    "const title = document.querySelector('#title'); title.value = 'Another'; title.dispatchEvent(new Event('input', { bubbles: true }))",
  );
  await state.filter({ hasText: /^Unsaved changes$/ }).waitFor();
  await state.filter({ hasText: /^Saved [^;]+; not every picture has been uploaded$/ }).waitFor();
  release();
  await page.keyboard.press("Escape");
  await until("the image is in the text", async () => (await content()).includes("/media/"));
  await state.filter({ hasText: /^Saved [^;]+$/ }).waitFor();
});

fullRunTest("an image waits while one is offline, and is sent when one is back", async () => {
  await open("On a train.");
  await context.setOffline(true);
  await choose(await image("one.png"));
  await tiles().filter({ hasText: "You are offline." }).waitFor();
  await page.keyboard.press("Escape");
  await context.setOffline(false);
  await untilText(`On a train\\.\n\n!\\[\\]\\(${ADDRESS}\\)\n\n`);
});

/** Lets the uploads wait until they are released, one by one. */
async function holdUploads(): Promise<(() => void)[]> {
  const held: (() => void)[] = [];
  await page.route("**/api/media/", async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  return held;
}

fullRunTest("images that are pasted and dropped keep their place and order while one writes on", async () => {
  await open("Above.\nBelow.");
  const held = await holdUploads();
  const files = await Promise.all([900, 500].map(async (width) => [...(await makeImage("png", { width }))]));
  const give = (event: string, file: number[] | undefined) =>
    page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(${JSON.stringify(file)})], "a.png", { type: "image/png" }));
      const { content } = document.forms[0];
      content.focus();
      content.setSelectionRange(6, 6);
      content.dispatchEvent(${event});
    }`);
  await give(
    'new ClipboardEvent("paste", { clipboardData: data, cancelable: true, bubbles: true })',
    files[0],
  );
  await page.keyboard.type("The larger");
  await page.keyboard.press("Escape");
  await give('new DragEvent("drop", { dataTransfer: data, cancelable: true, bubbles: true })', files[1]);
  await page.keyboard.press("Escape");
  await until("both are on their way", async () => held.length === 2);
  await page.keyboard.type(" More.");
  await page.evaluate("document.forms[0].elements.content.setSelectionRange(0, 0)");
  await page.keyboard.type("So. ");
  // The second is stored first.
  const first = page.waitForResponse("**/api/media/");
  held[1]?.();
  await first;
  await untilText(`So\\. Above\\. More\\.\n\n!\\[\\]\\(${ADDRESS}\\)\n\nBelow\\.`);
  // Publishing waits for the other one; then it asks once for the description that is missing.
  await page.getByRole("button", { name: "Publish" }).click();
  held[0]?.();
  await page.getByRole("heading", { name: "A picture has no description." }).waitFor();
  const sizes = [...(await content()).matchAll(/!\[(.*?)\]\(\/media\/(\w+)\.png\)/g)].map(
    async ([, alt, sha]) => {
      const { width } = (await (await page.request.get(`/api/media/${sha}/`)).json()) as { width: number };
      return [alt, width];
    },
  );
  expect(await Promise.all(sizes)).toEqual([
    ["The larger", 900],
    ["", 500],
  ]);
});

fullRunTest(
  "an image that is stored while one describes it comes into the text with the description, in one step",
  async () => {
    await open("Above.");
    const held = await holdUploads();
    await choose(await image("one.png"));
    await until("it is on its way", async () => held.length === 1);
    await page.keyboard.type("Half a ");
    const stored = page.waitForResponse("**/api/media/");
    held[0]?.();
    await stored;
    await sheet().locator("img").waitFor();
    expect(await content()).toBe("Above.");
    expect(await focused()).toBe("picture-alt");
    await page.keyboard.type("description");
    await page.keyboard.press("Enter");
    await untilText(`Above\\.\n\n!\\[Half a description\\]\\(${ADDRESS}\\)\n\n`);
    await page.keyboard.press("Control+z");
    expect(await content()).toBe("Above.");
  },
);

fullRunTest("what the sheet has is kept when the page closes", async () => {
  await open();
  await choose(await image("one.png"));
  await sheet().locator("img").waitFor();
  await page.keyboard.type("A gate");
  const address = page.url();
  await page.goto("/write");
  await page.goto(address);
  const stored = async () => {
    const response = await page.request.get(`/api/edits/${address.split("/").at(-1)}/`);
    return response.ok() ? ((await response.json()) as { content: string }).content : "";
  };
  await until("it is stored", async () => /^!\[A gate\]\(\S+\)/.test(await stored()));
});
