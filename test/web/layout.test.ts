import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { isFullRun } from "../support/full-run.ts";
import { usePageSite } from "../support/page-visits.ts";

const WIDTHS = isFullRun ? [390, 840, 1000, 1280] : [390, 1280];
const UNBROKEN = "unbroken".repeat(20);
const URL_OF_ALL = "https://unbroken.example/";

describe("The layout", () => {
  const site = usePageSite({ BOOKMARKS_ACCESS: "private", FETCH_PAGES: "off" });
  beforeAll(() =>
    site.database.write((sql) =>
      insertBookmark(
        sql,
        { title: UNBROKEN, url: URL_OF_ALL, description: `#${UNBROKEN}` },
        undefined,
        new Date(),
      ),
    ),
  );

  const open = async (path: string, width: number): Promise<Page> => {
    const context = await site.window({ viewport: { width, height: 844 }, reducedMotion: "reduce" }, true);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };

  test.each(WIDTHS)("shows the account whole at %d px", async (width) => {
    for (const path of ["/library", "/write"]) {
      const page = await open(path, width);
      const link = page.locator(".top > .aside a");
      // biome-ignore lint/suspicious/noExplicitAny: a DOM element in the browser; the tests have no DOM types
      const isCut = await link.evaluate((element: any) => element.scrollWidth > element.clientWidth);
      expect([path, await link.isVisible(), isCut]).toEqual([path, true, false]);
      expect((await link.boundingBox())?.width).toBeGreaterThan(20);
      await page.context().close();
    }
  });

  test.each([390, 1280])("breaks words without an end at %d px", async (width) => {
    for (const path of [`/library/new?url=${URL_OF_ALL}`, `/library?q=${UNBROKEN}`]) {
      const page = await open(path, width);
      const fits = await page.evaluate("document.documentElement.scrollWidth <= innerWidth");
      expect([path, fits]).toEqual([path, true]);
      await page.context().close();
    }
  });

  test("keeps an open sheet above the page when a phone is turned", async () => {
    for (const [path, button, sheet] of [
      ["/library", "button.more", ".deeds"],
      [`/write/${crypto.randomUUID()}`, ".to-details", "#details"],
    ] as const) {
      const page = await open(path, 390);
      await page.locator(button).first().click();
      await page.setViewportSize({ width: 844, height: 390 });
      const opened = page.locator(`${sheet}:popover-open`);
      const style = await opened.evaluate((element) => {
        // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
        const { position, backgroundColor } = (globalThis as any).getComputedStyle(element);
        return [position, backgroundColor === "rgba(0, 0, 0, 0)" ? "clear" : "opaque"];
      });
      expect([sheet, style]).toEqual([sheet, ["fixed", "opaque"]]);
      await page.context().close();
    }
  });

  test("prints the addresses of links instead of their hosts", async () => {
    const page = await open("/library", 700);
    await page.emulateMedia({ media: "print" });
    const link = page.locator(`.bookmarks h3 a[href="${URL_OF_ALL}"]`);
    const content = await link.evaluate((element) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
      return (globalThis as any).getComputedStyle(element, "::after").content;
    });
    expect(content).toContain(URL_OF_ALL);
    expect(await page.locator(".bookmarks .host").first().isVisible()).toBe(false);
    await page.context().close();
  });

  test("prints a draft as it is written, without the editor", async () => {
    const page = await open(`/write/${crypto.randomUUID()}`, 700);
    await page.fill("#title", "On paper");
    await page.fill("#content", "Words to correct with a pencil.");
    await page.emulateMedia({ media: "print" });
    for (const shown of ["#title", "#content"])
      expect([shown, await page.locator(shown).isVisible()]).toEqual([shown, true]);
    for (const hidden of [".tools", ".desk-bar", "#details"])
      expect([hidden, await page.locator(hidden).isVisible()]).toEqual([hidden, false]);
    await page.context().close();
  });
});
