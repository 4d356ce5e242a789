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
});
