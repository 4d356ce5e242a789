/**
 * `npm run pictures`: takes the pictures of the README from a made-up library, in light and dark, into docs/pictures.
 *
 * `npm run pictures -- --all FOLDER` takes pictures of every page in all its states instead, to look at; `--only TEXT`
 * of those alone whose names contain the text.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser } from "../test/support/pages/browser.ts";
import { PAGES_OF_PARTS } from "./pictures/all-states.ts";
import { startSites } from "./pictures/picture-sites.ts";
import { takeReadmePictures } from "./pictures/readme-pictures.ts";
import { takePictures } from "./pictures/take-pictures.ts";

const { values } = parseArgs({
  options: { all: { type: "string" }, only: { type: "string", default: "" } },
});
if (values.all === undefined) await takeReadmePictures(resolve(import.meta.dir, "../docs/pictures"));
else process.exitCode = await takeAll(resolve(values.all), values.only);

/** @returns the exit code: 1 if a state has not come about */
async function takeAll(folder: string, only: string): Promise<number> {
  await using toEnd = new AsyncDisposableStack();
  const sites = await startSites(toEnd);
  const browser = await launchBrowser([], "installed");
  toEnd.defer(() => browser.close());
  const states = PAGES_OF_PARTS.flatMap((pages) => Object.values(pages).flat());
  const chosen = states.filter(({ name }) => name.includes(only));
  let failed = 0;
  for (const state of chosen)
    try {
      await takePictures({ browser, sites, folder }, state);
    } catch (error) {
      failed++;
      console.error(`${state.name}: ${error instanceof Error ? error.message : error}`);
    }
  console.log(`${chosen.length - failed} of ${chosen.length} states are in ${folder}.`);
  return failed === 0 ? 0 : 1;
}
