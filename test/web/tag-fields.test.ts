import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { describePages, usePageSite, watch } from "../support/pages/page-visits.ts";
import { makeToken, withToken } from "../support/records/accounts.ts";
import { createPost } from "../support/records/blog.ts";
import { sendTo } from "../support/requests/send.ts";

const type = async (page: Page, text: string) => {
  await page.getByRole("combobox", { name: "Tags", exact: true }).pressSequentially(text);
  await page.getByRole("listbox").waitFor();
};

/** In the browser: what is above options, from point to point. */
// biome-ignore lint/suspicious/noExplicitAny: DOM elements in the browser; the tests have no DOM types
const OVER_OPTIONS = (options: any[]) =>
  options.flatMap((option) => {
    const { left, right, top, bottom } = option.getBoundingClientRect();
    const over = new Set<string>();
    for (let y = top + 2; y < bottom - 1; y += 4)
      for (let x = left + 2; x < right - 1; x += 8) {
        const found = option.ownerDocument.elementFromPoint(x, y);
        if (!option.contains(found)) over.add(found?.outerHTML.slice(0, 60) ?? "nothing");
      }
    return [...over];
  });

describe("Fields of tags", () => {
  const site = usePageSite({ FETCH_PAGES: "off" });
  beforeAll(async () => {
    const { database, server, account } = site;
    await database.write(async (sql) => {
      for (const tags of ["#recipe #dev/web", "#recipe", "#recipes #machine-learning"])
        await insertBookmark(
          sql,
          { title: tags, url: "https://a.example/", description: tags },
          undefined,
          new Date(),
        );
    });
    const send = withToken(sendTo(server.url), await makeToken(database, account));
    const { id } = await createPost(send, { title: "Quinces", content: "Nine." });
    const json = { tags: ["recollections"] };
    await send(`/api/posts/${id}/publication/`, { method: "PATCH", json });
  });

  describePages("with their lists open", site, [
    { name: "tag-field", path: "/library/new", signedIn: true, act: (page) => type(page, "rec") },
    {
      name: "tag-field-selection",
      path: "/library?select=1",
      signedIn: true,
      act: (page) => type(page, "rec"),
    },
    { name: "tags-alike", path: "/library/tags", signedIn: true },
  ]);

  async function open(path: string, options = {}) {
    const page = await (await site.window(options, true)).newPage();
    const faults = watch(page, site.server.url);
    await page.goto(path);
    return { page, faults, field: page.getByRole("combobox", { name: "Tags", exact: true }) };
  }

  test("complete the tag at the caret by keys, with the number of its links", async () => {
    const { page, faults, field } = await open("/library/new");
    await field.pressSequentially("rec");
    await page.getByRole("listbox").waitFor();
    expect(await page.getByRole("option").allTextContents()).toEqual(["recipe 2", "recipes 1"]);
    expect(await field.getAttribute("aria-expanded")).toBe("true");
    await field.press("ArrowDown");
    await field.press("ArrowDown");
    expect(await page.getByRole("option", { selected: true }).textContent()).toBe("recipes 1");
    expect(await field.getAttribute("aria-activedescendant")).toBe(
      await page.getByRole("option", { selected: true }).getAttribute("id"),
    );
    await field.press("Enter");
    expect(await field.inputValue()).toBe("recipes, ");
    expect(await field.getAttribute("aria-expanded")).toBe("false");
    // What is chosen already is not offered again; blanks stand for dashes.
    await field.pressSequentially("Rec");
    await page.getByRole("listbox").waitFor();
    expect(await page.getByRole("option").allTextContents()).toEqual(["recipe 2"]);
    await field.press("Escape");
    expect(await page.getByRole("listbox").count()).toBe(0);
    await field.fill("recipes, machine l");
    await page.getByRole("listbox").waitFor();
    await field.press("ArrowUp");
    await field.press("Enter");
    expect(await field.inputValue()).toBe("recipes, machine-learning, ");
    expect(faults).toEqual([]);
  });

  test("complete what was typed before their script was there", async () => {
    const page = await (await site.window({}, true)).newPage();
    const typed = Promise.withResolvers<void>();
    await page.route("**/tag-field.js", async (route) => {
      await typed.promise;
      await route.continue();
    });
    await page.goto("/library/new", { waitUntil: "commit" });
    await page.getByLabel("Tags", { exact: true }).pressSequentially("rec");
    typed.resolve();
    await page.getByRole("option", { name: "recipes" }).waitFor();
    await page.context().close();
  });

  test("complete by mouse, above the rows below them", async () => {
    for (const width of [1280, 390]) {
      const { page, faults } = await open("/library", { viewport: { width, height: 844 } });
      const row = page.locator(".bookmarks > li").first();
      await row.hover();
      if (width < 832) await row.locator(".more").click();
      await row.getByRole("link", { name: "Tag", exact: true }).click();
      const field = row.locator("[name=tags]");
      await field.pressSequentially("rec");
      const options = row.getByRole("option");
      await options.last().waitFor();
      // Each point of an option belongs to it.
      const covered = await options.evaluateAll(OVER_OPTIONS);
      expect([width, covered]).toEqual([width, []]);
      const path = page.url();
      await options.last().click();
      expect(await field.inputValue()).toMatch(/^recipes?, $/);
      expect(page.url()).toBe(path);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });

  test("complete by finger, in the sheet of a phone, too", async () => {
    const { page, faults, field } = await open("/library?select=1", {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await page.getByRole("button", { name: "Change…" }).tap();
    await field.pressSequentially("dev");
    await page.getByRole("option", { name: "dev/web" }).tap();
    expect(await field.inputValue()).toBe("dev/web, ");
    expect(await field.evaluate("document.activeElement.name")).toBe("tags");
    expect(faults).toEqual([]);
  });

  test("complete in the editor with the tags of posts, whose text is then saved", async () => {
    const { page, faults, field } = await open("/write");
    await page.goto(`/write/${crypto.randomUUID()}`);
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await field.pressSequentially("rec");
    await page.getByRole("option", { name: "recollections" }).click();
    expect(await field.inputValue()).toBe("recollections, ");
    expect((await saved).ok()).toBe(true);
    expect(faults).toEqual([]);
  });

  test("one of several names is taken whole, and a likely pair is merged with one click", async () => {
    const { page, faults } = await open("/library/tags");
    await page.getByRole("link", { name: "Rename recipes" }).click();
    const field = page.getByLabel("New name for “recipes”");
    expect(await field.inputValue()).toBe("recipes");
    await field.fill("dev");
    await page.getByRole("option", { name: "dev/web" }).click();
    expect(await field.inputValue()).toBe("dev/web");
    await page.goto("/library/tags");
    await page.getByRole("button", { name: "Merge into recipe" }).click();
    await page.getByRole("button", { name: "Undo" }).first().waitFor();
    await page.getByText("\u2068#recipes\u2069 renamed to \u2068#recipe\u2069.").waitFor();
    expect(await page.getByText("Similar tags").count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
