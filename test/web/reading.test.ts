import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { makeImage } from "../support/files/images.ts";
import { describePages, usePageSite } from "../support/pages/page-visits.ts";
import { makeToken, withToken } from "../support/records/accounts.ts";
import { bodyOf, createPost } from "../support/records/blog.ts";
import { sendTo } from "../support/requests/send.ts";
import { fullRunTest } from "../support/run/full-run.ts";

const text = (picture: string) => `Some words to read, in a paragraph of its own.

## A second heading

### A third heading

#### A fourth heading

> What is quoted.

- [ ] open
- [x] done
- neither

![Tall](${picture})

| Monday | Tuesday | Wednesday | Thursday | Friday | Saturday |
|---|--:|---|---|---|---|
| Fetching | 12 | Wednesday | Commonplace | Everything | Bookmarks |

\`\`\`
${"a long line of code ".repeat(8)}
\`\`\`
`;

describe("A post", () => {
  const site = usePageSite();
  beforeAll(async () => {
    const { database, server, account } = site;
    const send = withToken(sendTo(server.url), await makeToken(database, account));
    const uploaded = await send("/api/media/", {
      method: "POST",
      headers: { "content-type": "image/jpeg" },
      body: await makeImage("jpeg", { width: 600, height: 2_400 }),
    });
    const { url } = await bodyOf<{ url: string }>(uploaded);
    for (const [title, content] of [
      ["Long", text(url) + "Some more words. ".repeat(400)],
      ["Short", "A few words."],
    ] as const) {
      const { id } = await createPost(send, { title, content });
      const json = { slug: title.toLowerCase(), language: "en" };
      await send(`/api/posts/${id}/publication/`, { method: "PATCH", json });
    }
  });

  describePages("with everything", site, [
    { name: "reading", path: "/posts/long" },
    { name: "reading-as-owner", like: "reading", path: "/posts/long", signedIn: true },
  ]);

  const styles = (page: Page, selector: string, ...names: readonly string[]) =>
    page
      .locator(selector)
      .first()
      .evaluate((element, names) => {
        // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
        const style = (globalThis as any).getComputedStyle(element);
        return names.map((name) => style[name]) as string[];
      }, names);

  fullRunTest("has headings in the order of their sizes, all of the text's own letters", async () => {
    const page = await site.page();
    await page.goto("/posts/long");
    const same = ["fontWeight", "fontFamily", "fontSizeAdjust", "fontStyle"];
    const [second, third, fourth] = await Promise.all(
      ["h2", "h3", "h4"].map(async (name) => ({
        size: Number.parseFloat((await styles(page, `.prose ${name}`, "fontSize"))[0] ?? ""),
        same: await styles(page, `.prose ${name}`, ...same),
      })),
    );
    expect(second?.size).toBeGreaterThan(third?.size ?? 0);
    expect(third?.size).toBeGreaterThan(fourth?.size ?? 0);
    expect([third?.same, fourth?.same]).toEqual([second?.same, second?.same]);
    expect(await styles(page, ".prose p", ...same.slice(1))).toEqual(second?.same.slice(1) ?? []);
    expect(await styles(page, ".prose p", "hyphens")).toEqual(["auto"]);
    expect(await styles(page, ".prose blockquote", "fontStyle")).toEqual(["normal"]);
    await page.close();
  });

  fullRunTest(
    "keeps words whole in cells, tall pictures within the window, and no bullet beside a box",
    async () => {
      const page = await site.page({ colorScheme: "dark" });
      for (const [width, height] of [
        [390, 844],
        [1280, 700],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.goto("/posts/long");
        expect(await styles(page, ".prose td", "overflowWrap")).toEqual(["break-word"]);
        // A cell with one word has one line.
        const heights = await page
          .locator(".prose tbody td")
          .evaluateAll((cells: { clientHeight: number }[]) => cells.map(({ clientHeight }) => clientHeight));
        expect([...new Set(heights)]).toHaveLength(1);
        expect(heights[0]).toBeLessThan(56);
        const box = await page.locator(".prose img").boundingBox();
        expect(box?.height).toBeLessThanOrEqual(0.8 * height);
        expect(await styles(page, ".prose img", "filter")).toEqual(["brightness(0.85)"]);
        expect(await page.locator(".prose li.task").count()).toBe(2);
        expect(await styles(page, ".prose li.task", "listStyleType")).toEqual(["none"]);
        expect(await styles(page, ".prose li:not(.task)", "listStyleType")).toEqual(["disc"]);
      }
      await page.close();
    },
  );

  fullRunTest(
    "is printed in black on white, whatever the screen has, and code has an edge without colors",
    async () => {
      const page = await site.page({ colorScheme: "dark" });
      await page.goto("/posts/long");
      await page.evaluate(`document.documentElement.dataset.theme = "dark"`);
      await page.emulateMedia({ media: "print" });
      const black = "rgb(0, 0, 0)";
      expect(await styles(page, "html", "backgroundColor", "color")).toEqual(["rgb(255, 255, 255)", black]);
      expect(await styles(page, ".prose p", "color")).toEqual([black]);
      await page.emulateMedia({ media: "screen", forcedColors: "active" });
      expect(await styles(page, ".prose pre", "borderTopStyle")).toEqual(["solid"]);
      await page.close();
    },
  );

  test("says how long it takes to read if that is long", async () => {
    for (const [path, times] of [
      ["/posts/long", 1],
      ["/posts/short", 0],
      ["/", 1],
    ] as const) {
      const html = await site.markup({ name: path, path });
      expect([path, [...html.matchAll(/\d min read/g)].length]).toEqual([path, times]);
    }
  });

  fullRunTest(
    "has the readers' menu below the owner's for those who are signed in, on every page for readers",
    async () => {
      const page = await site.page({}, true);
      for (const path of ["/", "/posts/long", "/archive", "/search"]) {
        await page.goto(path);
        const menu = (name: string) =>
          page.getByRole("navigation", { name }).getByRole("link").allTextContents();
        expect(await menu("Main")).toEqual(expect.arrayContaining(["Posts", "Archive"]));
        expect(await menu("Your pages")).toEqual(expect.arrayContaining(["Library", "Posts", "Write"]));
        const foot = await page.locator("footer a").allTextContents();
        expect(foot).toEqual(expect.arrayContaining(["Feed", "Search", "Settings"]));
      }
      await page.goto("/write");
      expect(await page.getByRole("link", { name: "Archive" }).count()).toBe(0);
      await page.close();
    },
  );
});
