import type { Page } from "playwright-core";
import { changeStates } from "../../src/bookmarks/bookmark-states.ts";
import { FAILURES, storeFailure } from "../../src/copies/fetching/copy-failure.ts";
import { PICTURES_JOB } from "../../src/copies/page-pictures/missing-pictures.ts";
import { requestJob } from "../../src/jobs/job-store.ts";
import { LONG_TAG, LONG_URL } from "./hostile-texts.ts";
import type { PictureSite } from "./picture-site.ts";
import { alert, allowAnything, type PageStates, press } from "./picture-state.ts";

const query = (path: string, members: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams(members)}`;
const found = (q: string) => query("/library", { q });
/** The page of a new link, which the state may change. */
const fresh =
  (below = "") =>
  async ({ send }: PictureSite) => {
    const url = `https://fresh.example/${crypto.randomUUID()}`;
    const json = { title: "A map of the harbor", url, description: "Drawn twice. #maps #harbor" };
    const response = await send("/bookmarks/", { method: "POST", json });
    return `/library/${((await response.json()) as { id: number }).id}${below}`;
  };
/** A new link with a note of more than two lines. @returns its id */
const withLongNote = async ({ send }: PictureSite): Promise<number> => {
  const note = "The map is not the territory, but it is a very good argument. ".repeat(6);
  const json = {
    title: "Notes on maps",
    url: `https://fresh.example/${crypto.randomUUID()}`,
    description: note,
  };
  const response = await send("/bookmarks/", { method: "POST", json });
  return ((await response.json()) as { id: number }).id;
};
/** The list with a field for the tags of a link. */
const tagging = async (site: PictureSite) => `/library?tag=${await withLongNote(site)}`;
/** The page of a list that is shared anew. */
const shared =
  (more: object) =>
  async ({ send }: PictureSite) => {
    const json = { q: "#maps", title: "Maps for Anna", ...more };
    const response = await send("/api/shares/", { method: "POST", json });
    return new URL(((await response.json()) as { url: string }).url).pathname;
  };
/** The page of what to read next, with some links to be read later. */
const later = async ({ database }: PictureSite) => {
  const rows = await database.read<{
    id: number;
  }>`select id from bookmarks order by created_at desc limit 60`;
  const ids = rows.map(({ id }) => Number(id)).filter((_, index) => index % 6 === 0);
  await changeStates(database, ids, { unread: true }, new Date());
  return "/library/later";
};
/** The room of a new link, whose page was sent. */
const room = async (site: PictureSite) => {
  const path = await fresh("/read")(site);
  const body = `<!doctype html><html lang="en"><title>A map of the harbor</title><article><h1>A map of the harbor</h1>${ROOM_TEXT}`;
  const headers = { "content-type": "text/html; charset=utf-8" };
  await site.send(path.replace("/library/", "/bookmarks/").replace(/read$/, "copies/"), {
    ...{ method: "POST", headers, body },
  });
  return path;
};
/** The room of a new link with two marks, one of which has a note, and the page of that. */
const marked = async (site: PictureSite) => {
  const path = await room(site);
  const note = "The drawings differ at the north pier. Which one did the printer have?";
  const marks = [
    { quote: "once before the storm, and once from memory", note },
    { quote: "was drawn twice" },
  ];
  const ids: number[] = [];
  for (const json of marks) {
    const to = path.replace("/library/", "/bookmarks/").replace(/read$/, "marks/");
    const made = await site.send(to, { method: "POST", json });
    ids.push(((await made.json()) as { id: number }).id);
  }
  return { room: path, mark: path.replace(/read$/, `marks/${ids[0]}`) };
};
const markedRoom = async (site: PictureSite) => (await marked(site)).room;
const mark = async (site: PictureSite) => (await marked(site)).mark;
const ROOM_TEXT = Array.from({ length: 24 }, () =>
  "<p>The map of the harbor was drawn twice, once before the storm, and once from memory. ".repeat(3),
).join("");
const KEPT = "https://clips.example/guide";
const first = ".bookmarks > li";

/** Saves a link on its page after another user has changed it. */
async function conflict(page: Page, { send }: PictureSite): Promise<void> {
  await page.getByLabel("Title").fill("Mine, which is not saved");
  const id = new URL(page.url()).pathname.split("/").at(-2);
  const json = { title: "Theirs", description: "Their note, of two lines.\nThis is the second. #garden" };
  await send(`/bookmarks/${id}`, { method: "PATCH", json });
  await press(page, "Save");
  await alert(page);
}

/** The links: listing, finding, adding, changing, removing. */
export const library: PageStates = {
  "/library": [
    { name: "library-first-use", on: "empty", path: "/library", signedIn: true, title: "Library" },
    { name: "library-first-use-open", on: "new", path: "/library", title: "Library", also: ["large"] },
    {
      name: "library",
      path: "/library",
      signedIn: true,
      title: "Library",
      also: ["print", "forced", "large", "medium"],
    },
    { name: "library-no-script", path: "/library", signedIn: true, withoutScript: true, title: "Library" },
    { name: "library-reader", on: "readable", path: "/library", title: "Library" },
    {
      name: "library-hostile",
      on: "hostile",
      path: "/library",
      signedIn: true,
      title: "Library",
      also: ["large"],
    },
    { name: "library-compact", path: "/library?view=compact", signedIn: true, title: "Library" },
    {
      name: "library-pictures",
      path: "/library?view=pictures",
      signedIn: true,
      title: "Library",
      also: ["forced", "large", "medium"],
    },
    {
      name: "library-pictures-hostile",
      on: "hostile",
      path: "/library?view=pictures",
      signedIn: true,
      title: "Library",
    },
    {
      name: "library-pictures-search",
      path: "/library?q=map&view=pictures",
      signedIn: true,
      title: "map · Library",
    },
    {
      name: "library-pictures-select",
      path: "/library?view=pictures&select=1",
      signedIn: true,
      title: "Library",
      also: ["forced"],
    },
    {
      name: "library-compact-search",
      path: "/library?q=map&view=compact",
      signedIn: true,
      title: "map · Library",
    },
    { name: "library-select", path: "/library?select=1", signedIn: true, title: "Library", also: ["large"] },
    {
      name: "library-select-hostile",
      on: "hostile",
      path: "/library?select=1",
      signedIn: true,
      title: "Library",
    },
    {
      name: "library-select-ticked",
      path: "/library?select=1",
      signedIn: true,
      title: "Library",
      also: ["forced"],
      act: async (page) => {
        for (const number of [0, 1, 3]) await page.getByRole("checkbox").nth(number).check();
      },
    },
    {
      name: "library-select-sheet",
      path: "/library?select=1",
      signedIn: true,
      title: "Library",
      act: async (page) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await page.getByRole("checkbox").nth(1).check();
        await page.getByRole("button", { name: "Change…" }).click();
        await page.locator("#actions:popover-open").waitFor();
      },
    },
    {
      name: "library-select-refused",
      path: "/library?select=1",
      signedIn: true,
      title: "Error: Library",
      also: ["large"],
      act: async (page) => {
        await page.getByRole("checkbox").nth(1).check();
        const open = page.getByRole("button", { name: "Change…" });
        if (await open.isVisible()) await open.click();
        await press(page, "Add tags");
        await alert(page);
      },
    },
    {
      name: "library-actions-hover",
      path: "/library",
      signedIn: true,
      title: "Library",
      act: (page) => page.locator(first).nth(1).hover(),
    },
    {
      name: "library-actions-sheet",
      path: "/library",
      signedIn: true,
      title: "Library",
      act: async (page) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await page.locator(`${first} button.more`).nth(1).click();
        await page.locator(`${first} .deeds:popover-open`).waitFor();
      },
    },
    { name: "library-tagging", path: tagging, signedIn: true, title: "Library", also: ["large"] },
    {
      name: "library-whole-note",
      path: async (site) => {
        await withLongNote(site);
        return "/library";
      },
      signedIn: true,
      title: "Library",
      act: (page) => page.getByText("whole note").locator("visible=true").first().click(),
    },
    {
      name: "library-keys",
      path: "/library",
      signedIn: true,
      title: "Library",
      shows: "Keyboard shortcuts",
      act: (page) => page.keyboard.press("?"),
    },
    {
      name: "library-key-moved",
      path: "/library",
      signedIn: true,
      title: "Library",
      act: async (page) => {
        for (const key of ["j", "j"]) await page.keyboard.press(key);
        await page.locator(".bookmarks > .here").waitFor();
      },
    },
    {
      name: "library-unread",
      path: async (site) => {
        await later(site);
        return "/library?show=unread";
      },
      signedIn: true,
      title: "Read later",
      also: ["large"],
    },
    {
      name: "library-unread-empty",
      on: "hostile",
      path: "/library?show=unread",
      signedIn: true,
      title: "Read later",
    },
    { name: "library-archived-empty", path: "/library?show=archived", signedIn: true, title: "Archived" },
    {
      name: "library-notice-added",
      path: query("/library/new", { url: "https://quarto.example/harbor", title: "A map of the harbor" }),
      signedIn: true,
      title: "Library",
      shows: "was added.",
      act: (page) => press(page, "Save"),
    },
    {
      name: "library-notice-removed",
      path: fresh(),
      signedIn: true,
      title: "Library",
      shows: "Link removed.",
      act: async (page) => {
        await page.locator("main [popovertarget]").first().click();
        await press(page, "Remove");
      },
    },
    {
      name: "search",
      path: found("map*"),
      signedIn: true,
      title: "map* · Library",
      also: ["forced", "large"],
    },
    {
      name: "search-newest",
      path: query("/library", { q: "map*", sort: "newest" }),
      signedIn: true,
      title: "map*",
    },
    {
      name: "search-filters",
      path: found("#maps paper -word after:2020"),
      signedIn: true,
      title: "#maps paper",
      also: ["large"],
    },
    {
      name: "search-date",
      path: found("maps last year"),
      signedIn: true,
      title: "on:20",
      shows: "saved in",
    },
    { name: "search-without", path: found("map* -word -#garden"), signedIn: true, title: "map* -word" },
    { name: "search-untagged", path: found("tag:none"), signedIn: true, title: "tag:none" },
    { name: "search-none", path: found("cyanotpye #maps"), signedIn: true, title: "cyanotpye" },
    { name: "search-unreadable", path: found('"map ('), signedIn: true, title: '"map (' },
    {
      name: "search-hostile",
      on: "hostile",
      path: found(`#${LONG_TAG} title -word`),
      signedIn: true,
      title: `#${LONG_TAG}`,
    },
    {
      name: "search-long",
      on: "hostile",
      path: found("unbroken".repeat(20)),
      signedIn: true,
      title: "unbroken",
    },
    {
      name: "search-typed",
      path: "/library",
      signedIn: true,
      title: "",
      shows: "for “garden”",
      act: (page) => page.getByRole("searchbox").pressSequentially("garden"),
    },
    { name: "search-no-script", path: found("map*"), signedIn: true, withoutScript: true, title: "map*" },
  ],
  "/library/new": [
    { name: "add", path: "/library/new", signedIn: true, title: "Add a link", also: ["large"] },
    { name: "add-first", on: "new", path: "/library/new", title: "Add a link" },
    { name: "add-no-script", path: "/library/new", signedIn: true, withoutScript: true, title: "Add a link" },
    {
      name: "add-window",
      path: query("/library/new", { window: "1", url: "https://x.example/", title: "T", text: "Words" }),
      signedIn: true,
      title: "Save this page",
    },
    {
      name: "add-window-saved",
      path: "/library/new?saved=1&window=1",
      signedIn: true,
      withoutScript: true,
      title: "Save this page",
      shows: "You can close this window.",
    },
    {
      name: "add-kept",
      path: query("/library/new", { url: KEPT, title: "Paper clips", text: "Again." }),
      signedIn: true,
      title: "Add a link",
      shows: "You already saved this page",
    },
    {
      name: "add-kept-hostile",
      on: "hostile",
      path: query("/library/new", { url: `${LONG_URL}/0` }),
      signedIn: true,
      title: "Add a link",
      shows: "You already saved this page",
    },
    {
      name: "add-errors",
      path: "/library/new",
      signedIn: true,
      title: "Error: Add a link",
      also: ["forced"],
      act: async (page) => {
        await allowAnything(page);
        await page.getByLabel("Address").fill("https:///no-host");
        await page.getByLabel("Title").fill("t".repeat(201));
        await press(page, "Save");
        await alert(page);
      },
    },
  ],
  "/library/{id}": [
    {
      name: "link",
      path: "/library/600",
      signedIn: true,
      title: "An index is a promise",
      also: ["large", "print"],
    },
    {
      name: "link-editing",
      path: "/library/600",
      signedIn: true,
      title: "An index is a promise",
      act: async (page) => {
        await page.getByText("Edit the note").click();
        await page.getByText("+ tag").click();
      },
    },
    {
      name: "link-tags-refused",
      path: "/library/600",
      signedIn: true,
      title: "Error: An index is a promise",
      act: async (page) => {
        await page.getByText("+ tag").click();
        await page.getByLabel("Tags", { exact: true }).fill(",");
        await page.getByRole("button", { name: "Add", exact: true }).click();
        await alert(page);
      },
    },
    {
      name: "link-hostile",
      on: "hostile",
      path: "/library/1",
      signedIn: true,
      title: "On the keeping",
      also: ["large"],
    },
    {
      name: "link-changed",
      path: fresh("/edit"),
      signedIn: true,
      title: "A map of the harbor",
      shows: "Edited",
      act: async (page) => {
        await page.getByLabel("Your note").fill("Drawn twice, and the second one is the better one.");
        await press(page, "Save");
        await page.getByText("Link saved.").waitFor();
        await page.locator(`${first}:target`).hover();
        await page.locator(`${first}:target .more`).click();
        await page.locator(`${first}:target .deeds:popover-open`).getByText("Details").click();
      },
    },
  ],
  "/library/{id}/edit": [
    { name: "edit", path: "/library/600/edit", signedIn: true, title: "Edit a link", also: ["large"] },
    { name: "edit-hostile", on: "hostile", path: "/library/1/edit", signedIn: true, title: "Edit a link" },
    {
      name: "edit-errors",
      path: fresh("/edit"),
      signedIn: true,
      title: "Error: Edit a link",
      act: async (page) => {
        await allowAnything(page);
        await page.getByLabel("Address").fill("");
        await press(page, "Save");
        await alert(page);
      },
    },
    {
      name: "edit-conflict",
      path: fresh("/edit"),
      signedIn: true,
      title: "Error: Two versions of",
      act: conflict,
      also: ["large"],
    },
    {
      name: "edit-gone",
      path: fresh("/edit"),
      signedIn: true,
      title: "Error: This link was removed",
      act: async (page, { send }) => {
        await page.getByLabel("Title").fill("Mine");
        await send(`/bookmarks/${new URL(page.url()).pathname.split("/").at(-2)}`, { method: "DELETE" });
        await press(page, "Save");
        await page.getByRole("heading", { name: "This link was removed" }).waitFor();
      },
    },
    {
      name: "edit-not-found",
      path: "/library/999999/edit",
      signedIn: true,
      title: "There is nothing",
      also: ["large"],
    },
  ],
  "/library/removed": [
    { name: "removed", path: "/library/removed", signedIn: true, title: "Removed", shows: "Restore" },
    { name: "removed-empty", on: "empty", path: "/library/removed", signedIn: true, title: "Removed" },
  ],
  "/library/tags": [
    { name: "tags", path: "/library/tags", signedIn: true, title: "Tags", also: ["large", "medium"] },
    { name: "tags-empty", on: "empty", path: "/library/tags", signedIn: true, title: "Tags" },
    {
      name: "tags-hostile",
      on: "hostile",
      path: "/library/tags",
      signedIn: true,
      title: "Tags",
      also: ["large"],
    },
    {
      name: "tags-rename",
      path: "/library/tags?rename=maps",
      signedIn: true,
      title: "Tags",
      shows: "New name for",
    },
    {
      name: "tags-errors",
      path: "/library/tags",
      signedIn: true,
      title: "Error: Tags",
      act: async (page) => {
        await page.getByRole("checkbox").nth(1).check();
        await press(page, "Merge");
        await alert(page);
      },
    },
  ],
  "/library/marks": [
    {
      name: "marks",
      path: "/library/marks",
      signedIn: true,
      title: "Marks",
      also: ["large", "medium", "print"],
    },
    {
      name: "marks-found",
      path: "/library/marks?q=margins",
      signedIn: true,
      title: "Marks",
      shows: "1 mark",
    },
    { name: "marks-none", on: "empty", path: "/library/marks", signedIn: true, title: "Marks" },
    {
      name: "marks-error",
      path: "/library/marks?q=%22",
      signedIn: true,
      title: "Marks",
      shows: "This quotation mark is not closed.",
    },
  ],
  "/library/pictures": [
    {
      name: "all-pictures",
      path: "/library/pictures",
      signedIn: true,
      title: "Pictures and titles",
      also: ["large"],
    },
    {
      name: "all-pictures-empty",
      on: "empty",
      path: "/library/pictures",
      signedIn: true,
      title: "Pictures and titles",
    },
    {
      name: "all-pictures-running",
      path: async ({ database }) => {
        const payload = { done: 120, total: 900 };
        // Never due.
        const runAt = new Date("2100-01-01");
        await database.write((sql) =>
          requestJob(sql, { kind: PICTURES_JOB, key: "missing", payload, runAt }),
        );
        return "/library/pictures";
      },
      signedIn: true,
      title: "Pictures and titles",
      shows: "120 of 900 pages done.",
    },
  ],
  "/library/copies": [
    { name: "not-kept-empty", on: "empty", path: "/library/copies", signedIn: true, title: "Pages not kept" },
    {
      name: "not-kept",
      path: async ({ database }) => {
        await database.write(async (sql) => {
          for (const [index, reason] of FAILURES.entries())
            await storeFailure(sql, index + 6, reason, new Date());
        });
        return "/library/copies";
      },
      signedIn: true,
      title: "Pages not kept",
      shows: "The page asks for a sign-in",
      also: ["large"],
    },
  ],
  "/library/duplicates": [
    {
      name: "duplicates",
      path: "/library/duplicates",
      signedIn: true,
      title: "Duplicates",
      shows: "Keep this one",
    },
    {
      name: "duplicates-empty",
      on: "empty",
      path: "/library/duplicates",
      signedIn: true,
      title: "Duplicates",
    },
  ],
  "/library/bookmarklet": [
    {
      name: "bookmarklet",
      path: "/library/bookmarklet",
      signedIn: true,
      title: "Save pages",
      also: ["large"],
    },
  ],
  "/library/feeds": [
    { name: "feeds", on: "empty", path: "/library/feeds", signedIn: true, title: "Private feeds" },
    {
      name: "feeds-new",
      path: "/library/feeds",
      signedIn: true,
      title: "Private feeds",
      shows: "Copy it now; you won’t see it again.",
      act: (page) => press(page, "Create feed"),
    },
  ],
  "/library/{id}/read": [
    {
      name: "room",
      path: room,
      signedIn: true,
      title: "A map of the harbor",
      also: ["large", "print", "medium"],
    },
    {
      name: "room-look",
      path: room,
      signedIn: true,
      title: "A map of the harbor",
      act: (page) => page.getByText("Display", { exact: true }).click(),
    },
    {
      name: "room-marks",
      path: markedRoom,
      signedIn: true,
      title: "A map of the harbor",
      shows: "Quote in a post",
      also: ["large", "print", "medium", "forced"],
    },
    {
      name: "room-selected",
      path: markedRoom,
      signedIn: true,
      title: "A map of the harbor",
      act: async (page) => {
        await page.locator(".prose p").nth(1).click({ clickCount: 3 });
        await page.getByRole("button", { name: "Mark", exact: true }).waitFor();
      },
    },
    {
      name: "room-paragraphs",
      path: async (site) => `${await markedRoom(site)}?mark=paragraphs`,
      signedIn: true,
      withoutScript: true,
      title: "A map of the harbor",
    },
    { name: "room-no-script", path: room, signedIn: true, withoutScript: true, title: "A map of the harbor" },
    { name: "room-missing", path: fresh("/read"), signedIn: true, title: "A map of the harbor" },
  ],
  "/library/{id}/marks/{mark}": [
    { name: "mark", path: mark, signedIn: true, title: "Mark", also: ["large"] },
  ],
  "/library/later": [
    { name: "later", path: later, signedIn: true, title: "Next to read", also: ["large", "forced"] },
    { name: "later-none", on: "empty", path: "/library/later", signedIn: true, title: "Next to read" },
    {
      name: "later-done",
      path: async (site) => `${await later(site)}?of=999999999`,
      signedIn: true,
      title: "Next to read",
      shows: "That’s all for today.",
    },
    {
      name: "later-undo",
      path: later,
      signedIn: true,
      title: "Next to read",
      shows: "Hidden for a week.",
      act: async (page) => {
        await page.getByRole("button", { name: "Not now" }).first().click();
        await page.getByRole("button", { name: "Undo" }).waitFor();
      },
    },
    {
      name: "later-hostile",
      on: "hostile",
      path: later,
      signedIn: true,
      title: "Next to read",
    },
  ],
  "/library/months": [
    { name: "months", path: "/library/months", signedIn: true, title: "By month", also: ["large"] },
    { name: "months-empty", on: "empty", path: "/library/months", signedIn: true, title: "By month" },
  ],
  "/library/shares": [
    { name: "shares", on: "empty", path: "/library/shares", signedIn: true, title: "Shared lists" },
    {
      name: "shares-form",
      path: query("/library/shares", { q: "#maps" }),
      signedIn: true,
      title: "Share",
      also: ["large"],
    },
    {
      name: "shares-form-none",
      path: query("/library/shares", { q: "nosuchword" }),
      signedIn: true,
      title: "Share this search",
    },
    {
      name: "shares-form-hostile",
      on: "hostile",
      path: query("/library/shares", { q: "-nosuchword", notes: "shown" }),
      signedIn: true,
      title: "Share",
    },
    {
      name: "shares-error",
      path: query("/library/shares", { q: "#maps", title: "x".repeat(201) }),
      signedIn: true,
      title: "Error",
      act: async (page) => {
        await press(page, "Create link");
        await alert(page);
      },
    },
    {
      name: "shares-new",
      path: query("/library/shares", { q: "#maps", title: "Maps for Anna" }),
      signedIn: true,
      title: "Shared lists",
      shows: "Copy it now; you won’t see it again.",
      act: (page) => press(page, "Create link"),
    },
  ],
  "/shared/{secret}": [
    { name: "shared-list", path: shared({}), title: "Maps for Anna", also: ["large", "print", "forced"] },
    { name: "shared-list-notes", path: shared({ notes: true }), title: "Maps for Anna" },
    { name: "shared-list-empty", path: shared({ q: "nosuchword" }), title: "Maps for Anna" },
    {
      name: "shared-list-hostile",
      on: "hostile",
      path: shared({ q: "-nosuchword", notes: true, title: LONG_TAG }),
      title: "",
      also: ["large"],
    },
    { name: "shared-list-ended", path: "/shared/none", title: "This list is not shared" },
  ],
  "/library/cite": [
    { name: "cite", path: "/library/cite", signedIn: true, title: "Cite a link" },
    { name: "cite-found", path: "/library/cite?q=map*", signedIn: true, title: "Cite a link" },
    {
      name: "cite-none",
      path: "/library/cite?q=nosuchword",
      signedIn: true,
      title: "Cite a link",
      shows: "Nothing found",
    },
    { name: "cite-hostile", on: "hostile", path: "/library/cite", signedIn: true, title: "Cite a link" },
  ],
  "/library/{id}/publish": [
    { name: "publish-link", path: fresh("/publish"), signedIn: true, title: "Publish on the blog" },
    {
      name: "publish-link-hostile",
      on: "hostile",
      path: "/library/3/publish",
      signedIn: true,
      title: "Publish on the blog",
    },
    {
      name: "publish-link-again",
      path: async ({ send }) => {
        const path = await fresh()({ send } as PictureSite);
        await send(`${path.replace("library", "bookmarks")}/publish`, { method: "POST", json: {} });
        return `${path}/publish`;
      },
      signedIn: true,
      title: "Already published",
    },
  ],
};
