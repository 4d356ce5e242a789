import { describe, expect, test } from "bun:test";
import { usePageSite, watch } from "../support/pages/page-visits.ts";

describe("The page where a look is chosen", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });

  test("shows what is chosen at once, in a frame and in its thumbnails, and saves what is chosen", async () => {
    const page = await (await site.window({ viewport: { width: 1_280, height: 800 } }, true)).newPage();
    const faults = watch(page, site.server.url);
    await page.goto("/settings/look");
    const frame = page.locator("iframe").contentFrame();
    await frame.locator(".top").waitFor();
    const entries = await page.evaluate("history.length");
    // As with the keyboard: the buttons are real ones.
    await page.getByRole("radio", { name: /^Ink/ }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("radio", { name: "Teal" }).check();
    await frame.locator('link[href*="look-journal-teal-serif"]').waitFor({ state: "attached" });
    expect(await page.getByText("This theme decides what the front page shows.").isVisible()).toBe(true);
    expect(await page.getByRole("radio", { name: /^The whole post/ }).isVisible()).toBe(false);
    expect(await page.evaluate("history.length")).toBe(entries);
    expect(await (await fetch(site.server.url)).text()).not.toContain("look-journal");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL("**/settings/look");
    expect(await (await fetch(site.server.url)).text()).toContain("look-journal-teal-serif");
    expect(faults).toEqual([]);
  });
});
