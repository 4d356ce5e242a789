import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HtmlValidate } from "html-validate";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Account } from "../../../src/accounts/account.ts";
import type { ServiceOptions } from "../../../src/commands/server/start-service.ts";
import type { Database } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { copySchemaTo } from "../databases/sqlite-schema.ts";
import { makeAccount, makeSession } from "../records/accounts.ts";
import { casesOf, isFullRun } from "../run/full-run.ts";
import { type LocalServer, serve } from "../server/serve.ts";
import { temporaryFolder } from "../server/server.ts";
import { sharedBrowser } from "./browser.ts";
import { outlineOf, undescribedErrors, unmetReferences } from "./outline.ts";
import { unmetScripts } from "./scripts.ts";

/** One page in one state. */
export interface PageState {
  /** Used in the names of tests and screenshots. */
  readonly name: string;
  readonly path: string | ((site: PageSite) => Promise<string>);
  /** Whether a signed-in user looks at it; by default an anonymous one. */
  readonly signedIn?: boolean;
  /** The actions on the page before it is checked. */
  readonly act?: (page: Page) => Promise<unknown>;
  /**
   * The name of a state with the same parts, which the short run shows instead. Of this one, the short run only
   * validates the markup; with actions, it leaves it out.
   */
  readonly like?: string;
}

/** How a page is displayed. */
interface Look {
  readonly width: number;
  readonly theme: "light" | "dark";
  readonly text?: "double";
  readonly forced?: "active";
  /** The only accessibility rules to check, if this look otherwise equals another one. */
  readonly rules?: readonly string[];
}

const PHONE = 390;
const DESKTOP = 1280;

/** The look in which every page loads. */
const FIRST_LOOK: Look = { width: DESKTOP, theme: "light" };

/**
 * The looks of the full run, which differ in every respect; with ALL_LOOKS=1, all of them. A state that is like another one
 * has either of the first two in the full run, by turns; in the short run each state has one.
 */
const LOOKS: readonly Look[] = [
  { width: PHONE, theme: "light" },
  { width: DESKTOP, theme: "dark" },
  // Larger text changes sizes and may make regions scroll. Names, roles and colors are those of the first look.
  {
    width: PHONE,
    theme: "light",
    text: "double",
    rules: ["target-size", "scrollable-region-focusable"],
  },
  ...(process.env.ALL_LOOKS
    ? ([
        { width: PHONE, theme: "dark" },
        { width: DESKTOP, theme: "light" },
        { width: 900, theme: "light" },
        { width: DESKTOP, theme: "light", forced: "active" },
      ] as const)
    : []),
];

/** Whether each state is shown, and in each look. */
const SHOWS_ALL = isFullRun || Boolean(process.env.ALL_LOOKS || process.env.PICTURES);

/**
 * The script by which a page can define `axe`, which takes as long as some pages do. The minified file takes a third of
 * the time of the other one.
 */
const AXE = `globalThis.defineAxe = () => {
  ${readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")}
};`;

/** A page, and the faults found on it. */
interface WatchedPage {
  readonly page: Page;
  readonly faults: string[];
}

/** A page in a state, its markup, and the look in which it loaded. */
interface OpenPage extends WatchedPage {
  readonly html: string;
  readonly look: Look;
}

/** A server in this process with an account, and a browser, for a suite of pages. */
export class PageSite {
  server!: LocalServer;
  browser!: Browser;
  database!: Database;
  account!: Account;
  #cookie = "";
  readonly #files = new Map<string, string>();
  /**
   * Pages that nobody looks at, by whether their user is signed in. They are reused, since a new page takes longer
   * than a visit.
   */
  readonly #idle = new Map<boolean, WatchedPage>();
  readonly #contexts: BrowserContext[] = [];
  /** The windows of `page`, by their options. */
  readonly #shared = new Map<string, Promise<BrowserContext>>();
  readonly #toEnd = new AsyncDisposableStack();

  /** @param account whether there is an account from the start */
  async start(
    settings: Readonly<Record<string, string>> = {},
    account = true,
    options: ServiceOptions = {},
  ): Promise<void> {
    const folder = this.#toEnd.use(temporaryFolder());
    const path = folder.file("pages.db");
    await copySchemaTo(path);
    const databaseUrl = `sqlite:${path}`;
    this.server = await serve({ DATABASE_URL: databaseUrl, ...settings }, options);
    this.#toEnd.defer(() => this.server.stop());
    this.database = await openDatabase(databaseUrl);
    this.#toEnd.defer(() => this.database.close());
    this.browser = await sharedBrowser();
    this.#toEnd.defer(async () => {
      for (const context of this.#contexts) await context.close();
    });
    if (account) await this.makeAccount();
  }

  async makeAccount(): Promise<void> {
    this.account = await makeAccount(this.database, "ada", "correct horse battery");
    this.#cookie = await makeSession(this.database, this.account);
  }

  end(): Promise<void> {
    return this.#toEnd.disposeAsync();
  }

  /** Opens a new window, without the transitions between pages: each takes a quarter of a second. */
  async window(
    options: Parameters<Browser["newContext"]>[0] = {},
    signedIn = false,
  ): Promise<BrowserContext> {
    const context = await this.browser.newContext({
      baseURL: this.server.url,
      reducedMotion: "reduce",
      ...options,
    });
    this.#contexts.push(context);
    if (signedIn) await this.#signIn(context, options.baseURL);
    return context;
  }

  /**
   * Opens a page in a window that it shares, with cookies and storage, with all others of these options: a window of its
   * own takes three times as long. What is changed for a whole window, such as that it is offline, needs one of its own.
   */
  async page(options: Parameters<Browser["newContext"]>[0] = {}, signedIn = false): Promise<Page> {
    const name = JSON.stringify([options, signedIn]);
    const window = this.#shared.get(name) ?? this.window(options, signedIn);
    this.#shared.set(name, window);
    return (await window).newPage();
  }

  async #signIn(context: BrowserContext, url = this.server.url): Promise<void> {
    const [name = "", value = ""] = this.#cookie.split("=");
    await context.addCookies([{ name, value, url }]);
  }

  /**
   * Opens a page and brings it into its state.
   * @param wanted a look in which it may load at once; actions need the first look, where every element is shown
   */
  async open({ path, signedIn = false, act }: PageState, wanted?: Look): Promise<OpenPage> {
    const look = wanted === undefined || wanted.text || act !== undefined ? FIRST_LOOK : wanted;
    const watched = this.#idle.get(signedIn) ?? (await this.#newPage(signedIn));
    this.#idle.delete(signedIn);
    const { page } = watched;
    await change(page, look);
    const response = await page.goto(typeof path === "string" ? path : await path(this));
    await act?.(page);
    // The markup as sent; or the browser's, since after an action it may show another page.
    const html = act === undefined ? await response?.text() : await page.content();
    return { ...watched, html: html ?? "", look };
  }

  /** The markup of a page as sent, without a browser. */
  async markup({ path, signedIn = false }: PageState): Promise<string> {
    const place = typeof path === "string" ? path : await path(this);
    const headers = { accept: "text/html", ...(signedIn && { cookie: this.#cookie }) };
    return (await fetch(this.server.url + place, { headers })).text();
  }

  /** The text of a file that pages load. */
  async fileAt(address: string): Promise<string> {
    const text = this.#files.get(address) ?? (await (await fetch(this.server.url + address)).text());
    this.#files.set(address, text);
    return text;
  }

  /** Ends a visit. What actions have left in the window is removed, since it could affect the next visit. */
  async leave({ page, faults }: OpenPage, { signedIn = false, act }: PageState): Promise<void> {
    if (act !== undefined) {
      await page.goto("about:blank");
      await page.mouse.move(0, 0);
      const context = page.context();
      const protocol = await context.newCDPSession(page);
      const { origin } = new URL(this.server.url);
      await protocol.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
      await protocol.detach();
      await context.clearCookies();
      if (signedIn) await this.#signIn(context);
      faults.splice(0);
    }
    this.#idle.set(signedIn, { page, faults });
  }

  async #newPage(signedIn: boolean): Promise<WatchedPage> {
    const context = await this.window({}, signedIn);
    const page = await context.newPage();
    // Playwright sends the script once, and the browser compiles it once per process. Compiling it in each
    // document would take half as long as axe itself.
    await page.addInitScript(AXE);
    return { page, faults: watch(page, this.server.url) };
  }
}

/**
 * Checks every state in its looks: no fault of accessibility, valid HTML, no refused script, no request to another
 * host, no horizontal scrolling. With PICTURES=folder, takes a screenshot of each.
 */
export function describePages(title: string, site: PageSite, states: readonly PageState[]): void {
  const isSeen = ({ like }: PageState) => SHOWS_ALL || like === undefined;
  describe(title, () => {
    // Before any action, so that the pages are the same in every run.
    for (const state of states.filter(({ act }) => act === undefined))
      test(`${state.name} says what it said`, async () => {
        const html = await site.markup(state);
        expect(outlineOf(html)).toMatchSnapshot();
        expect(unmetReferences(html)).toEqual([]);
        expect(await unmetScripts(html, (address) => site.fileAt(address))).toEqual([]);
      });
    for (const [row, state] of states.filter(isSeen).entries())
      test(`${state.name} is valid, and fit for everyone`, async () => {
        const looks = looksOf(row, state);
        const visit = await site.open(state, looks.length === 1 ? looks[0] : undefined);
        const { page, html, faults } = visit;
        expect(html).toEndWith("</html>");
        expect(faultsOfHtml(html)).toEqual([]);
        expect(undescribedErrors(html)).toEqual([]);
        for (const look of looks) {
          if (look !== visit.look) await change(page, look);
          const name = describeLook(look);
          await photograph(page, `${state.name}-${name}`);
          expect([name, ...(await faultsOfAccess(page, look.rules))]).toEqual([name]);
          expect([name, ...(await overflow(page))]).toEqual([name]);
        }
        expect(faults.splice(0)).toEqual([]);
        await site.leave(visit, state);
      });
    for (const state of states.filter((state) => !isSeen(state) && state.act === undefined))
      test(`${state.name} is valid`, async () => {
        const html = await site.markup(state);
        expect(html).toEndWith("</html>");
        expect(faultsOfHtml(html)).toEqual([]);
      });
  });
}

function looksOf(row: number, { like }: PageState): readonly Look[] {
  if (!SHOWS_ALL) return casesOf(LOOKS, row);
  // The state with the same parts has every look.
  const isPart = like !== undefined && !process.env.ALL_LOOKS && !process.env.PICTURES;
  return isPart ? LOOKS.filter((_, index) => index !== row % 2) : LOOKS;
}

/** Changes the look of a page. */
async function change(page: Page, { width, theme, text, forced }: Look): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  await page.emulateMedia({ colorScheme: theme, forcedColors: forced ?? "none" });
  await page.evaluate(
    (size) => {
      // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
      (globalThis as any).document.documentElement.style.fontSize = size;
    },
    text === "double" ? "200%" : "",
  );
}

/** Starts a site before the suite's tests, and ends it after them. */
export function usePageSite(
  settings: Readonly<Record<string, string>> = {},
  account = true,
  options: ServiceOptions = {},
): PageSite {
  const site = new PageSite();
  beforeAll(() => site.start(settings, account, options), 60_000);
  afterAll(() => site.end());
  return site;
}

function describeLook({ width, theme, text, forced }: Look): string {
  return [width, theme, text && "large", forced && "forced"].filter((part) => part !== undefined).join("-");
}

/**
 * Collects what goes wrong while a page is open: errors, violations of the Content Security Policy, requests
 * to other hosts.
 */
export function watch(page: Page, origin: string): string[] {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    // A page whose status reports an error is one of its states.
    const isStatus = /^Failed to load resource: the server responded with a status of 4\d\d/.test(
      message.text(),
    );
    // Over plain HTTP on a name, a browser ignores this header, which is right.
    const isIgnored = message.text().startsWith("The Cross-Origin-Opener-Policy header has been ignored");
    if (message.type() === "error" && !isStatus && !isIgnored) faults.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) faults.push(`a request to ${request.url()}`);
  });
  return faults;
}

/** @param rules all if absent */
async function faultsOfAccess(page: Page, rules?: readonly string[]): Promise<string[]> {
  const runOnly =
    rules === undefined
      ? { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }
      : { type: "rule", values: rules };
  return page.evaluate(async (runOnly) => {
    type Target = { scrollIntoView(options: { block: "center" }): void };
    type Violation = { id: string; help: string; nodes: { html: string; element: Target }[] };
    // biome-ignore lint/suspicious/noExplicitAny: put into the page's window by its source
    const window = globalThis as any;
    if (window.axe === undefined) window.defineAxe();
    const { axe, scrollTo } = window;
    const { violations } = (await axe.run({
      runOnly,
      // Other results, such as passed elements, are not needed: only one of each is described.
      resultTypes: ["violations"],
      // The markup shows the place of a fault, and none of these rules needs the style sheets.
      selectors: false,
      elementRef: true,
      preload: { assets: ["media"] },
    })) as { violations: Violation[] };

    /** A bar at the edge of the window covers a part of a list: a target there is judged once it is scrolled to. */
    async function isTooSmall({ element }: Violation["nodes"][number]): Promise<boolean> {
      element.scrollIntoView({ block: "center" });
      const again = await axe.run(element, { runOnly: ["target-size"], resultTypes: ["violations"] });
      return again.violations.length > 0;
    }

    const found: string[] = [];
    for (const { id, help, nodes } of violations) {
      const faulty: string[] = [];
      for (const node of nodes) if (id !== "target-size" || (await isTooSmall(node))) faulty.push(node.html);
      if (faulty.length > 0) found.push(`${id}: ${help}: ${faulty.join(" | ")}`);
    }
    if (violations.some(({ id }) => id === "target-size")) scrollTo(0, 0);
    return found;
  }, runOnly);
}

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    // The notation of empty and void elements is a matter of taste.
    "void-style": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "doctype-style": "off",
    "no-trailing-whitespace": "off",
    "long-title": "off",
    "no-raw-characters": "off",
    // The elements of the toolbar are buttons, the list beside a text field has no native form, and a wide
    // table or listing scrolls in a region.
    "prefer-native-element": ["error", { exclude: ["button", "listbox", "region"] }],
    // Scripts may position elements; the Content Security Policy refuses inline styles in the markup.
    "no-inline-style": "off",
    // Hidden fields and boxes may share a name.
    "form-dup-name": "off",
  },
});

function faultsOfHtml(html: string): string[] {
  const { results } = validator.validateStringSync(html);
  return results.flatMap(({ messages }) =>
    messages
      .filter((message) => !isRefreshWithoutScript(message))
      .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
}

/** The page of a running import, on which nobody types, may read itself again where no script does it. */
function isRefreshWithoutScript({ ruleId, selector }: { ruleId: string; selector: string | null }): boolean {
  return ruleId === "meta-refresh" && selector === "html > head > noscript > meta";
}

/** The elements that are wider than the window. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
    const { document, innerWidth } = globalThis as any;
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    return [...document.querySelectorAll("main *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
