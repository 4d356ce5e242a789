import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { pageDetailsFetcher } from "../../src/bookmarks/capture/fetch-page-details.ts";
import { asTitle } from "../../src/bookmarks/capture/page-texts.ts";
import { HtmlTags } from "../../src/decoding/html-tags.ts";
import type { Network } from "../../src/outbound/fetch-public.ts";
import { launchBrowser } from "../support/pages/browser.ts";

/**
 * Compares the titles that the server reads from saved pages with those that a browser shows without scripts, and says how
 * much of each page was read: `npm run real-pages -- FOLDER…`, such as the test pages of Readability and metascraper. Pages of
 * others are not part of this repository.
 */

const folders = process.argv.slice(2).map((folder) => resolve(folder));
if (folders.length === 0) throw new Error("Name one folder with HTML files, or several.");
const files = folders
  .flatMap((folder) => [...new Bun.Glob("**/*.html").scanSync({ cwd: folder, absolute: true })])
  // What Readability makes of its pages.
  .filter((file) => !/\/node_modules\/|\/expected[^/]*$/.test(file))
  .toSorted();

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const file = files[Number(new URL(request.url).pathname.slice(1))];
    if (file === undefined) return new Response(null, { status: 404 });
    const bytes = readFileSync(file);
    return new Response(bytes, { headers: { "content-type": contentTypeOf(bytes) } });
  },
});

/** A page that is UTF-8 was saved so, whatever it declares. */
function contentTypeOf(bytes: Uint8Array): string {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "text/html; charset=utf-8";
  } catch {
    return "text/html";
  }
}

/** The pages as an internet, with what was read of the last one. */
let readBytes = 0;
let readElements = 0;
const network: Network = {
  resolve: async () => ["93.184.215.14"],
  isPublic: () => true,
  own: async () => [],
  async fetch(url, init) {
    const at = new URL(url);
    at.host = `127.0.0.1:${server.port}`;
    const response = await fetch(at.href, init);
    readBytes = 0;
    readElements = 0;
    const tags = new HtmlTags({ startTag: () => readElements++, hasTagsOnly: () => true });
    const counted = new TransformStream<Uint8Array, Uint8Array>(
      {
        transform(piece, controller) {
          readBytes += piece.length;
          tags.write(Buffer.from(piece).toString("latin1"));
          controller.enqueue(piece);
        },
      },
      undefined,
      { highWaterMark: 0 },
    );
    return new Response(response.body?.pipeThrough(counted), response);
  },
};

async function titlesInBrowser(browser: Browser): Promise<string[]> {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  const isFile = (url: string) => /^http:\/\/127\.0\.0\.1:\d+\/\d+$/.test(url);
  await page.route("**/*", (route) =>
    isFile(route.request().url()) && route.request().frame() === page.mainFrame()
      ? route.continue()
      : route.abort(),
  );
  const titles: string[] = [];
  for (const index of files.keys()) {
    await page.goto(`http://127.0.0.1:${server.port}/${index}`, { waitUntil: "domcontentloaded" });
    titles.push(asTitle(await page.title()));
  }
  return titles;
}

const browser = await launchBrowser();
const shown = await titlesInBrowser(browser).finally(() => browser.close());
const read = pageDetailsFetcher(network);
let equal = 0;
let most = { bytes: 0, elements: 0 };
let bytes = 0;
for (const [index, file] of files.entries()) {
  const found = await read(`http://pages.example/${index}`);
  bytes += readBytes;
  most = { bytes: Math.max(most.bytes, readBytes), elements: Math.max(most.elements, readElements) };
  if (found?.title === shown[index]) equal++;
  else console.log(`${file}\n  browser: ${shown[index]}\n  read:    ${found?.title}`);
}
await server.stop(true);
console.log(`${equal} of ${files.length} titles are those of the browser.`);
console.log(
  `Read: ${Math.round(bytes / files.length / 1024)} KiB of a page, ${Math.round(most.bytes / 1024)} KiB and ${most.elements} elements at most.`,
);
