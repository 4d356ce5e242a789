import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/** The package with the browser, and with libraries and fonts that a machine may lack, all compressed. */
const PACKAGE = resolve(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");

/** A name that leads to this machine in the browser only. With it, plain HTTP is not a secure context. */
export const MADE_UP_HOST = "library.made-up.example";

const REACHED_HOSTS = "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1";

/**
 * The time after which a page is given up, in milliseconds. Beside many other processes, a page that works may take
 * more than the usual 30 s to react.
 */
const LONGEST_WAIT = 120_000;

const CACHE = resolve(import.meta.dir, "../../../node_modules/.cache");

/**
 * Starts a real browser without a window. It reaches no host but this machine, even if a test fails.
 * @param names further names that lead to this machine, like those of a local network
 * @param fonts "bundled": the same few on every machine; "installed": those of this machine
 */
export async function launchBrowser(
  names: readonly string[] = [],
  fonts: "bundled" | "installed" = "bundled",
): Promise<Browser> {
  const browser = await chromium.launch(await browserOptions(names, fonts));
  const newContext = browser.newContext.bind(browser);
  // A new page gets its context here, too.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(LONGEST_WAIT);
    return context;
  };
  return browser;
}

let shared: Promise<Browser> | undefined;

/** The browser of all tests of this process, which ends with it. Who opens a window there closes it. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser([MADE_UP_HOST]);
  return shared;
}

/** How that browser is started. */
export async function browserOptions(
  names: readonly string[] = [],
  fonts: "bundled" | "installed" = "bundled",
): Promise<LaunchOptions> {
  const folder = await unpackedBrowser();
  return {
    executablePath: join(folder, "chromium"),
    args: [
      // The sandbox does not work for root and in most containers. The browser only shows our own pages here.
      "--no-sandbox",
      "--no-zygote",
      "--disable-gpu",
      // Otherwise the first page of each window, which is empty, has a process of its own, and so has the page after it.
      "--renderer-process-limit=1",
      // The pages are short-lived, so optimizing their code costs more than it gains.
      "--js-flags=--no-opt",
      `--host-resolver-rules=${names.map((name) => `MAP ${name} 127.0.0.1, `).join("")}${REACHED_HOSTS}`,
      // Hinting moves letters to whole pixels, which makes the spaces between words uneven.
      ...(fonts === "installed" ? ["--font-render-hinting=none"] : []),
    ],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, "lib"),
      ...(fonts === "bundled" && { FONTCONFIG_FILE: join(folder, "fonts.conf") }),
      XDG_CACHE_HOME: join(folder, "cache"),
    },
  };
}

/** The folder with the unpacked browser. The first call unpacks it. */
async function unpackedBrowser(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(PACKAGE, "package.json"), "utf8"));
  const folder = join(CACHE, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  await unpackInto(unfinished);
  try {
    await rename(unfinished, folder);
  } catch (error) {
    // Another process was faster; its files are the same.
    await rm(unfinished, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

async function unpackInto(folder: string): Promise<void> {
  await pipeline(
    createReadStream(join(PACKAGE, "bin/chromium.br")),
    createBrotliDecompress(),
    createWriteStream(join(folder, "chromium"), { mode: 0o755 }),
  );
  for (const archive of ["al2023.tar.br", "fonts.tar.br"]) {
    const tar = brotliDecompressSync(await readFile(join(PACKAGE, "bin", archive)));
    await new Bun.Archive(tar).extract(folder);
  }
  await writeFile(
    join(folder, "fonts.conf"),
    `<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fonts</cachedir></fontconfig>`,
  );
}
