import { beforeAll, describe, expect, test } from "bun:test";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { describePages, usePageSite, watch } from "../support/pages/page-visits.ts";

describe("Selecting links", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });
  beforeAll(async () => {
    await site.database.write(async (sql) => {
      for (let n = 1; n <= 53; n++)
        await insertBookmark(
          sql,
          { title: `No. ${n}.`, url: `https://a.example/${n}`, description: "" },
          undefined,
          new Date(),
        );
    });
  });

  describePages("among many", site, [
    {
      name: "selecting-many",
      path: "/library?select=1",
      signedIn: true,
      act: async (page) => {
        await page.getByRole("checkbox", { name: "All 53" }).check();
        await page.getByText("53 selected").waitFor();
      },
    },
  ]);

  test("with Shift takes all between two, and counts those here and all", async () => {
    const page = await (await site.window({}, true)).newPage();
    const faults = watch(page, site.server.url);
    await page.goto("/library?select=1");
    const label = (n: number) => page.locator("label", { hasText: `No. ${n}.` });
    const selected = page.locator("output");
    await label(51).click();
    await label(48).click({ modifiers: ["Shift"] });
    expect(await selected.textContent()).toBe("4 selected");
    expect(await page.evaluate("String(getSelection())")).toBe("");
    await label(50).click();
    await label(51).click({ modifiers: ["Shift"] });
    expect(await selected.textContent()).toBe("2 selected");
    await page.getByRole("checkbox", { name: "No. 46." }).focus();
    await page.keyboard.press("Shift+Space");
    expect(await selected.textContent()).toBe("6 selected");

    const here = page.getByRole("checkbox", { name: "All 50 on this page" });
    const all = page.getByRole("checkbox", { name: "All 53" });
    await here.check();
    expect(await selected.textContent()).toBe("50 selected");
    await all.check();
    expect(await selected.textContent()).toBe("53 selected");
    await label(50).click();
    expect([await selected.textContent(), await all.isChecked(), await here.isChecked()]).toEqual([
      "49 selected",
      false,
      false,
    ]);

    await page.getByRole("button", { name: "Archive", exact: true }).click();
    await page.getByText("49 links archived.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Change undone.").waitFor();

    // By keys, from one box to the next.
    await page.goto("/library?select=1");
    for (const key of ["j", "x", "j", "j", "x"]) await page.keyboard.press(key);
    expect(await selected.textContent()).toBe("2 selected");
    await page.keyboard.press("a");
    await page.getByText("2 links archived.").waitFor();
    await page.waitForLoadState();
    await page.keyboard.press("z");
    await page.getByText("Change undone.").waitFor();
    expect(faults).toEqual([]);
  });

  test("needs no page of its own: the box of a row is in the place of its icon, and keys act on what is selected", async () => {
    const page = await (await site.window({ viewport: { width: 1280, height: 800 } }, true)).newPage();
    const faults = watch(page, site.server.url);
    await page.goto("/library");
    const row = (n: number) => page.locator(".bookmarks > li").nth(n);
    const box = (n: number) => row(n).getByRole("checkbox");
    const bar = page.locator(".selection");
    // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
    const opacityOf = (pick: any) => Number((globalThis as any).getComputedStyle(pick).opacity);
    const opacity = (n: number) => row(n).locator(".pick").evaluate(opacityOf);
    expect([await opacity(9), await bar.isVisible()]).toEqual([0, false]);
    await row(9).hover();
    expect(await opacity(9)).toBe(1);
    await box(9).click();
    await box(7).click({ modifiers: ["Shift"] });
    expect([await page.locator("output").textContent(), await opacity(0)]).toEqual(["3 selected", 1]);
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    expect([height > 40, y + height <= 800]).toEqual([true, true]);
    // What is done to another link leaves the selection as it is.
    await row(3).hover();
    await row(3).getByRole("button", { name: "Read later" }).click();
    await page.getByText("Added to “Read later”.").waitFor();
    expect(await page.locator("output").textContent()).toBe("3 selected");
    const { scrollY } = (await page.evaluate("({ scrollY })")) as { scrollY: number };
    await page.keyboard.press("a");
    await page.getByText("3 links archived.").waitFor();
    expect(await page.evaluate("scrollY")).toBe(scrollY);
    await page.keyboard.press("z");
    await page.getByText("Change undone.").waitFor();
    await box(0).check();
    await bar.getByRole("link", { name: "Done" }).click();
    expect([await bar.isVisible(), await page.getByRole("checkbox", { checked: true }).count()]).toEqual([
      false,
      0,
    ]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("works in the list without a script", async () => {
    const context = await site.window(
      { javaScriptEnabled: false, viewport: { width: 1280, height: 800 } },
      true,
    );
    const page = await context.newPage();
    await page.goto("/library");
    const bar = page.locator(".selection");
    await page.getByRole("checkbox", { name: "Select “No. 52.”" }).check();
    await bar.getByRole("button", { name: "Add tags" }).click();
    await page.getByText("Enter at least one tag.").first().waitFor();
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(1);
    await bar.getByLabel("Tags").fill("in place");
    await bar.getByRole("button", { name: "Add tags" }).click();
    await page.getByText("added to 1 link.").waitFor();
    await bar.getByRole("link", { name: "Done" }).click();
    await bar.waitFor({ state: "hidden" });
    await context.close();
  });
});
