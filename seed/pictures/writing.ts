import type { Page } from "playwright-core";
import { makeImage } from "../../test/support/files/images.ts";
import { sendTo } from "../../test/support/requests/send.ts";
import { OPEN_TEXT } from "./fill-sites.ts";
import type { PictureSite } from "./picture-site.ts";
import { alert, type PageStates, press, showNotice } from "./picture-state.ts";

const fresh = async () => `/write/${crypto.randomUUID()}`;
/** The editor of a post. */
const editorOf = (slug: string) => async (site: PictureSite) => `/write?post=${await idOf(site, slug)}`;
const ownPost = async ({ send }: PictureSite) => {
  const json = { title: "On writing by hand", content: "One line.\n\nAnother.\n\nA third.", published: true };
  const response = await send("/api/posts/", { method: "POST", json });
  const { id } = (await response.json()) as { id: number };
  // No page of the site begins with it.
  const early = { published_at: "2020-01-01T00:00:00Z" };
  await send(`/api/posts/${id}/publication`, { method: "PATCH", json: early });
  return id;
};

async function idOf({ database }: PictureSite, slug: string): Promise<number> {
  const [row] = await database.read<{ post_id: number }>`
    select id as post_id from posts where slug = ${slug}`;
  if (row === undefined) throw new Error(`There is no post ${slug}.`);
  return Number(row.post_id);
}

/** Opens the question with the button in the details, which are hidden on a phone. */
async function ask(page: Page, action: string): Promise<void> {
  await page.locator(`[name=action][value=${action}]`).dispatchEvent("click");
}

/** Adds two images to a new text. */
async function addImages(page: Page): Promise<void> {
  await page.locator("#title").fill("Two pictures from the bank");
  await page.locator("#content").fill("This morning the water was lower.");
  const files = [1, 2].map(async (noise) => ({
    name: `bank-${noise}.jpg`,
    mimeType: "image/jpeg",
    buffer: Buffer.from(await makeImage("jpeg", { width: 1200, height: 800, noise: 40 * noise })),
  }));
  await page.locator("#picture").setInputFiles(await Promise.all(files));
}

/** Updates a post in the editor after another user has. */
async function conflict(page: Page, { send }: PictureSite): Promise<void> {
  const id = await page.locator("[name=post]").inputValue();
  await page.locator("#content").fill("One line.\n\nAnother, of mine.\n\nA third.");
  await send(`/api/posts/${id}/`, {
    method: "PATCH",
    json: { content: "One line.\n\nAnother, of theirs.\n\nA third.\n\nA fourth." },
  });
  await press(page, "Update");
  await alert(page);
}

/** The editor, and what is below it. */
export const writing: PageStates = {
  "/write": [
    { name: "write-empty", on: "empty", path: "/write", signedIn: true, title: "Write" },
    { name: "write", path: "/write", signedIn: true, title: "Write", shows: "Scheduled", also: ["large"] },
    { name: "write-hostile", on: "hostile", path: "/write", signedIn: true, title: "Write" },
    {
      name: "write-notice",
      path: "/write",
      signedIn: true,
      title: "Write",
      shows: "Discarded.",
      act: (page) => showNotice(page, "post-discarded"),
    },
    {
      name: "write-undo",
      path: "/write",
      signedIn: true,
      title: "Write",
      shows: "Undo",
      act: (page) => showNotice(page, "post-deleted", page.url(), "0".repeat(32)),
    },
    { name: "write-signed-out", path: "/write", title: "Sign in" },
  ],
  "/write/{key}": [
    { name: "editor-new", path: fresh, signedIn: true, title: "Writing", also: ["medium", "large"] },
    {
      name: "editor-draft",
      path: `/write/${OPEN_TEXT}`,
      signedIn: true,
      title: "What the swifts leave behind",
      also: ["medium", "forced", "large", "print"],
    },
    {
      name: "editor-no-script",
      path: `/write/${OPEN_TEXT}`,
      signedIn: true,
      withoutScript: true,
      title: "What the swifts leave behind",
    },
    {
      name: "editor-hostile",
      on: "hostile",
      path: `/write/${OPEN_TEXT}`,
      signedIn: true,
      title: "On the keeping",
      also: ["medium"],
    },
    { name: "editor-published", path: editorOf("nine-quinces"), signedIn: true, title: "Nine quinces" },
    {
      name: "editor-scheduled",
      path: async (site) => {
        const [row] = await site.database.read<{ id: number }>`
          select id from posts where title = 'A list for the winter'`;
        return `/write?post=${row?.id}`;
      },
      signedIn: true,
      title: "A list for the winter",
      shows: "Scheduled for",
    },
    { name: "editor-hebrew", on: "hostile", path: editorOf("hebrew"), signedIn: true, title: "ספר" },
    {
      name: "editor-details-sheet",
      path: `/write/${OPEN_TEXT}`,
      signedIn: true,
      title: "What the swifts leave behind",
      act: async (page) => {
        await page.setViewportSize({ width: 390, height: 844 });
        await press(page, "Details");
        await page.locator("#details:popover-open").waitFor();
      },
    },
    {
      name: "editor-saved",
      path: fresh,
      signedIn: true,
      title: "Writing",
      shows: "Saved",
      act: async (page) => {
        await page.locator("#title").fill("From a phone");
        await page.locator("#content").fill("Hello *there*.");
        await page.getByText(/^Saved \d\d:\d\d/).waitFor();
      },
    },
    {
      name: "editor-offline",
      path: fresh,
      signedIn: true,
      title: "Writing",
      shows: "Offline",
      act: async (page) => {
        await page.context().setOffline(true);
        await page.locator("#content").fill("Written on a train.");
        await page.getByText(/^Offline/).waitFor();
      },
    },
    {
      name: "editor-unsaved-text",
      path: fresh,
      signedIn: true,
      title: "Writing",
      shows: "that was not saved",
      act: async (page, { send }) => {
        await page.route("**/api/edits/**", (route) => route.abort());
        await page.locator("#content").fill("What was written before the lights went out.");
        await page.getByText(/^Offline/).waitFor();
        const key = new URL(page.url()).pathname.split("/")[2];
        const json = { title: "", content: "What another device has saved since.", fields: {} };
        await send(`/api/edits/${key}/`, { method: "PUT", json, headers: { "if-none-match": "*" } });
        await page.goto(page.url());
      },
    },
    {
      name: "editor-cite",
      path: fresh,
      signedIn: true,
      title: "Writing",
      act: async (page) => {
        await page.locator("#content").pressSequentially("See [[map");
        await page.getByRole("listbox").getByRole("option").first().waitFor();
      },
    },
    {
      name: "editor-insert",
      path: fresh,
      signedIn: true,
      title: "Writing",
      also: ["medium", "forced"],
      act: async (page) => {
        await page.locator(".tag-chips").waitFor();
        await page.locator("#content").pressSequentially("/");
        await page.getByRole("listbox").getByRole("option").first().waitFor();
      },
    },
    {
      name: "editor-marks",
      path: `/write/${OPEN_TEXT}`,
      signedIn: true,
      title: "What the swifts leave behind",
      also: ["forced"],
      act: async (page) => {
        await page.locator(".tag-chips").waitFor();
        await page.locator("#content").selectText();
        await page.locator(".tools").locator("visible=true").waitFor();
      },
    },
    {
      name: "editor-cover",
      path: fresh,
      signedIn: true,
      title: "Writing",
      act: async (page) => {
        await page.locator(".tag-chips").waitFor();
        await page.locator("#title").fill("Photographs from the night train");
        await page.locator("#tags").fill("river, photographs");
        const buffer = Buffer.from(await makeImage("jpeg", { width: 1200, height: 800, noise: 40 }));
        await page
          .locator("[name=cover]")
          .setInputFiles({ name: "river.jpg", mimeType: "image/jpeg", buffer });
        await page.locator(".cover img").waitFor();
      },
    },
    {
      name: "editor-images",
      path: fresh,
      signedIn: true,
      title: "Writing",
      shows: "Describe it",
      act: async (page) => {
        await addImages(page);
        await page.keyboard.type("The railing, bent to the left");
        await page.keyboard.press("Escape");
        await page.locator(".pictures li img").nth(1).waitFor();
        await page.locator(".pictures ul").scrollIntoViewIfNeeded();
      },
    },
    {
      name: "editor-images-sheet",
      path: fresh,
      signedIn: true,
      title: "Writing",
      shows: "Describe the picture",
      also: ["medium", "large", "forced"],
      act: async (page) => {
        await addImages(page);
        await page.locator("#picture-sheet img").waitFor();
        await page.keyboard.type("The railing, bent to the left");
      },
    },
    {
      name: "editor-images-errors",
      path: fresh,
      signedIn: true,
      title: "Writing",
      shows: "The disk of the server is full.",
      also: ["large"],
      act: async (page) => {
        const json = { detail: "The disk is full." };
        await page.route("**/api/media/", (route) => route.fulfill({ status: 507, json }));
        await addImages(page);
        await page.locator(".pictures .error").nth(1).waitFor();
        await page.keyboard.press("Escape");
        await page.locator(".pictures ul").scrollIntoViewIfNeeded();
      },
    },
    {
      name: "editor-errors",
      path: fresh,
      signedIn: true,
      title: "Error: Writing",
      also: ["medium"],
      act: async (page) => {
        await page.locator("#content").fill("![](/media/x.png)");
        await press(page, "Publish");
        await alert(page);
      },
    },
    {
      name: "editor-errors-offline",
      path: fresh,
      signedIn: true,
      title: "Writing",
      shows: "Not published: you are offline.",
      act: async (page) => {
        await page.locator("#content").fill("Written on a train.");
        await page.context().setOffline(true);
        await press(page, "Publish");
        await page.getByRole("button", { name: "Try again" }).waitFor();
      },
    },
    {
      name: "editor-errors-images",
      path: fresh,
      signedIn: true,
      title: "Error: Two pictures from the bank",
      shows: "2 pictures have no description.",
      act: async (page) => {
        await addImages(page);
        await page.keyboard.press("Escape");
        await press(page, "Publish");
        await page.getByRole("button", { name: "Describe them" }).waitFor();
      },
    },
    {
      name: "editor-other-draft",
      path: async (site) => {
        const post = await ownPost(site);
        const json = { post, base_version: 1, title: "On writing by hand", content: "Another." };
        await site.send(`/api/edits/${crypto.randomUUID()}/`, {
          method: "PUT",
          json,
          headers: { "if-none-match": "*" },
        });
        return `/write/${crypto.randomUUID()}?post=${post}`;
      },
      signedIn: true,
      title: "On writing by hand",
      shows: "There is another draft of this post",
    },
    {
      name: "editor-shared",
      path: `/write/${OPEN_TEXT}`,
      signedIn: true,
      title: "What the swifts leave behind",
      shows: "Copy the link now; you won’t see it again:",
      act: (page) => ask(page, "share"),
    },
    {
      name: "editor-discard",
      path: `/write/${OPEN_TEXT}`,
      signedIn: true,
      title: "Discard this draft?",
      act: async (page) => {
        await ask(page, "discard");
        await page.getByRole("heading", { name: "Discard this draft?" }).waitFor();
      },
    },
    {
      name: "editor-conflict",
      path: async (site) => `/write?post=${await ownPost(site)}`,
      signedIn: true,
      title: "Two versions of",
      also: ["forced", "large", "medium"],
      act: conflict,
    },
  ],
  "/write/{key}/versions": [
    {
      name: "versions",
      path: async (site) => `${await fresh()}/versions?post=${await idOf(site, "nine-quinces")}`,
      signedIn: true,
      title: "Earlier versions of “Nine quinces”",
      also: ["large"],
    },
    {
      name: "versions-empty",
      path: async (site) => `${await fresh()}/versions?post=${await ownPost(site)}`,
      signedIn: true,
      title: "Earlier versions of",
    },
  ],
  "/write/{key}/preview": [
    {
      name: "preview",
      path: `/write/${OPEN_TEXT}/preview`,
      signedIn: true,
      title: "Preview of “What the swifts leave behind”",
    },
    {
      name: "preview-hostile",
      on: "hostile",
      path: `/write/${OPEN_TEXT}/preview`,
      signedIn: true,
      title: "Preview of",
    },
  ],
  "/preview/{secret}": [
    {
      name: "preview-shared",
      path: async ({ server, cookie = "" }) => {
        const response = await sendTo(server.url)(`/api/edits/${OPEN_TEXT}/previews/`, {
          method: "POST",
          headers: { cookie, "sec-fetch-site": "same-origin" },
        });
        return ((await response.json()) as { url: string }).url;
      },
      title: "Preview of “What the swifts leave behind”",
    },
    { name: "preview-expired", path: "/preview/none", title: "" },
  ],
};
