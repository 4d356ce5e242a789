import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import { createWelcomeLink } from "../../src/accounts/welcome/welcome-link.ts";
import { insertBookmark } from "../../src/bookmarks/bookmark-writer.ts";
import { internet, type Site } from "../support/machine/internet.ts";
import { MADE_UP_HOST } from "../support/pages/browser.ts";
import {
  describePages,
  type PageSite,
  type PageState,
  usePageSite,
  watch,
} from "../support/pages/page-visits.ts";
import { makeAgent } from "../support/records/agents.ts";
import { fullRunTest, isFullRun } from "../support/run/full-run.ts";

const submit = (page: Page) => page.locator("main form button[type=submit]").last().click();
const createKey = (page: Page) => page.getByRole("button", { name: "Create token", exact: true }).click();
const without = async (page: Page, ...names: readonly string[]) => {
  for (const name of names)
    await page.locator(`[name=${name}]`).evaluateAll((fields: { removeAttribute(name: string): void }[]) => {
      for (const field of fields) for (const rule of ["required", "minlength"]) field.removeAttribute(rule);
    });
};

const welcomePath = async ({ database }: PageSite) =>
  `/welcome/${(await createWelcomeLink(database, new Date()))?.secret}`;

const changesPath = (tokenId: number) => `/keys/${tokenId}/changes`;
/** When an agent changes something: yesterday. */
const NOON = new Date(new Date().setUTCHours(-12, 0, 0, 0));

/** Something of each kind that an agent may do. @returns the id of its token */
async function agentIn({ database, account }: PageSite): Promise<number> {
  const agent = await makeAgent(database, account, { clock: { now: () => NOON } });
  const ids = [await agent.add("Walking as a practice"), await agent.add("", "https://walks.example/b")];
  await agent.edit(ids[0] ?? 0, "Walking");
  await agent.tag(ids, "walking");
  await agent.archive(ids.slice(1));
  await agent.revise(await agent.draft("On walking"), "One step.");
  return agent.tokenId;
}

/** The page that asks whether a program may have what it wants. */
const authorizePath = (client: string) =>
  `/indieauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: `${client}callback`,
    state: "1",
    code_challenge: createHash("sha256").update("verifier").digest("base64url"),
    code_challenge_method: "S256",
    scope: "create update delete media profile",
  })}`;

/** A client that names itself by a document, as assistants do, and one that has a lot to say. */
const ASSISTANT = "https://assistant.example/client.json";
const TALKATIVE = `https://${"a-long-name.".repeat(15)}example/client.json`;
const ASSISTANTS: Site = Object.fromEntries(
  [
    [ASSISTANT, "Helper"],
    [TALKATIVE, "Word".repeat(40)],
  ].map(([client = "", name]) => {
    const redirect_uris = [
      `${client}/back`,
      ...["localhost", "127.0.0.1"].map((host) => `http://${host}/callback`),
    ];
    const document = JSON.stringify({ client_id: client, client_name: name, redirect_uris });
    return [client, () => new Response(document, { headers: { "content-type": "application/json" } })];
  }),
);

/** The page that asks whether an assistant may do what it wants. */
const connectPath = (client: string, redirect_uri: string) => (site: PageSite) =>
  Promise.resolve(
    `/indieauth/authorize?${new URLSearchParams({
      ...{ response_type: "code", client_id: client, redirect_uri, state: "1" },
      ...{ code_challenge: createHash("sha256").update("verifier").digest("base64url") },
      ...{ code_challenge_method: "S256", resource: `${site.server.url}/mcp` },
    })}`,
  );

const BEFORE: readonly PageState[] = [
  { name: "welcome", like: "sign-in-wrong", path: welcomePath },
  {
    name: "welcome-errors",
    like: "sign-in-wrong",
    path: welcomePath,
    act: async (page) => {
      await without(page, "password");
      await page.getByLabel("Username").fill("not a name");
      await submit(page);
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "first-run", like: "not-found", path: "/" },
  {
    name: "welcome-shown",
    like: "sign-in-wrong",
    path: welcomePath,
    act: (page) => page.getByRole("button", { name: "Show" }).click(),
  },
  { name: "sign-in-without-accounts", like: "not-found", path: "/sign-in" },
];

const AFTER: readonly PageState[] = [
  { name: "sign-in", like: "sign-in-wrong", path: "/sign-in?next=/library" },
  {
    name: "sign-in-wrong",
    path: "/sign-in",
    act: async (page) => {
      await page.getByLabel("Username").fill("ada");
      await page.getByLabel("Password").fill("wrong");
      await submit(page);
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "sign-in-beside", like: "sign-in-wrong", path: "/sign-in?beside=1", signedIn: true },
  { name: "not-found", path: "/no/such/page" },
  { name: "today", path: "/today", signedIn: true },
  { name: "find", path: "/find", signedIn: true },
  {
    name: "find-open",
    like: "find",
    path: "/settings",
    signedIn: true,
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.locator("dialog input").fill("https://x.example/page");
      await page.getByRole("option", { name: "Save this address" }).waitFor();
    },
  },
  { name: "account", like: "settings-errors", path: "/account", signedIn: true },
  { name: "account-remove", like: "settings-errors", path: "/account/remove", signedIn: true },
  {
    name: "account-errors",
    like: "settings-errors",
    path: "/account",
    signedIn: true,
    act: async (page) => {
      await without(page, "current_password", "new_password");
      await page.getByLabel("New password").fill("short");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "keys", like: "keys-new", path: "/keys", signedIn: true },
  {
    name: "keys-new",
    path: "/keys",
    signedIn: true,
    act: async (page) => {
      await page.getByLabel("Name").fill("Reading list on the phone");
      await createKey(page);
      await page.getByText("Copy it now; you won’t see it again.").waitFor();
    },
  },
  {
    name: "keys-assistant",
    like: "keys-new",
    path: "/keys",
    signedIn: true,
    act: async (page) => {
      await page.getByLabel("Name").fill("Agent at the command line");
      await page.getByLabel("for an assistant").check();
      await createKey(page);
      await page.getByText("Made for an assistant").first().waitFor();
    },
  },
  {
    name: "keys-errors",
    path: "/keys",
    signedIn: true,
    act: async (page) => {
      await without(page, "name");
      for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
      await createKey(page);
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "signed-out-meanwhile",
    like: "sign-in-wrong",
    path: "/keys",
    signedIn: true,
    act: async (page) => {
      await page.getByLabel("Name").fill("<b>what was typed</b>");
      await page.context().clearCookies();
      await createKey(page);
      await page.getByText("You are signed out").first().waitFor();
    },
  },
  {
    name: "authorize",
    like: "settings-errors",
    path: authorizePath("https://app.example/"),
    signedIn: true,
  },
  {
    name: "authorize-errors",
    like: "settings-errors",
    path: authorizePath("https://app.example/"),
    signedIn: true,
    act: async (page) => {
      for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "connect",
    like: "connect-this-computer",
    path: connectPath(ASSISTANT, `${ASSISTANT}/back`),
    signedIn: true,
  },
  {
    name: "connect-this-computer",
    path: connectPath(TALKATIVE, "http://localhost:3118/callback"),
    signedIn: true,
  },
  {
    name: "connect-errors",
    like: "settings-errors",
    path: connectPath(ASSISTANT, `${ASSISTANT}/back`),
    signedIn: true,
    act: async (page) => {
      for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
      await page.getByRole("button", { name: "Connect" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "connect-refused",
    like: "not-found",
    path: connectPath("https://other.example/client.json", "https://other.example/back"),
    signedIn: true,
  },
  { name: "settings", like: "settings-errors", path: "/settings", signedIn: true },
  {
    name: "settings-errors",
    path: "/settings",
    signedIn: true,
    act: async (page) => {
      await page.getByLabel("Your other profiles").fill("nowhere");
      await page.evaluate("document.querySelector('#site_name').removeAttribute('maxlength')");
      await page.getByLabel("Name", { exact: true }).fill("n".repeat(81));
      await submit(page);
      await page.getByRole("alert").waitFor();
      expect(await page.locator("#site_name-error").textContent()).toStartWith("At most 80");
      expect(await page.locator("#profiles-error").textContent()).toStartWith("nowhere is not an address");
    },
  },
  { name: "copies", like: "settings-errors", path: "/settings/copies", signedIn: true },
  {
    name: "menu",
    like: "settings-errors",
    path: "/settings/menu",
    signedIn: true,
    act: async (page) => {
      for (const [text, address] of [
        ["About", "/about"],
        ["Elsewhere", "https://example.org/me"],
        ["Gone", "/gone"],
      ] as const) {
        await page.getByLabel("Text", { exact: true }).fill(text);
        await page.getByLabel("Address").fill(address);
        await page.getByRole("button", { name: "Add address" }).click();
        await page.getByLabel(address).waitFor();
      }
      await page.getByRole("button", { name: "Move up Elsewhere" }).click();
      await page.waitForURL("**/settings/menu#entry-0");
      await page.getByRole("button", { name: "Remove Gone" }).click();
      await page.getByLabel("/gone").waitFor({ state: "detached" });
      await page.getByLabel("/about").fill("About me");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: "Remove About me" }).waitFor();
      const texts = page.locator("input[name=text]");
      expect([await texts.nth(0).inputValue(), await texts.nth(1).inputValue()]).toEqual([
        "Elsewhere",
        "About me",
      ]);
    },
  },
  {
    name: "menu-errors",
    like: "settings-errors",
    path: "/settings/menu",
    signedIn: true,
    act: async (page) => {
      await page.getByLabel("Address").fill("javascript:alert(1)");
      await page.getByRole("button", { name: "Add address" }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "settings-saved",
    like: "settings-errors",
    path: "/settings",
    signedIn: true,
    act: async (page) => {
      await submit(page);
      await page.getByText("Settings saved.").waitFor();
    },
  },
  { name: "agent-changes", path: async (site) => changesPath(await agentIn(site)), signedIn: true },
  {
    name: "agent-changes-empty",
    like: "agent-changes",
    path: async (site) => changesPath((await makeAgent(site.database, site.account)).tokenId),
    signedIn: true,
  },
  {
    name: "agent-changes-question",
    like: "agent-changes",
    path: async (site) => `${changesPath(await agentIn(site))}/${NOON.toISOString().slice(0, 10)}`,
    signedIn: true,
  },
  {
    name: "agent-changes-kept",
    like: "agent-changes",
    path: async (site) => {
      const tokenId = await agentIn(site);
      await site.database.write((sql) => sql`update bookmarks set version = version + 1`);
      return `${changesPath(tokenId)}/${NOON.toISOString().slice(0, 10)}`;
    },
    signedIn: true,
    act: async (page) => {
      await page.getByRole("button", { name: "Undo all" }).click();
      await page.getByText("changed since").first().waitFor();
    },
  },
];

describe("A new server", () => {
  const site = usePageSite({}, false);
  describePages("in the browser", site, BEFORE);

  test.each(["Asia/Calcutta", ...(isFullRun ? ["Europe/Berlin"] : [])])(
    "has %p, the browser's time zone, chosen already, and shows the password on demand",
    async (timezoneId) => {
      const page = await (await site.window({ timezoneId })).newPage();
      await page.goto(await welcomePath(site));
      expect(await page.getByLabel("Time zone").inputValue()).toBe(timezoneId);
      const password = page.getByLabel("Password");
      await password.fill("correct horse battery");
      await page.getByRole("button", { name: "Show" }).click();
      expect(await password.getAttribute("type")).toBe("text");
      expect(await page.getByRole("button", { name: "Show", pressed: true }).count()).toBe(1);
      await page.getByRole("button", { name: "Show" }).click();
      expect(await password.getAttribute("type")).toBe("password");
    },
  );
});

describe("A server with an account", () => {
  const site = usePageSite({ ALLOWED_HOSTS: MADE_UP_HOST }, true, { network: internet(ASSISTANTS) });
  describePages("in the browser", site, AFTER);

  test("has one field for everything at Ctrl K, by keys and by finger, which gives the focus back", async () => {
    const { database } = site;
    const link = { title: "Walking as a practice", url: "https://walks.example/", description: "#walking" };
    await database.write((sql) => insertBookmark(sql, link, undefined, new Date()));
    const context = await site.window({}, true);
    const page = await context.newPage();
    const faults = watch(page, site.server.url);
    const field = page.getByRole("combobox", { name: "Search, paste a link" });
    const option = (name: string) => page.getByRole("option", { name });
    await page.goto("/settings");
    await page.locator("[name=site_name]").focus();
    await page.keyboard.press("Control+k");
    await field.waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    expect(await page.locator(":focus").getAttribute("name")).toBe("site_name");
    await page.keyboard.press("Meta+k");
    await field.pressSequentially("walk");
    await option("Walking as a practice").waitFor();
    const marked = async () => page.locator("[aria-selected=true]").innerText();
    expect(await marked()).toContain("Walking as a practice");
    await page.keyboard.press("ArrowUp");
    expect(await marked()).toContain("Search posts for");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/library?q=walk");
    await page.keyboard.press("Control+k");
    await field.fill("walk");
    await option("Walking as a practice").waitFor();
    await page.keyboard.press("ArrowUp");
    const chosen = await page.locator("[aria-selected=true]").getAttribute("data-href");
    expect(chosen).toContain("/search?q=walk");
    // What the arrow keys have chosen is opened, not the first line.
    await page.keyboard.press("Enter");
    await page.waitForURL(String(chosen));
    await page.goto("/library");
    // Where the script of the library is, the field is loaded when it is asked for.
    await page.keyboard.press("Control+k");
    await field.fill(">impo");
    // Enter waits for what is typed.
    await page.keyboard.press("Enter");
    await page.waitForURL("**/library/import");
    await page.goto("/library");
    await page.getByRole("searchbox").pressSequentially(">tokens");
    await option("Tokens").click();
    await page.waitForURL("**/keys");
    await page.goto("/find");
    await field.fill("#walk");
    await option("#walking").click();
    await page.waitForURL("**/library?q=%23walking");
    expect(faults).toEqual([]);
    await context.close();
  });

  fullRunTest("copies a new key with a button, also on plain http under a made-up host name", async () => {
    const { port, origin } = new URL(site.server.url);
    for (const baseURL of [origin, `http://${MADE_UP_HOST}:${port}`]) {
      const context = await site.window({ baseURL });
      const isSecure = baseURL === origin;
      if (isSecure) await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await context.newPage();
      await page.goto("/sign-in?next=/keys");
      await page.getByLabel("Username").fill("ada");
      await page.getByLabel("Password").fill("correct horse battery");
      await submit(page);
      await page.getByLabel("Name").fill("To copy");
      await createKey(page);
      const key = await page.locator(".once").textContent();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      if (isSecure) expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
      await context.close();
    }
  });

  test("leads the browser back to the program that it allows, or does not", async () => {
    const program = Bun.serve({ port: 0, fetch: () => new Response("Back at the program.") });
    const context = await site.window({ javaScriptEnabled: false }, true);
    const page = await context.newPage();
    const its = authorizePath(`http://127.0.0.1:${program.port}/`);
    // An assistant on the person's own machine, at a port that its document does not have.
    const assistant = await connectPath(ASSISTANT, `http://127.0.0.1:${program.port}/callback`)(site);
    for (const [path, button, parameter] of [
      [its, "Allow", "code"],
      [its, "Cancel", "error"],
      [assistant, "Connect", "code"],
      [assistant, "Cancel", "error"],
    ] as const) {
      await page.goto(path);
      await page.getByRole("button", { name: button }).click();
      await page.getByText("Back at the program.").waitFor();
      const { searchParams } = new URL(page.url());
      expect([...searchParams.keys()]).toEqual([parameter, "state", "iss"]);
      expect(searchParams.get("iss")).toBe(`${site.server.url}/`);
    }
    await context.close();
    await program.stop(true);
  });
});
