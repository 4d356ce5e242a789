/** The reading room in a browser: its controls, its place, its end and its keys, and the same without a script. */
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { until } from "../support/machine/until.ts";
import { usePageSite, watch } from "../support/pages/page-visits.ts";
import { extractedPage, makeCopy } from "../support/records/copies.ts";
import { fullRunTest } from "../support/run/full-run.ts";

const PARTS = 60;
const HTML = `<p>The first part.<sup><a href="#copy-note">1</a></sup></p>${Array.from(
  { length: PARTS },
  (_, number) => `<p>Part ${number} begins here. ${"Many words follow it. ".repeat(12)}</p>`,
).join("")}<p id="copy-note">A note at the end.</p>`;

const site = usePageSite();
const ids: number[] = [];

beforeAll(async () => {
  for (const title of ["One", "Two"]) {
    const link = { title, url: `https://${title.toLowerCase()}.example/`, description: "" };
    const id = await site.database.write(async (sql) => {
      const { id } = await insertBookmark(sql, link, undefined, new Date());
      await sql`update bookmarks set unread = ${true} where id = ${id}`;
      return id;
    });
    await makeCopy(site.database, id, title, {
      page: await extractedPage(title, { html: HTML, words: 3_000 }),
    });
    ids.push(id);
  }
});

const roomOf = (number: number) => `/library/${ids[number]}/read`;

/** Opens the room of a link; time passes in the page when the test says so. */
async function open(number: number, options = {}): Promise<{ page: Page; faults: string[] }> {
  const window = await site.window({ viewport: { width: 800, height: 600 }, ...options }, true);
  const page = await window.newPage();
  const faults = watch(page, site.server.url);
  await page.clock.install();
  await page.goto(roomOf(number));
  return { page, faults };
}

/** Scrolls, and waits until the page knows. */
async function scroll(page: Page, act: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    addEventListener("scroll", () => resolve(undefined), { once: true });
    ${act};
  })`);
}

/** What the reader has read when a pause is over. */
async function pause(page: Page): Promise<{ place: number; progress: number }> {
  const sent = page.waitForRequest((request) => request.url().endsWith("/place"));
  await page.clock.runFor(3_000);
  const request = await sent;
  await request.response();
  const fields = new URLSearchParams(request.postData() ?? "");
  return { place: Number(fields.get("place")), progress: Number(fields.get("progress")) };
}

/** The place that the server keeps. */
async function placeOf(number: number): Promise<number> {
  const [row] = await site.database.read<{ place: number }>`
    select place from reading where bookmark_id = ${ids[number] ?? 0}`;
  return Number(row?.place);
}

const look = (page: Page) => page.locator("main").getAttribute("class");

fullRunTest("controls change the text at once, and stay", async () => {
  const { page, faults } = await open(0);
  await page.getByText("Display", { exact: true }).click();
  for (const [label, className] of [
    ["Very large", "size-huge"],
    ["Narrow", "width-narrow"],
    ["Sans-serif", "face-sans"],
  ] as const) {
    const kept = page.waitForResponse((response) => response.url().endsWith("/look"));
    await page.getByLabel(label).check();
    expect(await look(page)).toContain(className);
    expect((await kept).status()).toBe(204);
  }
  const kept = page.waitForResponse((response) => response.url().endsWith("/look"));
  await page.getByLabel("Dark").check();
  await kept;
  await page.reload();
  expect(await look(page)).toBe("room size-huge width-narrow face-sans");
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  // What cannot be kept is said.
  await page.route("**/read/look", (route) => route.abort());
  await page.getByText("Display", { exact: true }).click();
  await page.getByLabel("Small").check();
  await page.getByText("Not saved.").waitFor();
  expect(faults.filter((fault) => !fault.includes("ERR_FAILED"))).toEqual([]);
  await page.context().close();
});

test("the place comes back; a jump does not move it until one reads on", async () => {
  const { page, faults } = await open(0);
  const places: number[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/place"))
      places.push(Number(new URLSearchParams(request.postData() ?? "").get("place")));
  });
  await scroll(page, "scrollBy(0, 700)");
  const first = await pause(page);
  expect(first.place).toBeGreaterThan(0);
  await scroll(page, "scrollBy(0, 600)");
  const second = await pause(page);
  expect(second.place).toBeGreaterThan(first.place);
  // To the note, and a pause there.
  await scroll(page, "document.querySelector(\"a[href='#copy-note']\").click()");
  await page.clock.runFor(3_000);
  await scroll(page, "scrollTo(0, 1300)");
  await page.clock.runFor(3_000);
  await scroll(page, "scrollBy(0, 300)");
  const third = await pause(page);
  expect(third.place).toBeGreaterThan(second.place);
  expect(places.every((place, index) => index === 0 || place - (places[index - 1] ?? 0) < 3_000)).toBe(true);
  // Elsewhere, one window further counts.
  await scroll(page, "scrollTo(0, 6000)");
  await page.clock.runFor(3_000);
  expect(places.at(-1)).toBe(third.place);
  await scroll(page, "scrollBy(0, 500)");
  await page.clock.runFor(3_000);
  expect(places.at(-1)).toBe(third.place);
  await scroll(page, "scrollBy(0, 500)");
  const { place, progress } = await pause(page);
  expect(place).toBeGreaterThan(third.place);

  await page.goto("/library/later");
  await page.getByText(`${progress}%`).waitFor();
  await page.goto(roomOf(0));
  await page.getByRole("link", { name: `Continue at ${progress}%` }).click();
  const { top, text } = (await page.evaluate(`(() => {
    const stopped = document.querySelector("#stopped");
    return { top: stopped.getBoundingClientRect().top, text: document.querySelector(".prose").textContent.slice(${place - 40}, ${place + 40}) };
  })()`)) as { top: number; text: string };
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(300);
  expect(text).not.toBe("");
  // Who leaves at once has been there all the same.
  await scroll(page, "scrollBy(0, 400)");
  await page.goto("/library/later");
  await until("the place is kept", async () => (await placeOf(0)) > place);
  await page.goto(roomOf(0));
  await page.getByRole("link", { name: "Continue at" }).click();
  // To the end: nothing is begun any more.
  for (let progress = 0; progress < 100; ) {
    await scroll(page, "scrollBy(0, 800)");
    ({ progress } = await pause(page));
  }
  await page.goto("/library/later");
  expect(await page.getByText("Continue", { exact: true }).count()).toBe(0);
  expect(faults).toEqual([]);
  await page.context().close();
});

fullRunTest("keys archive and go on, undo, and lead to the link", async () => {
  const { page, faults } = await open(0);
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("a");
  await page.waitForURL(`**${roomOf(1)}`);
  await page.getByText("Archived.").waitFor();
  await page.keyboard.press("z");
  await page.getByText("Archived.").waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe(roomOf(1));
  await page.keyboard.press("r");
  await page.waitForURL(`**/library/${ids[1]}`);
  expect(faults).toEqual([]);
  await page.context().close();
});

test("works without a script", async () => {
  const window = await site.window({ viewport: { width: 390, height: 800 }, javaScriptEnabled: false }, true);
  const page = await window.newPage();
  await page.goto(roomOf(1));
  await page.getByText("Display", { exact: true }).click();
  await page.getByLabel("Normal").first().check();
  await page.getByRole("radio", { name: "Serif", exact: true }).check();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(`**${roomOf(1)}`);
  expect(await look(page)).toContain("size-normal");
  expect(await look(page)).toContain("face-serif");
  await page.getByRole("button", { name: "Mark as read" }).click();
  await page.waitForURL("**/library/later");
  await page.getByText("Marked as read.").waitFor();
  await window.close();
});
