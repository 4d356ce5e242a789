import type { Page } from "playwright-core";
import { createWelcomeLink } from "../../src/accounts/welcome/welcome-link.ts";
import { storeStates } from "../../src/bookmarks/bookmark-states.ts";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { NO_STATES } from "../../src/records/bookmark-members.ts";
import type { PictureSite } from "./picture-site.ts";
import { alert, allowAnything, type PageStates, press, showNotice } from "./picture-state.ts";

const welcomePath = async ({ database }: PictureSite) =>
  `/welcome/${(await createWelcomeLink(database, new Date()))?.secret}`;

/** The page of a day on which links were saved a year ago, with some to read. */
const someday = async ({ database }: PictureSite) => {
  const now = new Date();
  const then = new Date(now);
  then.setUTCFullYear(now.getUTCFullYear() - 1);
  for (const [title, date] of [
    ["Seasonal notes on walking and paper", then],
    ["On the pleasures of owning few books", new Date(now.getTime() - 40 * 86_400_000)],
    ["A map of the harbor, drawn twice", new Date(now.getTime() - 50 * 86_400_000)],
    ["How trains never stop for snow", new Date(now.getTime() - 60 * 86_400_000)],
  ] as const)
    await database.write(async (sql) => {
      const url = `https://days.example/${crypto.randomUUID()}`;
      const { id } = await insertBookmark(sql, { title, url, description: "#essay" }, undefined, date);
      if (date !== then) await storeStates(sql, [{ id, states: { ...NO_STATES, unread: true } }], now);
    });
  return "/today";
};

/** Opens the field for everything, and types. */
async function ask(page: Page, typed: string): Promise<void> {
  await page.keyboard.press("Control+k");
  const field = page.locator("dialog input");
  await field.fill(typed);
  await page.waitForResponse(
    (response) => response.url().includes("/find?q=") && !response.url().endsWith("q="),
  );
  await page.locator("dialog .quiet:not(:empty), dialog [aria-selected=true]").first().waitFor();
}

/** The first run, signing in and out, and what there is for people without an account. */
export const gettingIn: PageStates = {
  "/": [
    { name: "front-first-run", on: "new", path: "/", title: "Set up this server", also: ["large"] },
    {
      name: "front-first-run-no-script",
      on: "new",
      path: "/",
      title: "Set up this server",
      withoutScript: true,
    },
  ],
  "/welcome/{secret}": [
    { name: "welcome", on: "new", path: welcomePath, title: "Welcome", shows: "Create my account" },
    {
      name: "welcome-errors",
      on: "new",
      path: welcomePath,
      title: "Error: Welcome",
      act: async (page) => {
        await allowAnything(page);
        await page.getByLabel("Username").fill("not a name");
        await page.getByLabel("Password").fill("short");
        await press(page, "Create my account");
        await alert(page);
      },
    },
    { name: "welcome-expired", path: "/welcome/used", title: "This link was used or has expired" },
  ],
  "/sign-in": [
    { name: "sign-in", path: "/sign-in", title: "Sign in", also: ["large", "forced"] },
    { name: "sign-in-without-accounts", on: "new", path: "/sign-in", title: "Sign in" },
    { name: "sign-in-first", path: "/library", title: "Sign in", shows: "you return to the page" },
    {
      name: "sign-in-wrong",
      path: "/sign-in",
      title: "Error: Sign in",
      act: async (page) => {
        await page.getByLabel("Username").fill("ada");
        await page.getByLabel("Password").fill("wrong");
        await press(page, "Sign in");
        await alert(page);
      },
    },
    { name: "sign-in-beside", path: "/sign-in?beside=1", signedIn: true, title: "You are signed in" },
    { name: "sign-in-hostile", on: "hostile", path: "/sign-in", title: "Sign in" },
    { name: "sign-in-no-script", path: "/sign-in", title: "Sign in", withoutScript: true },
  ],
  "/today": [
    { name: "today", path: someday, signedIn: true, title: "Today", also: ["large", "forced"] },
    { name: "today-first-use", on: "empty", path: "/today", signedIn: true, title: "Today" },
    { name: "today-hostile", on: "hostile", path: "/today", signedIn: true, title: "Today" },
  ],
  "/find": [
    { name: "find", path: "/find", signedIn: true, title: "Search or jump to", also: ["large", "forced"] },
    {
      name: "find-no-script",
      path: "/find?q=map",
      signedIn: true,
      withoutScript: true,
      title: "Search or jump to",
    },
    {
      name: "find-words",
      path: "/library",
      signedIn: true,
      title: "Library",
      act: (page) => ask(page, "map"),
    },
    {
      name: "find-address",
      path: "/settings",
      signedIn: true,
      title: "Settings",
      act: (page) => ask(page, "https://craigmod.com/essays/walking"),
    },
    { name: "find-tag", path: "/today", signedIn: true, title: "Today", act: (page) => ask(page, "#d") },
    {
      name: "find-pages",
      path: "/moderation",
      signedIn: true,
      title: "Comments",
      act: (page) => ask(page, ">im"),
    },
    {
      name: "find-nothing",
      path: "/today",
      signedIn: true,
      title: "Today",
      act: (page) => ask(page, ">nosuch"),
    },
    { name: "find-hostile", on: "hostile", path: "/find?q=on", signedIn: true, title: "Search or jump to" },
  ],
  "/sign-out": [
    { name: "sign-out", path: "/sign-out", signedIn: true, title: "Account", shows: "Sign out" },
    {
      name: "sign-out-notice",
      path: "/",
      title: "Margins",
      shows: "You are signed out.",
      act: (page) => showNotice(page, "signed-out", "/"),
    },
    {
      name: "signed-out-meanwhile",
      path: "/keys",
      signedIn: true,
      title: "You are signed out",
      act: async (page) => {
        await page.getByLabel("Name", { exact: true }).fill("<b>what was typed</b>");
        await page.context().clearCookies();
        await press(page, "Create token");
        await page.getByText("You are signed out").first().waitFor();
      },
    },
  ],
  "/no/such/page": [
    { name: "not-found", path: "/no/such/page", title: "There is nothing at this address", also: ["large"] },
    {
      name: "not-found-signed-in",
      path: "/no/such",
      signedIn: true,
      title: "There is nothing at this address",
    },
    { name: "not-found-empty", on: "new", path: "/no/such/page", title: "There is nothing at this address" },
    { name: "wrong-page-number", path: "/?page=zero", title: "" },
  ],
};
