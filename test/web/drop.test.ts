import { describe, expect, test } from "bun:test";
import { usePageSite, watch } from "../support/pages/page-visits.ts";

const FILE = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><A HREF="https://dropped.example/">Dropped</A></DL>`;

/** In the browser: drops on an element what the first line puts into `dataTransfer`. @returns whether the page takes it */
const drop = (fill: string, on = "main") => `(() => {
  const dataTransfer = new DataTransfer();
  ${fill}
  const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  document.querySelector("${on}").dispatchEvent(event);
  return event.defaultPrevented;
})()`;

describe("What is dropped on the library", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });
  const WITH_ADDRESS = `dataTransfer.setData("text/uri-list", "https://a.example/?q=1&r=2");`;
  const ADDRESS = drop(WITH_ADDRESS);

  test("is added if it is an address, imported if it is a file, and left alone otherwise", async () => {
    const page = await (await site.window({}, true)).newPage();
    const faults = watch(page, site.server.url);
    await page.goto("/library");
    expect(await page.evaluate(drop(`dataTransfer.setData("text/plain", "words");`))).toBe(false);
    // A field takes it as text.
    expect(await page.evaluate(drop(WITH_ADDRESS, "main [type=search]"))).toBe(false);
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
    // As the page is where nobody may add links.
    await page.goto("/library");
    await page.evaluate(`document.querySelector(".find a.button").remove()`);
    expect(await page.evaluate(ADDRESS)).toBe(false);
    expect(faults).toEqual([]);
  });
});
