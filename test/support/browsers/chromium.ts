import { readFileSync, writeFileSync } from "node:fs";
import { type BrowserContext, chromium as driver, type Page } from "playwright-core";
import { until } from "../machine/until.ts";
import { temporaryFolder } from "../server/server.ts";
import type { BookmarkBrowser, BrowserFiles, BrowserSession } from "./bookmark-browser.ts";

const NEEDED = ["chromium", "Xvfb", "xdotool"];

/**
 * The position of the button that accepts a dialog. On a display without a window manager, every dialog is in
 * the corner at full size.
 */
const ACCEPT = { x: 1073, y: 798 };

/**
 * A real Chromium with its import and export dialogs, on a virtual display. xdotool operates the dialogs with
 * keys and clicks, since the browser has no interface for them.
 */
export const chromium: BookmarkBrowser = {
  name: "chromium",
  missing: NEEDED.filter((name) => Bun.which(name) === null),
  async start() {
    const display = await startDisplay();
    return new ChromiumSession(display, Bun.spawnSync(["chromium", "--version"]).stdout.toString().trim());
  },
};

interface Display extends AsyncDisposable {
  readonly env: Record<string, string | undefined>;
}

/** Starts a display in memory. */
async function startDisplay(): Promise<Display> {
  const server = Bun.spawn(["Xvfb", "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
    stdout: "pipe",
    stderr: "ignore",
  });
  // The server prints its display number when it is ready.
  const { value } = await server.stdout.getReader().read();
  return {
    env: { ...process.env, DISPLAY: `:${new TextDecoder().decode(value).trim()}` },
    async [Symbol.asyncDispose]() {
      server.kill();
      await server.exited;
    },
  };
}

class ChromiumSession implements BrowserSession {
  readonly version: string;
  readonly #display: Display;

  constructor(display: Display, version: string) {
    this.#display = display;
    this.version = version;
  }

  makeOwn(): Promise<BrowserFiles> {
    return this.#inNewProfile((page) => page.evaluate(OWN));
  }

  importAndExport(html: string): Promise<BrowserFiles> {
    return this.#inNewProfile(async (page, home) => {
      writeFileSync(home.file("in.html"), html);
      await page.evaluate(
        "ended = new Promise((resolve) => chrome.bookmarks.onImportEnded.addListener(resolve)); chrome.bookmarkManagerPrivate.import()",
      );
      await this.#answer("Open File", home.file("in.html"));
      await page.evaluate("ended");
    });
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#display[Symbol.asyncDispose]();
  }

  async #inNewProfile(
    use: (page: Page, home: { file(name: string): string }) => Promise<unknown>,
  ): Promise<BrowserFiles> {
    using home = temporaryFolder();
    const context = await driver.launchPersistentContext(home.file("profile"), {
      executablePath: Bun.which("chromium") ?? "chromium",
      headless: false,
      // The sandbox does not work for root and in most containers.
      args: ["--no-sandbox", "--disable-gpu", "--lang=en-US", "--host-resolver-rules=MAP * ~NOTFOUND"],
      env: { ...this.#display.env, HOME: home.path, LANGUAGE: "en" } as Record<string, string>,
    });
    const html = await this.#exported(context, home, use).finally(() => context.close());
    return { html, json: readFileSync(home.file("profile/Default/Bookmarks"), "utf8") };
  }

  async #exported(
    context: BrowserContext,
    home: { file(name: string): string },
    use: (page: Page, home: { file(name: string): string }) => Promise<unknown>,
  ): Promise<string> {
    const page = await context.newPage();
    await page.goto("chrome://bookmarks");
    await use(page, home);
    await page.evaluate("chrome.bookmarkManagerPrivate.export()");
    const path = home.file("out.html");
    await this.#answer("Save File", path);
    const written = () =>
      Bun.file(path)
        .text()
        .catch(() => "");
    await until("the file is written", async () => (await written()).trimEnd().endsWith("</DL><p>"));
    return written();
  }

  /** Enters a path in a dialog and accepts it. */
  async #answer(title: string, path: string): Promise<void> {
    const windows = () => this.#xdotool("search", "--onlyvisible", "--name", title);
    await until(`the dialog ${title}`, async () => windows() !== "", { every: 200 });
    this.#xdotool("windowfocus", "--sync", windows());
    // No event shows when the dialog accepts keys.
    await Bun.sleep(1_000);
    if (title === "Open File") this.#xdotool("key", "ctrl+l");
    await Bun.sleep(500);
    this.#xdotool("key", "ctrl+a");
    this.#xdotool("type", "--delay", "20", path);
    await Bun.sleep(500);
    this.#xdotool("mousemove", String(ACCEPT.x), String(ACCEPT.y), "click", "1");
    await until(`the dialog ${title} closes`, async () => windows() === "", { every: 200 });
  }

  #xdotool(...words: string[]): string {
    return Bun.spawnSync(["xdotool", ...words], { env: this.#display.env })
      .stdout.toString()
      .trim();
  }
}

/** Bookmarks in both of Chromium's folders. Their order differs from that of their dates. */
const OWN = `(async () => {
  const { create } = chrome.bookmarks;
  const link = (parentId, name, title = name) => create({ parentId, title, url: "https://" + name + ".example/" });
  const folder = async (parentId, title) => (await create({ parentId, title })).id;
  await link("1", "bar-first");
  const dev = await folder("1", "Dev & <Ops>");
  await link(dev, "bar-inner");
  await link(await folder(dev, "JS"), "bar-deep");
  await link("1", "bar-last");
  await create({ parentId: "1", index: 0, title: "moved to the front", url: "https://bar-front.example/" });
  await link(await folder("2", "Zoo"), "other-zebra");
  await link("2", "other-loose", "日本 & 🍋");
  await link(await folder("2", "Attic"), "other-box", "");
  await folder("2", "Empty");
  await link("2", "other-quoted", 'A "quoted" <b>title</b>');
})()`;
