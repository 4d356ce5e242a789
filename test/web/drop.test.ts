import { describe, expect, test } from "bun:test";
import { usePageSite, watch } from "../support/pages/page-visits.ts";

const FILE = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://dropped.example/">Dropped</A></DL>`;

/** In the browser: drops on the page what the first line puts into `data`. */
const drop = (fill: string) => `(() => {
  const dataTransfer = new DataTransfer();
  ${fill}
  const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  document.querySelector("main").dispatchEvent(event);
  return event.defaultPrevented;
})()`;

describe("What is dropped on the library", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });
  const ADDRESS = drop(`dataTransfer.setData("text/uri-list", "https://a.example/?q=1&r=2");`);

  test("is added if it is an address, imported if it is a file, and left alone otherwise", async () => {
    const page = await (await site.window({}, true)).newPage();
    const faults = watch(page, site.server.url);
    await page.goto("/library");
    expect(await page.evaluate(drop(`dataTransfer.setData("text/plain", "words");`))).toBe(false);
    // A link of the page itself.
    await page.evaluate(
      `document.querySelector("a").dispatchEvent(new DragEvent("dragstart", { bubbles: true }))`,
    );
    expect(await page.evaluate(ADDRESS)).toBe(false);
    await page.evaluate(
      `document.querySelector("a").dispatchEvent(new DragEvent("dragend", { bubbles: true }))`,
    );
    expect(await page.evaluate(ADDRESS)).toBe(true);
    await page.waitForURL("**/library/new?**");
    expect(await page.locator("[name=url]").inputValue()).toBe("https://a.example/?q=1&r=2");
    await page.goto("/library");
    await page.evaluate(
      drop(`dataTransfer.items.add(new File([${JSON.stringify(FILE)}], "bookmarks.html"));`),
    );
    await page.waitForURL("**/library/import/*");
    expect(faults).toEqual([]);
  });
});
