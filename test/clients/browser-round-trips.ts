import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "../support/browsers/chromium.ts";
import { firefox } from "../support/browsers/firefox.ts";
import { BROWSER_FILES, throughHere } from "../support/browsers/round-trips.ts";

/**
 * Takes bookmarks through the browsers that are installed here, and saves what they write as the data of
 * `browser-bookmarks.test.ts`, which then judges it: `npm run browsers`.
 */

const library = readFileSync(join(BROWSER_FILES, "library.csv"), "utf8");
const exported = await throughHere(library);
writeFileSync(join(BROWSER_FILES, "exported.html"), exported);

const versions: string[] = [];
for (const browser of [firefox, chromium]) {
  if (browser.missing.length > 0) {
    console.log(`${browser.name}: skipped, since not installed here: ${browser.missing.join(", ")}`);
    continue;
  }
  await using session = await browser.start();
  const folder = join(BROWSER_FILES, browser.name);
  mkdirSync(folder, { recursive: true });
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const own = await session.makeOwn();
  save("own.html", own.html);
  save("own.json", own.json);
  const first = await session.importAndExport(exported);
  save("first.html", first.html);
  save("second.html", (await session.importAndExport(await throughHere(first.html))).html);
  save("own-again.html", (await session.importAndExport(await throughHere(own.html))).html);
  versions.push(`${browser.name}: ${session.version}`);
  console.log(`${browser.name} ${session.version}: its files are in ${folder}`);
}

if (versions.length > 0) {
  const judge = Bun.spawn(["npm", "test", "--", "test/clients/browser-bookmarks.test.ts"], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exit(await judge.exited);
}
