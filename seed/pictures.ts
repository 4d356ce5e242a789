/**
 * `npm run pictures`: takes the pictures of the README from a made-up library, in light and dark, into docs/pictures.
 */
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { launchBrowser } from "../test/support/browser.ts";
import { startServer, temporaryFolder } from "../test/support/server.ts";

const FOLDER = resolve(import.meta.dir, "../docs/pictures");
/** The newest bookmarks end a little before now, so that the pictures show today and yesterday. */
const SEED = ["--no-env-file", resolve(import.meta.dir, "seed.ts")];

const PICTURES = [
  { name: "library", path: "/library", width: 1280, height: 860 },
  { name: "library-phone", path: "/library", width: 390, height: 844 },
] as const;

using folder = temporaryFolder();
const databaseUrl = `sqlite:${folder.file("pictures.db")}`;
const seeding = Bun.spawnSync([process.execPath, ...SEED, "--database-url", databaseUrl], {
  stderr: "inherit",
});
if (!seeding.success) process.exit(1);
const server = await startServer({ DATABASE_URL: databaseUrl, BOOKMARKS_ACCESS: "open" });
const browser = await launchBrowser();
try {
  await mkdir(FOLDER, { recursive: true });
  for (const { name, path, width, height } of PICTURES)
    for (const theme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      await page.goto(path);
      await page.screenshot({ path: resolve(FOLDER, `${name}-${theme}.png`) });
      await context.close();
    }
} finally {
  await browser.close();
  await server.kill();
}
