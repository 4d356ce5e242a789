import { mkdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { until } from "../machine/until.ts";
import { temporaryFolder } from "../server/server.ts";
import type { BookmarkBrowser, BrowserSession } from "./bookmark-browser.ts";

const PROGRAM = ["firefox-esr", "firefox"].find((name) => Bun.which(name) !== null);

/** Settings that keep the profile from reaching any host. */
const SETTINGS = {
  "marionette.port": 0,
  "network.proxy.type": 1,
  "network.proxy.http": "127.0.0.1",
  "network.proxy.http_port": 9,
  "network.proxy.ssl": "127.0.0.1",
  "network.proxy.ssl_port": 9,
  "app.update.disabledForTesting": true,
  "datareporting.policy.dataSubmissionEnabled": false,
};

/**
 * A real Firefox without a window. It imports and exports with the functions behind its dialogs *Import
 * Bookmarks from HTML…*, *Export Bookmarks to HTML…* and *Backup…*
 * (browser/components/places/content/places.js).
 */
export const firefox: BookmarkBrowser = {
  name: "firefox",
  missing: PROGRAM === undefined ? ["firefox-esr or firefox"] : [],
  async start() {
    const folder = temporaryFolder();
    mkdirSync(folder.file("profile"));
    const lines = Object.entries(SETTINGS).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    writeFileSync(folder.file("profile/user.js"), lines.join(""));
    const words = ["--headless", "--marionette", "--remote-allow-system-access", "--profile"];
    const browser = Bun.spawn([PROGRAM ?? "firefox", ...words, folder.file("profile")], {
      env: { ...process.env, HOME: folder.path },
      stdout: "ignore",
      stderr: "ignore",
    });
    const stop = async () => {
      browser.kill();
      await browser.exited;
      folder[Symbol.dispose]();
    };
    try {
      const marionette = await Marionette.connect(folder.file("profile/MarionetteActivePort"));
      // Firefox adds the default bookmarks to a new profile some time after the start.
      await marionette.run(WAIT_FOR_DEFAULTS, []);
      return sessionOf(marionette, folder, stop);
    } catch (error) {
      await stop();
      throw error;
    }
  },
};

function sessionOf(
  marionette: Marionette,
  folder: { file(name: string): string },
  stop: () => Promise<void>,
): BrowserSession {
  const files = [folder.file("in.html"), folder.file("out.html"), folder.file("out.json")];
  return {
    version: marionette.version,
    makeOwn: async () => (await marionette.run(OWN, files)) as { html: string; json: string },
    async importAndExport(html) {
      writeFileSync(folder.file("in.html"), html);
      return (await marionette.run(
        `${CLEAR} await BookmarkHTMLUtils.importFromFile(source); ${EXPORT}`,
        files,
      )) as {
        html: string;
        json: string;
      };
    },
    [Symbol.asyncDispose]: stop,
  };
}

const MODULES = `
  const { PlacesUtils } = ChromeUtils.importESModule("resource://gre/modules/PlacesUtils.sys.mjs");
  const { BookmarkHTMLUtils } = ChromeUtils.importESModule("resource://gre/modules/BookmarkHTMLUtils.sys.mjs");
  const { BookmarkJSONUtils } = ChromeUtils.importESModule("resource://gre/modules/BookmarkJSONUtils.sys.mjs");
  const [source, html, json] = arguments;
  const { bookmarks } = PlacesUtils;
`;

const CLEAR = `${MODULES} await bookmarks.eraseEverything();`;

const EXPORT = `
  await BookmarkHTMLUtils.exportToFile(html);
  await BookmarkJSONUtils.exportToFile(json);
  return { html: await IOUtils.readUTF8(html), json: await IOUtils.readUTF8(json) };
`;

const WAIT_FOR_DEFAULTS = `${MODULES}
  while ((await bookmarks.fetch({ parentGuid: bookmarks.menuGuid, index: 0 })) === null)
    await new Promise((resolve) => ChromeUtils.importESModule("resource://gre/modules/Timer.sys.mjs").setTimeout(resolve, 50));
`;

/** Bookmarks in each of Firefox's folders, with every field of its dialogs. */
const OWN = `${CLEAR}
  const date = (day) => new Date(Date.UTC(2020, 0, day, 12, 30, 15, 250));
  const link = (name, day, more) => ({ url: "https://" + name + ".example/", title: name, dateAdded: date(day), ...more });
  const folder = (title, day, ...children) => ({ type: bookmarks.TYPE_FOLDER, title, dateAdded: date(day), children });
  const line = { type: bookmarks.TYPE_SEPARATOR };
  const put = (guid, ...children) => bookmarks.insertTree({ guid, children });
  await put(bookmarks.toolbarGuid,
    link("bar-first", 1), folder("Dev & <Ops>", 2, link("bar-inner", 3), folder("JS", 4, link("bar-deep", 5))), line,
    link("bar-last", 6));
  await put(bookmarks.menuGuid, folder("Zoo", 7, link("menu-zebra", 8)), line, link("menu-loose", 9, { title: "日本 & 🍋" }),
    folder("Attic", 10, link("menu-box", 11, { title: "" })), folder("Empty", 12));
  await put(bookmarks.unfiledGuid, link("unfiled", 13, { title: 'A "quoted" <b>title</b>' }), folder("Later", 14, link("later", 15)));
  await put(bookmarks.mobileGuid, link("mobile", 16));
  const uri = (text) => Services.io.newURI(text);
  PlacesUtils.tagging.tagURI(uri("https://bar-first.example/"), ["web", "C#", "two words"]);
  PlacesUtils.tagging.tagURI(uri("https://later.example/"), ["web"]);
  await PlacesUtils.keywords.insert({ keyword: "b", url: "https://bar-last.example/" });
  ${EXPORT}
`;

/** A connection in Firefox's remote protocol: JSON arrays, each preceded by its length. */
class Marionette {
  version = "";
  readonly #socket: Socket;
  readonly #answers = new Map<number, (answer: readonly unknown[]) => void>();
  #last = 0;
  #unread = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.#read(bytes));
  }

  /** @param portFile the file to which Firefox writes its port when it listens */
  static async connect(portFile: string): Promise<Marionette> {
    const port = () =>
      Bun.file(portFile)
        .text()
        .catch(() => "");
    await until("Firefox listens", async () => (await port()) !== "", { every: 100 });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = connect(Number(await port()), "127.0.0.1", resolve).once("error", reject);
    await promise;
    const marionette = new Marionette(socket);
    const session = await marionette.#send("WebDriver:NewSession", { capabilities: {} });
    marionette.version = (
      session as { capabilities: { browserVersion: string } }
    ).capabilities.browserVersion;
    await marionette.#send("WebDriver:SetTimeouts", { script: 60_000 });
    await marionette.#send("Marionette:SetContext", { value: "chrome" });
    return marionette;
  }

  /** Runs a script with Firefox's own privileges. */
  async run(body: string, args: readonly unknown[]): Promise<unknown> {
    const script = `return (async function () { ${body} }).apply(null, arguments);`;
    const answer = await this.#send("WebDriver:ExecuteScript", { script, args, sandbox: "system" });
    return (answer as { value: unknown }).value;
  }

  async #send(name: string, parameters: object): Promise<unknown> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<readonly unknown[]>();
    this.#answers.set(id, resolve);
    const text = JSON.stringify([0, id, name, parameters]);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, result] = await promise;
    if (error !== null) throw new Error(`${name}: ${JSON.stringify(error)}`);
    return result;
  }

  #read(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    for (;;) {
      const colon = this.#unread.indexOf(":");
      const end = colon + 1 + Number(this.#unread.toString("latin1", 0, colon));
      if (colon === -1 || this.#unread.length < end) return;
      const message: unknown = JSON.parse(this.#unread.toString("utf8", colon + 1, end));
      this.#unread = this.#unread.subarray(end);
      // The first message is an object with which Firefox introduces itself.
      if (Array.isArray(message)) this.#answers.get(message[1])?.(message);
    }
  }
}
