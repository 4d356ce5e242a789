import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "playwright-core";
import { SEED_MARKS } from "../../seed/kept-page.ts";
import { madeUpBookmarks } from "../../seed/made-up-bookmarks.ts";
import { changeStates } from "../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { removeBookmarks } from "../../src/bookmarks/bulk/change-many.ts";
import { FAILURES, storeFailure } from "../../src/copies/fetching/copy-failure.ts";
import { requestFetch } from "../../src/copies/fetching/request-fetch.ts";
import { PICTURES_JOB } from "../../src/copies/page-pictures/missing-pictures.ts";
import type { Database, Sql } from "../../src/database/database.ts";
import { storeUpload } from "../../src/imports/uploads.ts";
import { requestJob } from "../../src/jobs/job-store.ts";
import { findEntries } from "../../src/library/library-store.ts";
import { en } from "../../src/web/messages/en.ts";
import { MADE_UP_HOST } from "../support/pages/browser.ts";
import {
  describePages,
  type PageSite,
  type PageState,
  usePageSite,
  watch,
} from "../support/pages/page-visits.ts";
import { makeCopy } from "../support/records/copies.ts";
import { makeMark } from "../support/records/marks.ts";
import { makePagePicture } from "../support/records/page-pictures.ts";
import { fullRunTest, isFullRun } from "../support/run/full-run.ts";

const FILE = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
<DT><A HREF="https://kitchen.example/soup" ADD_DATE="1700000000" TAGS="soup">Lentil soup of the monks</A>
<DT><A HREF="javascript:alert(1)" ADD_DATE="1700000000">A script</A>
<DT><A HREF="https://carto.example/maps">日本の古い地図を読むための小さな手引き</A></DL><p>`;
const LONG = `https://long.example/${"a-very-long-path-without-a-break".repeat(12)}`;

/** Adds made-up links, and two with the longest address. */
async function fill({ database }: PageSite, links: number): Promise<void> {
  await database.write(async (sql) => {
    for (const { createdAt, ...fields } of madeUpBookmarks(24, new Date()).slice(-links))
      await insertBookmark(sql, fields, undefined, createdAt);
    for (const description of [`Hostile <b>. #x #maps #${"unbroken".repeat(8)}`, ""])
      await insertBookmark(sql, { title: "", url: LONG, description }, undefined, new Date());
  });
}

const FAINT_TEXTS = readFileSync(join(import.meta.dir, "../browser/faint-texts.js"), "utf8");

const chooseFile = async (page: Page, contents: string) => {
  const buffer = Buffer.from(contents);
  await page.getByLabel("File").setInputFiles({ name: "bookmarks.html", mimeType: "text/html", buffer });
  await page.getByRole("button", { name: "Preview" }).click();
};
const conflict = async (page: Page) => {
  await page.getByLabel("Title").fill("Mine");
  await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
    const { document, fetch, location } = globalThis as any;
    const id = location.pathname.split("/").at(-2);
    const body = JSON.stringify({ title: "Theirs", description: "Their note. #garden" });
    await fetch(`/bookmarks/${id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body,
    });
    void document;
  });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("alert").waitFor();
};

const STATES: readonly PageState[] = [
  { name: "library", path: "/library" },
  {
    name: "library-pictures",
    path: async ({ database }) => {
      const rows = await database.read<{ url: string }>`
        select url from bookmarks where archived is not true order by created_at desc, id desc limit 5`;
      for (const { url } of rows.slice(1)) await makePagePicture(database, url);
      return "/library?view=pictures";
    },
    act: (page) => page.locator(".bookmarks > li").nth(1).hover(),
  },
  { name: "search-pictures", like: "library-pictures", path: "/library?q=map*&view=pictures" },
  {
    name: "library-pictures-select",
    like: "library-select-refused",
    path: "/library?view=pictures&select=1",
  },
  { name: "library-compact", like: "library", path: "/library?view=compact" },
  { name: "library-select", like: "library-select-refused", path: "/library?select=1" },
  { name: "library-unread", like: "library", path: "/library?show=unread" },
  {
    name: "library-actions",
    like: "library",
    path: "/library",
    act: (page) => page.locator(".bookmarks > li").first().hover(),
  },
  { name: "library-keys", like: "library", path: "/library", act: (page) => page.keyboard.press("?") },
  { name: "search", like: "library", path: "/library?q=map*" },
  { name: "search-tag", like: "search", path: "/library?q=%23maps" },
  { name: "search-select", like: "search", path: "/library?q=map*&select=1" },
  {
    name: "library-select-refused",
    path: "/library?select=1",
    act: async (page) => {
      await page.locator(".bookmarks label").first().click();
      await page.getByRole("button", { name: "Add tags" }).click();
      await page.getByRole("alert").waitFor();
      expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(1);
    },
  },
  { name: "search-newest", like: "search", path: "/library?q=map*&sort=newest" },
  { name: "search-none", like: "search", path: "/library?q=cyanotpye%20%23maps" },
  { name: "search-unreadable", like: "search", path: "/library?q=%22map%20(" },
  { name: "add", like: "add-errors", path: "/library/new" },
  {
    name: "add-window",
    like: "add-errors",
    path: "/library/new?window=1&url=https://x.example/&title=T&text=Words",
  },
  { name: "add-saved", like: "add-errors", path: "/library/new?saved=1&window=1" },
  { name: "add-kept", like: "add-errors", path: `/library/new?url=${encodeURIComponent(LONG)}` },
  {
    name: "add-errors",
    path: "/library/new",
    act: async (page) => {
      await page.getByLabel("Address").fill("https:///no-host");
      await page.getByLabel("Title").fill("t".repeat(201));
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "edit", like: "add-errors", path: "/library/2/edit" },
  { name: "link", path: "/library/2" },
  {
    name: "link-note",
    like: "link",
    path: "/library/2",
    act: async (page) => {
      await page.getByText("Edit the note").click();
      await page.getByText("+ tag").click();
      await page.getByRole("button", { name: "More actions" }).click();
    },
  },
  {
    name: "link-tags-refused",
    like: "link",
    path: "/library/2",
    act: async (page) => {
      await page.getByText("+ tag").click();
      await page.getByLabel("Tags", { exact: true }).fill(",");
      await page.getByRole("button", { name: "Add", exact: true }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "link-copies",
    like: "link",
    signedIn: true,
    path: async ({ database }) => {
      for (const words of ["word ".repeat(500).trim(), "one two"]) await makeCopy(database, 6, words);
      return "/library/6";
    },
    act: (page) => page.getByText("Delete").first().click(),
  },
  {
    name: "link-copy-failed",
    like: "link",
    signedIn: true,
    path: async ({ database }) => {
      await database.write((sql) => storeFailure(sql, 7, "sign-in", new Date()));
      return "/library/7";
    },
  },
  {
    name: "link-copy-refused",
    like: "add-errors",
    signedIn: true,
    path: "/library/8",
    act: async (page) => {
      const picture = { name: "a.png", mimeType: "image/png", buffer: Buffer.from("a") };
      await page.getByLabel("Saved page").setInputFiles(picture);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "conflict", like: "add-errors", path: "/library/3/edit", act: conflict },
  {
    name: "removed-notice",
    like: "library",
    path: "/library/5",
    act: async (page) => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Undo" }).waitFor();
    },
  },
  { name: "removed", like: "tags", path: "/library/removed" },
  { name: "tags", path: "/library/tags" },
  { name: "tags-rename", like: "tags", path: "/library/tags?rename=garden" },
  {
    name: "tags-errors",
    like: "add-errors",
    path: "/library/tags",
    act: async (page) => {
      await page.getByRole("button", { name: "Merge" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "not-kept",
    like: "tags",
    signedIn: true,
    path: async ({ database }) => {
      const now = new Date();
      await database.write(async (sql) => {
        await sql`delete from copy_failures`;
        for (const [index, reason] of FAILURES.entries()) await storeFailure(sql, index + 2, reason, now);
        await requestFetch(sql, 3, undefined, new Date("2100-01-01"));
      });
      return "/library/copies";
    },
  },
  {
    name: "marks-none",
    like: "marks",
    signedIn: true,
    path: async ({ database }) => {
      await database.write((sql) => sql`delete from marks`);
      return "/library/marks";
    },
  },
  {
    name: "marks",
    signedIn: true,
    path: async ({ database }) => {
      for (const [index, { quote, note }] of SEED_MARKS.entries())
        await makeMark(database, index < 3 ? 2 : index, quote, { note, at: new Date(2026, 10, 20 + index) });
      return "/library/marks";
    },
  },
  { name: "marks-found", signedIn: true, like: "marks", path: "/library/marks?q=margins" },
  { name: "marks-error", like: "marks", signedIn: true, path: "/library/marks?q=%22" },
  { name: "all-pictures", like: "tags", signedIn: true, path: "/library/pictures" },
  {
    name: "all-pictures-running",
    like: "all-pictures",
    signedIn: true,
    path: async ({ database }) => {
      const payload = { done: 120, total: 900 };
      const job = { kind: PICTURES_JOB, key: "missing", payload, runAt: new Date("2100-01-01") };
      await database.write((sql) => requestJob(sql, job));
      return "/library/pictures";
    },
  },
  { name: "duplicates", like: "tags", path: "/library/duplicates" },
  { name: "import", like: "import-look", path: "/library/import" },
  {
    name: "import-errors",
    like: "add-errors",
    path: "/library/import",
    act: async (page) => {
      await chooseFile(page, "nothing");
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "import-look",
    path: "/library/import",
    act: async (page) => {
      await chooseFile(page, FILE);
      await page.getByRole("heading", { name: "Not valid" }).waitFor();
    },
  },
  {
    name: "import-running",
    like: "import-look",
    path: async ({ database }) => {
      await database.write(
        (sql) => sql`
          insert into import_uploads (key, kind, file_name, state, created_at, rule, with_tags, records, imported)
          values ('running', 'bookmarks', 'bookmarks.html', 'importing', ${new Date()}, 'skip', ${true}, 443, 318)
          on conflict (key) do nothing`,
      );
      return "/library/import/running";
    },
  },
  {
    name: "import-done",
    like: "import-look",
    path: "/library/import",
    act: async (page) => {
      await chooseFile(page, FILE.replaceAll(".example", ".test"));
      await page.getByRole("button", { name: "Import 2 links" }).click();
      await page.getByRole("heading", { name: "Import finished" }).waitFor();
    },
  },
  { name: "export", like: "tags", path: "/library/export" },
  { name: "bookmarklet", like: "tags", path: "/library/bookmarklet" },
  { name: "library-not-found", like: "search", path: "/library/999999" },
  {
    name: "next-to-read",
    path: async ({ database }) => {
      const waiting = [2, 3, 4];
      await changeStates(database, waiting, { unread: true }, new Date());
      for (const { url } of await findEntries(database.read, waiting)) await makePagePicture(database, url);
      return "/library/later";
    },
  },
];

/** In the browser: whether an element is in the window, with nothing above it. */
// biome-ignore lint/suspicious/noExplicitAny: a DOM element in the browser; the tests have no DOM types
const IS_SEEN = (element: any): boolean => {
  const { left, top, bottom } = element.getBoundingClientRect();
  const { innerHeight } = element.ownerDocument.defaultView;
  const middle = element.ownerDocument.elementFromPoint(left + 4, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && element.contains(middle);
};

describe("The library", () => {
  const site = usePageSite({ BOOKMARKS_ACCESS: "open", FETCH_PAGES: "off", ALLOWED_HOSTS: MADE_UP_HOST });
  beforeAll(async () => {
    // A longer list says no more, and takes longer to draw and to check on each page.
    await fill(site, 12);
    await removeBookmarks(site.database, [1], undefined, new Date());
  });

  describePages("Its pages", site, STATES);

  test("what a search marks stands out enough in the dark theme, too", async () => {
    const page = await site.page();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/library?q=map*");
    expect(await page.locator(".heads mark").count()).toBeGreaterThan(0);
    expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
    await page.close();
  });

  test("a row is dealt with by keys, its actions take no room, and its note opens in place", async () => {
    const page = await site.page();
    const note = "The map is not the territory, but it is a very good argument. ".repeat(6).trim();
    const link = { title: "Dealt with by keys", url: "https://keys.example/", description: note };
    const { id } = await site.database.write((sql) => insertBookmark(sql, link, undefined, new Date()));
    await page.goto("/library");
    const row = page.locator(`#link-${id}`);
    const next = page.locator(".bookmarks > li").nth(1);
    const before = await next.boundingBox();
    await row.hover();
    expect(await next.boundingBox()).toEqual(before);
    await row.getByText("whole note").click();
    await row.getByText(note, { exact: false }).locator("visible=true").waitFor();
    expect((await next.boundingBox())?.y).toBeGreaterThan(before?.y ?? 0);
    await page.keyboard.press("j");
    await page.keyboard.press("m");
    await page.getByText("Added to “Read later”.").waitFor();
    // Keys work once the scripts of the new page have run.
    await page.waitForLoadState();
    await page.keyboard.press("m");
    await page.getByText("Marked as read.").waitFor();
    await page.waitForLoadState();
    await page.keyboard.press("t");
    await row.locator("[name=tags]:focus").waitFor();
    await page.keyboard.type("territory");
    await page.keyboard.press("Enter");
    await page.getByText("\u2068#territory\u2069 added to 1 link.").waitFor();
    await row.getByRole("link", { name: "#territory" }).waitFor();
    await page.waitForLoadState();
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.waitForLoadState();
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor({ state: "hidden" });
    await page.close();
  });

  test("what is done to one link moves nothing, leaves no step to go back, and is undone by a key", async () => {
    const context = await site.window();
    const page = await context.newPage();
    const faults = watch(page, site.server.url);
    await page.goto("/library");
    const rows = page.locator(".bookmarks > li");
    const id = (await rows.nth(8).getAttribute("id")) ?? "";
    const next = page.locator(`#${await rows.nth(9).getAttribute("id")}`);
    const row = page.locator(`#${id}`);
    await row.scrollIntoViewIfNeeded();
    const steps = await page.evaluate("history.length");
    const topOf = async (part: typeof row) => Math.round((await part.boundingBox())?.y ?? 0);
    const top = await topOf(row);
    const other = next.getByRole("checkbox");
    await other.check();
    await row.hover();
    await row.getByRole("button", { name: "Read later" }).click();
    await page.getByText("Added to “Read later”.").waitFor();
    expect([await topOf(row), await other.isChecked()]).toEqual([top, true]);
    await page.getByText("1 selected").waitFor();
    await other.uncheck();
    await row.getByRole("link", { name: "Tag", exact: true }).click();
    await row.locator("[name=tags]:focus").waitFor();
    expect(await topOf(row)).toBe(top);
    await page.keyboard.type("in place");
    await page.keyboard.press("Enter");
    await page.getByText("added to 1 link.").waitFor();
    await row.getByText("#in-place").waitFor();
    await row.locator(".more").click();
    const before = await topOf(row);
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Link removed.").waitFor();
    expect(await topOf(next)).toBe(before);
    expect(await row.count()).toBe(0);
    await page.keyboard.press("z");
    await row.waitFor();
    expect(await page.evaluate("history.length")).toBe(steps);
    expect(faults).toEqual([]);
    await context.setOffline(true);
    await row.getByRole("button", { name: "Archive" }).click();
    await page.getByText("Not saved: the server can’t be reached.").waitFor();
    const field = page.getByRole("searchbox");
    await field.pressSequentially("no");
    const unreached = page.getByText("Not searched: the server can’t be reached.");
    await unreached.waitFor();
    // Nor does the page give way to an error of the browser when the search is sent.
    await page.evaluate(`document.querySelector("main > .toast").remove()`);
    await page.keyboard.press("Enter");
    await unreached.waitFor();
    await field.focus();
    await page.keyboard.press("End");
    await context.setOffline(false);
    await field.pressSequentially("thing");
    await page.getByText("No results").waitFor();
    expect(await page.getByText("Not searched").isVisible()).toBe(false);
    await page.goBack();
    // Twice at once is once: what is done already is not sent again.
    await row.getByRole("button", { name: "Archive" }).dblclick();
    await page.getByText("Archived.").waitFor();
    await page.keyboard.press("z");
    await row.waitFor();
    await context.close();
  });

  fullRunTest("what is refused at a link far down the list is said where it is seen", async () => {
    for (const options of [
      // What a phone shows is the same script in less room.
      ...(isFullRun ? [{}] : []),
      ...[{ javaScriptEnabled: false }, { viewport: { width: 390, height: 500 } }],
    ]) {
      const context = await site.window({ viewport: { width: 1280, height: 500 }, ...options });
      const page = await context.newPage();
      await page.goto("/library");
      const row = page.locator(".bookmarks > li").last();
      const isSeen = async (selector: string) => {
        const said = page.locator(`${selector}:visible`);
        await said.waitFor();
        expect([options, await said.evaluate(IS_SEEN)]).toEqual([options, true]);
      };
      await row.scrollIntoViewIfNeeded();
      await row.hover();
      if (await row.locator(".more").isVisible()) await row.locator(".more").click();
      await row.getByRole("link", { name: "Tag", exact: true }).click();
      await row.locator("[name=tags]").waitFor();
      await row.getByRole("button", { name: "Add tags" }).click();
      await isSeen(".bookmarks .error");
      if (!("javaScriptEnabled" in options)) {
        await context.setOffline(true);
        await row.getByRole("button", { name: "Add tags" }).click();
        await isSeen(".toast.alarm");
      }
      await context.close();
    }
  });

  fullRunTest("a link to be read is marked as read with one tap on a phone", async () => {
    const context = await site.window({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await context.newPage();
    await page.goto("/library");
    const row = page.locator(".bookmarks > li").nth(3);
    const read = row.getByRole("button", { name: "Mark as read" });
    expect(await row.locator(".deeds :is(a, button):visible").count()).toBe(0);
    await row.locator(".more").tap();
    await row.getByRole("button", { name: "Read later" }).tap();
    await read.tap();
    await page.getByText("Marked as read.").waitFor();
    expect(await read.count()).toBe(0);
    await context.close();
  });

  fullRunTest("what is typed while the field for everything opens is typed into it", async () => {
    const context = await site.window({}, true);
    const page = await context.newPage();
    // As a browser says on a machine without a network, whose own server it reaches.
    await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
    const [asked, opens] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/find", async (route) => {
      asked.resolve();
      await opens.promise;
      await route.continue();
    });
    await page.goto("/library");
    await page.keyboard.press("j");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("#m");
    await asked.promise;
    await page.keyboard.type("a");
    opens.resolve();
    const field = page.locator("dialog input");
    await field.waitFor();
    expect(await field.inputValue()).toBe("#ma");
    await page.locator("dialog").getByText("#maps").waitFor();
    expect(new URL(page.url()).pathname).toBe("/library");
    expect(await page.locator("main > .toast").count()).toBe(0);
    await page.keyboard.type("p");
    expect(await field.inputValue()).toBe("#map");
    await page.goto("/library");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("settings");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings");
    await context.close();
  });

  test("finds while one types, and the back button leads to where one was", async () => {
    const context = await site.window({ reducedMotion: "no-preference" });
    const page = await context.newPage();
    const faults = watch(page, site.server.url);
    await page.goto("/library");
    await page.getByRole("searchbox").pressSequentially("garden");
    await page.getByText("for “garden”").waitFor();
    expect(page.url()).toContain("q=garden");
    expect(await page.locator("#list mark").count()).toBeGreaterThan(0);
    const field = page.getByRole("searchbox");
    const all = page.getByText(/^\d+ links$/);
    await page.goBack();
    await all.waitFor();
    expect(await field.inputValue()).toBe("");
    expect(new URL(page.url()).search).toBe("");
    await page.goForward();
    await page.getByText("for “garden”").waitFor();
    expect(await field.inputValue()).toBe("garden");
    // From another page, and then from the search.
    await page.locator(".bookmarks a[href^='/library/']").first().click();
    await page.waitForURL(/library\/\d/);
    await page.goBack();
    await page.getByText("for “garden”").waitFor();
    await page.goBack();
    await all.waitFor();
    // What is typed after the field was left is a step of its own.
    await field.fill("map");
    await page.getByText("for “map”").waitFor();
    await field.blur();
    await field.fill("garden");
    await page.getByText("for “garden”").waitFor();
    await field.fill("");
    await all.waitFor();
    await page.goBack();
    await page.getByText("for “map”").waitFor();
    expect(await field.inputValue()).toBe("map");
    await page.locator("#list mark").first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  fullRunTest("keeps the old list, dimmed, until a search has its answer", async () => {
    const page = await (await site.window()).newPage();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/q=map/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/library");
    const rows = await page.locator("#list li").count();
    await page.getByRole("searchbox").pressSequentially("map");
    await page.locator("#list[aria-busy=true]").waitFor();
    expect(await page.locator("#list li").count()).toBe(rows);
    release();
    await page.getByText("for “map”").waitFor();
    expect(await page.locator("#list[aria-busy=true]").count()).toBe(0);
  });

  fullRunTest("moves, edits and finds by single keys, but never inside a field", async () => {
    const context = await site.window();
    const page = await context.newPage();
    await page.goto("/library");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const current = page.locator(".bookmarks > .here");
    expect(await current.count()).toBe(1);
    const id = (await current.getAttribute("id"))?.slice("link-".length);
    await page.keyboard.press("/");
    await page.keyboard.type("jn");
    expect(await page.getByRole("searchbox").inputValue()).toBe("jn");
    await page.goto("/library");
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.waitForURL(`**/library/${id}/edit`);
    await context.close();
  });

  fullRunTest.each([true, false])(
    "the menu opens the help of keys, with a script %p",
    async (javaScriptEnabled) => {
      const context = await site.window({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto("/library");
      await page.getByRole("button", { name: "More", exact: true }).first().click();
      await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
      await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
      // With a script the help takes the place of the menu, and the focus comes back to what opened that.
      expect(await page.getByRole("link", { name: "By month" }).isVisible()).toBe(!javaScriptEnabled);
      await page.getByRole("button", { name: "Close", exact: true }).locator("visible=true").click();
      expect(await page.getByRole("heading", { name: "Keyboard shortcuts" }).isVisible()).toBe(false);
      if (javaScriptEnabled) expect(await page.locator("[popovertarget=more]:focus").count()).toBe(1);
      await context.close();
    },
  );

  fullRunTest("imports a file of many rows while one watches, and undoes it", async () => {
    const context = await site.window();
    const page = await context.newPage();
    const faults = watch(page, site.server.url);
    await page.goto("/library/import");
    const rows = Array.from(
      { length: 1_100 },
      (_, n) => `<DT><A HREF="https://many.example/${n}">No. ${n}</A>`,
    );
    await chooseFile(page, `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${rows.join("\n")}</DL><p>`);
    await page.getByRole("button", { name: "Import 1,100 links" }).click();
    await page.getByRole("heading", { name: "Import finished" }).waitFor();
    await page.getByRole("link", { name: "duplicates" }).waitFor();
    await page.getByRole("button", { name: "Undo this import" }).click();
    await page.getByText("was undone.").waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test("the whole journey works with JavaScript off", async () => {
    const context = await site.window({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/library");
    await page.getByRole("link", { name: "Add", exact: true }).click();
    await page.getByLabel("Address").fill("noscript.example/page");
    await page.getByLabel("Title").fill("Noscript journey");
    await page.getByLabel("Tags").fill("journey, 2024");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("“Noscript journey” was added.").waitFor();
    await page.getByRole("searchbox").fill("noscript journey");
    await page.keyboard.press("Enter");
    await page.getByText("1 link for “noscript journey”").waitFor();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByLabel("Your note").fill("A note.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Link saved.").waitFor();
    await page.getByRole("link", { name: "Edit" }).first().click();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByText("Link removed.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Change undone.").waitFor();
    expect(await page.getByRole("link", { name: "Noscript journey", exact: true }).count()).toBe(1);
    await context.close();
  });

  fullRunTest(
    "a file that takes long to read has its preview on the same page, with JavaScript off",
    async () => {
      const context = await site.window({ javaScriptEnabled: false });
      const page = await context.newPage();
      const file = { kind: "bookmarks", fileName: "long.html", bytes: Buffer.from(FILE) } as const;
      const { database } = site;
      // Its job is leased in the transaction that stores it: nothing reads it before its page has been seen.
      const leasedUntil = (sql: Sql, instant: Date | null) =>
        sql`update jobs set leased_until = ${instant} where key = 'long'`;
      const write: Database["write"] = (work) =>
        database.write(async (sql) => {
          const done = await work(sql);
          await leasedUntil(sql, new Date("2100-01-01"));
          return done;
        });
      const key = await storeUpload({ clock: database.clock, write }, file, "long");
      await page.goto("/library/import");
      await page.getByRole("link", { name: "long.html" }).click();
      await page.getByRole("heading", { name: "Reading the file" }).waitFor();
      expect(await page.getByRole("progressbar").count()).toBe(1);
      expect(await page.getByRole("button", { name: "Cancel" }).count()).toBe(1);
      await database.write((sql) => leasedUntil(sql, null));
      // The page reads itself again.
      await page.getByRole("heading", { name: "Preview" }).waitFor();
      expect(page.url()).toEndWith(`/library/import/${key}`);
      expect(await page.getByText("Lentil soup of the monks").count()).toBe(1);
      await context.close();
    },
  );

  fullRunTest("every form works on plain http under a made-up host name", async () => {
    const { port } = new URL(site.server.url);
    const context = await site.window({ baseURL: `http://${MADE_UP_HOST}:${port}` }, true);
    const page = await context.newPage();
    const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
    await page.goto("/library/new?url=https://plain.example/&title=Plain&tags=plain");
    expect(await page.evaluate("isSecureContext")).toBe(false);
    await press("Save");
    await page.getByText("“Plain” was added.").waitFor();
    await page.getByRole("link", { name: "Edit" }).first().click();
    await page.getByLabel("Title").fill("Plainer");
    await press("Save");
    await page.getByText("Link saved.").waitFor();
    await page.goto("/library?select=1");
    await page.locator("label", { hasText: "Plainer" }).click();
    expect(await page.getByRole("checkbox", { name: "Plainer" }).isChecked()).toBe(true);
    await page.getByText("1 selected").waitFor();
    await press("Archive");
    await page.getByText("1 link archived.").waitFor();
    await page.goto("/library/tags?rename=plain");
    await page.getByLabel(/^New name for/).fill("plain-http");
    await press("Rename");
    await press("Undo");
    await page.getByText("Change undone.").waitFor();
    await page.goto("/library/import");
    await chooseFile(page, FILE.replaceAll(".example", ".invalid"));
    await press("Import 2 links");
    await press("Undo this import");
    await page.getByText("was undone.").waitFor();
    await page.goto("/library/feeds");
    await press("Create feed");
    await press("Delete");
    await page.getByText("Feed deleted.").waitFor();
    await context.close();
  });
});

describe("A library of more links than a page", () => {
  const site = usePageSite({ BOOKMARKS_ACCESS: "open", FETCH_PAGES: "off" });

  test("weighs at most 21.7 kB in five requests, its script at most 6 kB", async () => {
    await fill(site, 24);
    await site.database.write(async (sql) => {
      for (const { createdAt, ...fields } of madeUpBookmarks(60, new Date()))
        await insertBookmark(sql, fields, undefined, createdAt);
    });
    const context = await site.window();
    const page = await context.newPage();
    const bodies = new Map<string, Promise<Buffer>>();
    page.on("response", (response) => bodies.set(new URL(response.url()).pathname, response.body()));
    await page.goto("/library", { waitUntil: "networkidle" });
    const sizes = new Map<string, number>();
    for (const [path, body] of bodies) sizes.set(path, brotliCompressSync(await body).length);
    const loaded = [...sizes].filter(([path]) => !/icon|manifest|pictures/.test(path));
    expect(loaded).toHaveLength(5);
    // The letters of the sites are some 130 bytes of the list and 200 of the sheet.
    expect(loaded.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(21_700);
    const [, script] = loaded.find(([path]) => path.endsWith("library.js")) ?? [];
    expect(script).toBeLessThanOrEqual(6_000);
    await context.close();
  });
});

describe("Without the server", () => {
  const site = usePageSite({ BOOKMARKS_ACCESS: "read", FETCH_PAGES: "off" });
  const words = en.unreached;

  test("readers, too, are told that nothing was searched, and the next search takes the words away", async () => {
    await fill(site, 2);
    const page = await site.page();
    await page.goto("/library");
    await page.getByRole("searchbox").focus();
    await page.context().setOffline(true);
    await page.keyboard.type("words");
    await page.getByText(words).waitFor();
    await page.context().setOffline(false);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/library?q=words");
    await page.getByText(words).waitFor({ state: "detached" });
    await page.close();
  });

  test.each(["/library", "/account"])(
    "the key of the field for everything leaves one on %s, which says why",
    async (path) => {
      const page = await site.page({}, true);
      await page.goto(path, { waitUntil: "networkidle" });
      await page.context().setOffline(true);
      await page.keyboard.press("Control+k");
      await page.getByText(words).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
      await page.context().setOffline(false);
      await page.keyboard.press("Control+k");
      const field = page.locator("find-anything input");
      await field.waitFor();
      await page.close();
    },
  );
});
