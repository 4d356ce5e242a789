/** Disasters while one writes: after each, every word is on the server, in the form, or offered. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { until as poll } from "../support/machine/until.ts";
import { browserOptions, sharedBrowser } from "../support/pages/browser.ts";
import { fullRunTest, isFullRun } from "../support/run/full-run.ts";
import { type RunningServer, run, startServer, temporaryFolder } from "../support/server/server.ts";

const PASSWORD = "correct horse battery";
const WORDS = "Every word of this counts.";
const OTHERS = "And these words of the other tab.";
const folder = temporaryFolder();
const settings = { DATABASE_URL: `sqlite:${folder.file("kept.db")}` };
let server: RunningServer;
let browser: Browser;
/** What a browser has in which the author has signed in. */
let signedIn: Awaited<ReturnType<BrowserContext["storageState"]>>;

beforeAll(async () => {
  await run(["account", "add", "editor"], { env: settings, stdin: `${PASSWORD}\n` });
  [server, browser] = await Promise.all([startServer(settings), sharedBrowser()]);
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: "reduce" });
  await signIn(await context.newPage());
  signedIn = await context.storageState();
  await context.close();
});

afterAll(async () => {
  await server.kill();
  folder[Symbol.dispose]();
});

const until: typeof poll = (what, isSo, options) => poll(what, isSo, { every: 50, ...options });
const newPath = () => `/write/${crypto.randomUUID()}`;
const stateOf = (page: Page) => page.locator("[data-state]");

async function signIn(page: Page): Promise<void> {
  await page.goto("/sign-in");
  // A browser that died may have kept its session.
  if ((await page.locator("#username").count()) === 0) return;
  await signInAt(page);
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}

async function signInAt(page: Page): Promise<void> {
  await page.fill("#username", "editor");
  await page.fill("#password", PASSWORD);
  await page.click("button[type=submit]");
}

/** A browser of an author who is signed in. */
const newAuthor = () =>
  browser.newContext({ baseURL: server.url, reducedMotion: "reduce", storageState: signedIn });

async function open(context: BrowserContext, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

/** The server dies. */
const away = () => server.kill();
/** It is started again, at the same address. */
async function back(): Promise<void> {
  server = await startServer({ ...settings, PORT: new URL(server.url).port });
}

/** The texts that the browser keeps. */
function keptIn(page: Page): Promise<string[]> {
  return page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open("commonplace", 1);
    request.onsuccess = () => {
      const texts = request.result.transaction("texts").objectStore("texts").getAll();
      texts.onsuccess = () => {
        request.result.close();
        resolve(texts.result.map(({ text }) => JSON.parse(text).content));
      };
    };
  })`);
}

const untilKept = (page: Page, words: string) =>
  until(`the browser keeps “${words}”`, async () => (await keptIn(page)).includes(words));
const untilState = (page: Page, state: RegExp) =>
  until(`the page says ${state}`, async () => state.test((await stateOf(page).textContent()) ?? ""));

/** Waits for the words beside the buttons. */
const untilUnsent = (page: Page, words: string) =>
  until(
    `the page says “${words}”`,
    async () => (await page.locator(".desk-bar [role=alert]").textContent()) === words,
  );

async function storedOf(page: Page): Promise<string | undefined> {
  const response = await page.request.get(`/api/edits/${new URL(page.url()).pathname.split("/")[2]}/`);
  return response.ok() ? ((await response.json()) as { content: string }).content : undefined;
}

const untilStored = (page: Page, words: string) =>
  until(`the server has “${words}”`, async () => (await storedOf(page)) === words);

/** Takes the text that a page offers, unless it is in the form already, and looks whether it has the words. */
async function expectOffered(page: Page, words: string): Promise<void> {
  const offer = page.locator(".desk .notice").filter({ hasText: words.slice(0, 50) });
  const isThere = async () => (await page.inputValue("#content")) === words;
  await until("the words are there", async () => (await isThere()) || (await offer.count()) > 0);
  if (!(await isThere())) await offer.getByRole("button", { name: "Use it" }).click();
  expect(await page.inputValue("#content")).toBe(words);
  await untilStored(page, words);
}

/** Another device saves a text: without it, a page goes on by itself with what was left. */
async function saveElsewhere(context: BrowserContext, path: string): Promise<void> {
  const put = await context.request.put(`/api/edits/${path.split("/")[2]}/`, {
    data: { title: "", content: "Of another device.", fields: {} },
    headers: { origin: server.url, "if-none-match": "*" },
  });
  expect(put.status()).toBe(201);
}

/** A disaster. It ends with a page that has the words in its form, or offers them. */
type Disaster = (context: BrowserContext) => Promise<Page>;

const DISASTERS: Readonly<Record<string, Disaster>> = {
  async "the server is away, and the tab is closed in the middle of a sentence"(context) {
    const path = newPath();
    const page = await open(context, path);
    await away();
    await page.locator("#content").fill(OTHERS);
    await untilKept(page, OTHERS);
    await page.locator("#content").fill(WORDS);
    await Promise.all([page.waitForEvent("close"), page.close({ runBeforeUnload: true })]);
    await back();
    return open(context, path);
  },
  async "a new post is never saved: Write lists it"(context) {
    const page = await open(context, newPath());
    await away();
    await page.locator("#content").fill(WORDS);
    await untilKept(page, WORDS);
    await page.close();
    await back();
    const overview = await open(context, "/write");
    await overview.getByRole("link", { name: WORDS }).click();
    return overview;
  },
  async "a new post is never saved: another new post lists it"(context) {
    const page = await open(context, newPath());
    await away();
    await page.locator("#content").fill(WORDS);
    await untilKept(page, WORDS);
    await page.close();
    await back();
    const another = await open(context, newPath());
    await another.getByRole("link", { name: WORDS }).click();
    return another;
  },
  async "the text of a post is not saved, and the post is opened at another address"(context) {
    const created = await context.request.post("/api/posts/", {
      data: { title: "A post", content: "As it was.", published: true },
      headers: { origin: server.url },
    });
    const path = `/write?post=${((await created.json()) as { id: number }).id}`;
    const page = await open(context, path);
    await away();
    await page.locator("#content").fill(WORDS);
    await untilKept(page, WORDS);
    const address = page.url();
    await page.close();
    await back();
    const again = await open(context, path);
    expect(again.url()).not.toBe(address);
    return again;
  },
  async "the offer is not seen, and other words are typed and saved"(context) {
    const path = newPath();
    const page = await open(context, path);
    await away();
    await page.locator("#content").fill(WORDS);
    await untilKept(page, WORDS);
    await page.close();
    await back();
    await saveElsewhere(context, path);
    const again = await open(context, path);
    await again.locator(".desk .notice").waitFor();
    await again.locator("#content").fill(OTHERS);
    await untilStored(again, OTHERS);
    await again.close();
    return open(context, path);
  },
  async "an offer replaces other words: they are offered in turn"(context) {
    const path = newPath();
    const page = await open(context, path);
    await page.locator("#content").fill(WORDS);
    await away();
    await untilKept(page, WORDS);
    await page.locator("#content").fill(OTHERS);
    await untilKept(page, OTHERS);
    await page.close();
    await back();
    await saveElsewhere(context, path);
    const again = await open(context, path);
    await again.locator("#content").fill(WORDS);
    await again.locator(".desk .notice").getByRole("button", { name: "Use it" }).click();
    expect(await again.inputValue("#content")).toBe(OTHERS);
    await untilStored(again, OTHERS);
    await again.close();
    return open(context, path);
  },
  async "one tab saves, the other one is closed without comparing"(context) {
    const path = newPath();
    const [one, other] = [await open(context, path), await open(context, path)];
    await one.locator("#content").fill(OTHERS);
    await untilStored(one, OTHERS);
    await other.locator("#content").fill(WORDS);
    await untilState(other, /^Changed in another tab or by someone else\.$/);
    await other.getByRole("button", { name: "Compare" }).waitFor();
    await untilKept(other, WORDS);
    await other.close();
    await one.close();
    return open(context, path);
  },
  async "the page with both texts is closed, after more was written there"(context) {
    const path = newPath();
    const [one, other] = [await open(context, path), await open(context, path)];
    await one.locator("#content").fill(OTHERS);
    await untilStored(one, OTHERS);
    await other.locator("#content").fill("Every word");
    await untilState(other, /^Changed in another tab/);
    await other.getByRole("button", { name: "Compare" }).click();
    await other.locator("#theirs").waitFor();
    await other.locator("textarea#content").fill(WORDS);
    await untilKept(other, WORDS);
    await other.close();
    return open(context, path);
  },
  async "Publish is pressed while the server is away: the page stays"(context) {
    const page = await open(context, newPath());
    await away();
    await page.locator("#content").fill(WORDS);
    await page.getByRole("button", { name: "Publish" }).click();
    await untilState(page, /^Offline: kept in this browser at \d\d:\d\d$/);
    await untilUnsent(
      page,
      "Not published: the server cannot be reached. Your text is kept in this browser. Try again",
    );
    expect(await page.inputValue("#content")).toBe(WORDS);
    await page.close();
    await back();
    return open(context, new URL(page.url()).pathname);
  },
  async "a network answers in place of the server"(context) {
    const path = newPath();
    const page = await open(context, path);
    await context.route("**/api/edits/**", (route) =>
      route.fulfill({ status: 200, contentType: "text/html", body: "<p>Sign in to the hotel.</p>" }),
    );
    await page.locator("#content").fill(WORDS);
    await untilState(page, /^Not saved: kept in this browser/);
    await away();
    await context.unroute("**/api/edits/**");
    await page.close();
    await back();
    return open(context, path);
  },
};

for (const [what, disaster] of Object.entries(DISASTERS))
  fullRunTest(`${what}: the words are offered`, async () => {
    const context = await newAuthor();
    try {
      await expectOffered(await disaster(context), WORDS);
    } finally {
      await context.close();
    }
  });

test("two tabs of one draft while the server is away: the words of both are offered, and kept until one decides", async () => {
  const context = await newAuthor();
  const path = newPath();
  const [one, other] = [await open(context, path), await open(context, path)];
  await away();
  await one.locator("#content").fill(WORDS);
  await other.locator("#content").fill(OTHERS);
  await untilKept(one, WORDS);
  await untilKept(other, OTHERS);
  await one.close();
  await other.close();
  await back();
  const again = await open(context, path);
  await again.locator("#content").fill("Typed before the offers are seen.");
  await untilStored(again, "Typed before the offers are seen.");
  await again.reload();
  await expectOffered(again, OTHERS);
  await again.reload();
  await expectOffered(again, WORDS);
  // What was used is on the server or offered; what is discarded is gone.
  const offers = again.locator(".desk .notice");
  while ((await offers.count()) > 0) await offers.first().getByRole("button", { name: "Discard it" }).click();
  await until("the browser keeps nothing", async () => (await keptIn(again)).length === 0);
  await again.reload();
  expect(await again.inputValue("#content")).toBe(WORDS);
  await context.close();
});

fullRunTest(
  "a reload before the pause is over goes on with the text, whenever the request at leaving arrives",
  async () => {
    const context = await newAuthor();
    const page = await open(context, newPath());
    const text = page.locator("#content");
    await text.fill("One. ");
    await untilStored(page, "One. ");
    await untilState(page, /^Saved/);
    // What the page sends as it goes is on its way until the test sends it.
    await page.evaluate(`{
    const send = window.fetch;
    window.fetch = (url, options) => {
      if (!options.keepalive) return send(url, options);
      sessionStorage.late = JSON.stringify({ url, data: options.body, headers: options.headers });
      return new Promise(() => {});
    };
  }`);
    await text.fill("One. Two. ");
    await page.reload();
    const late = JSON.parse(await page.evaluate<string>("sessionStorage.late")) as {
      url: string;
      data: string;
      headers: Record<string, string>;
    };
    const arrive = () =>
      context.request.put(late.url, { ...late, headers: { ...late.headers, origin: server.url } });
    await until("the form has the text", async () => (await text.inputValue()) === "One. Two. ");
    expect((await arrive()).status()).toBe(200);
    await text.fill("One. Two. Three.");
    await untilStored(page, "One. Two. Three.");
    await untilState(page, /^Saved/);
    expect((await arrive()).status()).toBe(412);
    expect(await page.locator(".desk .notice").count()).toBe(0);
    expect(await keptIn(page)).toEqual([]);
    await context.close();
  },
);

fullRunTest("after a conflict, the saved text that one decides against is not offered again", async () => {
  const context = await newAuthor();
  const path = newPath();
  const [one, other] = [await open(context, path), await open(context, path)];
  // The text arrives; its page never hears of it, and closes.
  await one.route("**/api/edits/**", async (route) => void (await route.fetch()));
  await one.locator("#content").fill(OTHERS);
  await untilStored(one, OTHERS);
  await untilKept(one, OTHERS);
  await one.close();
  await other.locator("#content").fill(WORDS);
  await other.getByRole("button", { name: "Compare" }).click();
  await other.locator("#theirs").waitFor();
  await until("the text is not kept", async () => !(await keptIn(other)).includes(OTHERS));
  await other.getByRole("button", { name: "Save my version" }).click();
  await other.getByText("The other version was kept").waitFor();
  await until("its own text is not kept", async () => (await keptIn(other)).length < 2);
  expect(await other.inputValue("#content")).toBe(WORDS);
  expect(await other.locator(".desk .notice").count()).toBe(0);
  await context.close();
});

/** What keeps a save from succeeding, and ends: nobody presses a key. */
const INTERRUPTIONS: Readonly<Record<string, (context: BrowserContext, page: Page) => Promise<void>>> = {
  async "a proxy answers 502 once"(context, page) {
    await context.route("**/api/edits/**", (route) => route.fulfill({ status: 502 }), { times: 1 });
    await page.locator("#content").fill(WORDS);
  },
  async "the network is gone for a moment"(context, page) {
    await context.setOffline(true);
    await page.locator("#content").fill(WORDS);
    await untilState(page, /^Offline: kept in this browser at/);
    await context.setOffline(false);
  },
  async "the session has ended, and the author signs in again in another tab"(context, page) {
    await context.clearCookies();
    await page.locator("#content").fill(WORDS);
    await untilState(page, /^Signed out: kept in this browser at/);
    const another = context.waitForEvent("page");
    await page.getByRole("link", { name: "Sign in" }).click();
    await signIn(await another);
    await (await another).close();
    await page.evaluate("dispatchEvent(new Event('focus'))");
  },
};

for (const [what, interruption] of Object.entries(INTERRUPTIONS))
  fullRunTest(`${what}: the text is saved without another key`, async () => {
    const context = await newAuthor();
    const page = await open(context, newPath());
    await interruption(context, page);
    await untilStored(page, WORDS);
    await untilState(page, /^Saved \d\d:\d\d$/);
    expect(await keptIn(page)).toEqual([]);
    await context.close();
  });

/** What keeps a form from being sent: what it does, what the page says, and how it ends. The short run tries the first. */
const OBSTACLES = {
  "one is offline": {
    begin: (context: BrowserContext) => context.setOffline(true),
    why: "you are offline",
    act: "Try again",
    end: (context: BrowserContext) => context.setOffline(false),
  },
  "one is signed out": {
    begin: (context: BrowserContext) => context.clearCookies(),
    why: "you are signed out",
    act: "Sign in",
    end: async (context: BrowserContext, page: Page) => {
      const another = context.waitForEvent("page");
      await page.locator(".desk-bar").getByRole("link", { name: "Sign in" }).click();
      await signInAt(await another);
      await (await another).getByText("You can close this tab, and go back to your text.").waitFor();
      await (await another).close();
      await page.evaluate("dispatchEvent(new Event('focus'))");
    },
  },
};

for (const [row, [what, { begin, why, act, end }]] of Object.entries(OBSTACLES).entries())
  test.skipIf(row > 0 && !isFullRun)(
    `when ${what}, Publish says beside the button why nothing happens and what to do, and publishes afterwards`,
    async () => {
      const context = await newAuthor();
      const page = await open(context, newPath());
      const publish = page.getByRole("button", { name: "Publish" });
      await page.locator("#title").fill(`When ${what}`);
      await page.locator("#content").fill(OTHERS);
      await untilStored(page, OTHERS);
      await untilState(page, /^Saved/);
      await begin(context);
      await publish.click();
      await untilUnsent(page, `Not published: ${why}. Your text is saved. ${act}`);
      await page.locator("#content").fill(WORDS);
      await publish.click();
      await untilUnsent(page, `Not published: ${why}. Your text is kept in this browser. ${act}`);
      expect(await page.evaluate<string>("document.activeElement.textContent")).toBe("Publish");
      if (act === "Try again") {
        await page.getByRole("button", { name: act }).press("Enter");
        await page.locator(":focus").filter({ hasText: act }).waitFor();
      }
      await end(context, page);
      await untilUnsent(page, "");
      await publish.click();
      await page.waitForURL("**/posts/**");
      expect(await page.locator(".prose").textContent()).toContain(WORDS);
      await context.close();
    },
  );

const STORAGES = {
  full: `IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError"); };`,
  forbidden: `IDBFactory.prototype.open = () => { throw new DOMException("", "SecurityError"); };`,
};

for (const [how, script] of Object.entries(STORAGES))
  fullRunTest(
    `with a storage that is ${how}, a text that is nowhere is called that, and one that is saved is not`,
    async () => {
      const context = await newAuthor();
      await context.addInitScript(script);
      const page = await open(context, newPath());
      await page.locator("#content").fill("Saved in time.");
      await untilStored(page, "Saved in time.");
      await untilState(page, /^Saved/);
      await away();
      await page.locator("#content").fill(WORDS);
      await untilState(page, /^Not saved anywhere: copy your text$/);
      // The browser asks before it leaves the page, and a submitted form stays.
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      const asked = page.waitForEvent("dialog");
      await page.close({ runBeforeUnload: true });
      const dialog = await asked;
      expect(dialog.type()).toBe("beforeunload");
      await dialog.dismiss();
      expect(await page.inputValue("#content")).toBe(WORDS);
      await back();
      await page.evaluate("dispatchEvent(new Event('online'))");
      await untilStored(page, WORDS);
      await context.close();
    },
  );

fullRunTest(
  "a browser that dies while one types without a pause keeps what was typed until then",
  async () => {
    const profile = folder.file("profile");
    const start = async () => {
      const context = await chromium.launchPersistentContext(profile, {
        ...(await browserOptions()),
        baseURL: server.url,
      });
      const page = await context.newPage();
      await signIn(page);
      return { context, page };
    };
    const path = newPath();
    const { context, page } = await start();
    await page.goto(path);
    await away();
    let typed = "";
    await until("the browser keeps some words", async () => {
      await page.locator("#content").pressSequentially("word ");
      typed += "word ";
      return (await keptIn(page)).length > 0;
    });
    const [kept = ""] = await keptIn(page);
    expect(typed).toStartWith(kept);
    const died = new Promise((resolve) => context.once("close", resolve));
    const devtools = await context.newCDPSession(page);
    devtools.send("Browser.crash").catch(() => {});
    await died;
    await back();
    const again = await start();
    await again.page.goto(path);
    await again.page.getByRole("button", { name: "Use it" }).click();
    expect(await again.page.inputValue("#content")).toStartWith(kept);
    await again.context.close();
  },
);
