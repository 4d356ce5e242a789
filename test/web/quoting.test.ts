import { describe, expect, test } from "bun:test";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { usePageSite } from "../support/pages/page-visits.ts";
import { extractedPage, makeCopy } from "../support/records/copies.ts";
import { makeMark } from "../support/records/marks.ts";
import { isFullRun } from "../support/run/full-run.ts";

describe("From a mark to a draft", () => {
  const site = usePageSite();

  test.each([
    { name: "a phone", width: 390, javaScriptEnabled: true },
    ...(isFullRun
      ? [
          { name: "a desktop without scripts", width: 1280, javaScriptEnabled: false },
          { name: "a phone without scripts", width: 390, javaScriptEnabled: false },
          { name: "a desktop", width: 1280, javaScriptEnabled: true },
        ]
      : []),
  ])(
    "it is one step, in a new one and in the open one: $name",
    async ({ name, width, javaScriptEnabled }) => {
      const { database } = site;
      const link = {
        title: `The river, on ${name}`,
        url: `https://${width}-${javaScriptEnabled}.example/`,
        description: "",
      };
      const { id } = await database.write((sql) => insertBookmark(sql, link, undefined, new Date()));
      const html = "<p>Slow water [deep] runs.</p><p>Stones stay where they are.</p>";
      await makeCopy(database, id, "A page", { page: await extractedPage("A page", { html }) });
      for (const words of ["Slow water [deep] runs.", "Stones stay"]) await makeMark(database, id, words);

      const page = await site.page({ viewport: { width, height: 800 }, javaScriptEnabled }, true);
      await page.goto(`/library/${id}/read`);
      const entry = (words: string) => page.locator(".marks > li", { hasText: words });
      await entry("Slow water").getByRole("button", { name: "Quote in a post" }).click();
      await page.waitForURL("**/write/*");
      const text = page.locator("textarea[name=content]");
      expect(await text.inputValue()).toBe(
        `> Slow water \\[deep\\] runs.\n\n— [${link.title}](${link.url}), Ada, Example\n\n`,
      );
      const draft = page.url();

      await page.goto(`/library/${id}/read`);
      await entry("Stones stay").getByRole("button", { name: "Quote in “The river, on" }).click();
      await page.waitForURL(draft);
      expect(await text.inputValue()).toMatch(
        /^> Slow water [\s\S]+\n\n> Stones stay\n\n— \[The river[\s\S]+\n\n$/,
      );
      await page.close();
    },
  );
});
