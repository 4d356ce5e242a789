import type { Account } from "../../src/accounts/account.ts";
import { listAccounts } from "../../src/accounts/account-store.ts";
import { changeStates } from "../../src/bookmarks/bookmark-states.ts";
import type { Database } from "../../src/database/database.ts";
import { saveSite } from "../../src/web/site/site-store.ts";
import { makeAgent, type TestAgent } from "../../test/support/records/agents.ts";
import { HOSTILE_TITLES, LONG_TAG, LONG_URL } from "./hostile-texts.ts";
import { alert, allowAnything, type PageStates, press, showNotice } from "./picture-state.ts";

/** Yesterday, on which an agent was at work. */
const AT = new Date(new Date().setUTCHours(-12, 0, 0, 0));
const DAY_OF_AGENT = AT.toISOString().slice(0, 10);

const changesOf = ({ tokenId }: Pick<TestAgent, "tokenId">) => `/keys/${tokenId}/changes`;

async function owner(database: Database): Promise<Account> {
  const [first] = await listAccounts(database.read);
  if (first === undefined) throw new Error("there is no account");
  return first;
}

/** An agent that has changed links and drafts with the worst titles. */
async function agentAtWork(database: Database) {
  const agent = await makeAgent(database, await owner(database), { clock: { now: () => AT } });
  const ids: number[] = [];
  for (const title of [...HOSTILE_TITLES, ""]) ids.push(await agent.add(title, LONG_URL));
  await agent.edit(ids[0] ?? 0, "On the keeping of commonplace books");
  await agent.tag(ids, LONG_TAG);
  await agent.archive(ids.slice(3));
  await agent.revise(await agent.draft("What the swifts leave behind"), "They go in August.");
  return { ...agent, added: ids };
}

/** The owner's account, keys and settings. */
export const settings: PageStates = {
  "/account": [
    { name: "account", path: "/account", signedIn: true, title: "Account", also: ["large"] },
    {
      name: "account-errors",
      path: "/account",
      signedIn: true,
      title: "Error: Account",
      act: async (page) => {
        await allowAnything(page);
        await page.getByLabel("New password").fill("short");
        await press(page, "Change password");
        await alert(page);
      },
    },
    {
      name: "account-session-ended",
      path: "/account",
      signedIn: true,
      title: "Account",
      shows: "The other browser was signed out.",
      act: (page) => showNotice(page, "session-ended"),
    },
  ],
  "/account/remove": [
    { name: "account-remove", path: "/account/remove", signedIn: true, title: "Delete this account" },
  ],
  "/keys": [
    {
      name: "keys-empty",
      on: "empty",
      path: async ({ database }) => {
        await database.write((sql) => sql`delete from tokens`);
        return "/keys";
      },
      signedIn: true,
      title: "Tokens",
    },
    { name: "keys", path: "/keys", signedIn: true, title: "Tokens", also: ["large", "medium"] },
    {
      name: "keys-new",
      path: "/keys",
      signedIn: true,
      title: "Tokens",
      shows: "Copy it now; you won’t see it again.",
      also: ["large"],
      act: async (page) => {
        await page.getByLabel("Name", { exact: true }).fill("Extension of the browser");
        await press(page, "Create token");
      },
    },
    {
      name: "keys-new-website",
      path: "/keys",
      signedIn: true,
      title: "Tokens",
      shows: "API URL",
      act: async (page) => {
        await page.getByLabel("Website", { exact: true }).fill("A reading list on paper");
        await press(page, "Create Content API key");
      },
    },
    {
      name: "keys-errors",
      path: "/keys",
      signedIn: true,
      title: "Error: Tokens",
      act: async (page) => {
        await allowAnything(page);
        for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
        await press(page, "Create token");
        await alert(page);
      },
    },
  ],
  "/keys/{id}/changes": [
    {
      name: "agent-changes",
      path: async ({ database }) => changesOf(await agentAtWork(database)),
      signedIn: true,
      title: "What",
      shows: "Undo all of this day",
      also: ["large", "medium"],
    },
    {
      name: "agent-changes-empty",
      path: async ({ database }) => changesOf(await makeAgent(database, await owner(database))),
      signedIn: true,
      title: "What",
      shows: "It has changed nothing in the last 30 days.",
    },
    {
      name: "agent-changes-kept",
      path: async ({ database }) => {
        const agent = await agentAtWork(database);
        const now = database.clock.now();
        await changeStates(database, agent.added, { unread: true }, now);
        return `${changesOf(agent)}/${DAY_OF_AGENT}`;
      },
      signedIn: true,
      title: "Partly undone",
      shows: "changed since",
      also: ["large"],
      act: (page) => press(page, "Undo all"),
    },
  ],
  "/keys/{id}/changes/{day}": [
    {
      name: "agent-changes-question",
      path: async ({ database }) => `${changesOf(await agentAtWork(database))}/${DAY_OF_AGENT}`,
      signedIn: true,
      title: "Undo all that",
      also: ["large"],
    },
    {
      name: "agent-changes-undone",
      path: async ({ database }) => `${changesOf(await agentAtWork(database))}/${DAY_OF_AGENT}`,
      signedIn: true,
      title: "What",
      shows: "Change undone.",
      act: (page) => press(page, "Undo all"),
    },
  ],
  "/settings": [
    { name: "settings", path: "/settings", signedIn: true, title: "Settings", also: ["large", "medium"] },
    { name: "settings-hostile", on: "hostile", path: "/settings", signedIn: true, title: "Settings" },
    {
      name: "settings-errors",
      path: "/settings",
      signedIn: true,
      title: "Error: Settings",
      act: async (page) => {
        await allowAnything(page);
        await page.getByLabel("Your other profiles").fill("nowhere");
        await page.getByLabel("Name", { exact: true }).fill("n".repeat(81));
        await press(page, "Save");
        await alert(page);
      },
    },
    {
      name: "settings-saved",
      path: "/settings",
      signedIn: true,
      title: "Settings",
      shows: "Settings saved.",
      act: (page) => press(page, "Save"),
    },
    {
      name: "settings-conflict",
      path: "/settings",
      signedIn: true,
      title: "Error: Settings",
      act: async (page, { database }) => {
        const description = `Notes on paper, rye bread and old maps. ${crypto.randomUUID().slice(0, 4)}`;
        await database.write((sql) => saveSite(sql, { description }, new Date()));
        await page.getByLabel("Description").fill("Notes on ink.");
        await press(page, "Save");
        await alert(page);
      },
    },
  ],
  "/settings/copies": [
    { name: "copies-empty", on: "empty", path: "/settings/copies", signedIn: true, title: "Copies of pages" },
    { name: "copies", path: "/settings/copies", signedIn: true, title: "Copies of pages", also: ["large"] },
  ],
  "/settings/menu": [
    {
      name: "menu-empty",
      on: "empty",
      path: "/settings/menu",
      signedIn: true,
      title: "Menu",
      shows: "No links of your own yet.",
    },
    { name: "menu", path: "/settings/menu", signedIn: true, title: "Menu", also: ["large"] },
    { name: "menu-hostile", on: "hostile", path: "/settings/menu", signedIn: true, title: "Menu" },
    {
      name: "menu-errors",
      path: "/settings/menu",
      signedIn: true,
      title: "Error: Menu",
      act: async (page) => {
        await allowAnything(page);
        await page.getByLabel("/about").fill(" ");
        await page.getByLabel("Address").fill("javascript:alert(1)");
        await press(page, "Add address");
        await alert(page);
      },
    },
    {
      name: "menu-saved",
      path: "/settings/menu",
      signedIn: true,
      title: "Menu",
      shows: "Menu saved. Your readers see it now.",
      act: (page) => press(page, "Add to the menu"),
    },
  ],
  "/settings/look": [
    {
      name: "look",
      path: "/settings/look",
      signedIn: true,
      title: "How your site looks",
      also: ["forced", "large", "medium"],
    },
  ],
  "/settings/look/preview": [
    {
      name: "look-preview",
      path: "/settings/look/preview?theme=letter&accent=green&text=sans",
      signedIn: true,
      // That of the newest post: other states publish some.
      title: "",
      shows: "This is a preview. Nothing is saved.",
    },
    {
      name: "look-preview-pictures",
      path: "/settings/look/preview?show=front&front_page=pictures&theme=ink&accent=red",
      signedIn: true,
      title: "Margins",
      shows: "This is a preview. Nothing is saved.",
    },
    {
      name: "look-preview-journal",
      path: "/settings/look/preview?show=front&theme=journal&accent=teal",
      signedIn: true,
      title: "Margins",
      shows: "This is a preview. Nothing is saved.",
      also: ["print", "forced", "large", "medium"],
    },
    {
      name: "look-preview-journal-hostile",
      on: "hostile",
      path: "/settings/look/preview?show=front&theme=journal&text=georgia",
      signedIn: true,
      title: "The commonplace book",
    },
    {
      name: "look-preview-journal-empty",
      on: "empty",
      path: "/settings/look/preview?show=front&theme=journal",
      signedIn: true,
      title: "",
    },
    {
      name: "look-preview-column",
      path: "/settings/look/preview?show=front&theme=column&text=typewriter&accent=black",
      signedIn: true,
      title: "Margins",
      shows: "This is a preview. Nothing is saved.",
      also: ["medium"],
    },
    {
      name: "look-preview-column-hostile",
      on: "hostile",
      path: "/settings/look/preview?show=front&theme=column",
      signedIn: true,
      title: "The commonplace book",
    },
    {
      name: "look-preview-index",
      path: "/settings/look/preview?show=front&theme=index",
      signedIn: true,
      title: "Margins",
      shows: "This is a preview. Nothing is saved.",
      also: ["print", "medium"],
    },
    {
      name: "look-preview-index-hostile",
      on: "hostile",
      path: "/settings/look/preview?show=front&theme=index&text=typewriter",
      signedIn: true,
      title: "The commonplace book",
      also: ["large"],
    },
    {
      name: "look-preview-whole",
      path: "/settings/look/preview?show=front&front_page=whole&theme=quiet&accent=purple",
      signedIn: true,
      title: "Margins",
      shows: "This is a preview. Nothing is saved.",
    },
  ],
  "/settings/theme": [
    { name: "theme", path: "/settings/theme", signedIn: true, title: "Custom style sheet" },
    {
      name: "theme-errors",
      path: "/settings/theme",
      signedIn: true,
      title: "Error: Custom style sheet",
      act: async (page) => {
        await page
          .getByLabel("CSS", { exact: true })
          .fill("@import 'x'; a { background: url(https://evil.example/) }");
        await press(page, "Save");
        await alert(page);
      },
    },
  ],
};
