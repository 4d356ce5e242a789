import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { launchBrowser } from "../../test/support/pages/browser.ts";
import { startServer, temporaryFolder } from "../../test/support/server/server.ts";
import { seedDatabase } from "./seed-database.ts";

const PICTURES = [
  { name: "library", path: "/library", width: 1280, height: 860 },
  { name: "library-phone", path: "/library", width: 390, height: 844 },
  { name: "post", path: "/posts/what-the-margin-is-for", width: 1280, height: 860 },
  // The page of the API loads its operations with a script.
  { name: "api", path: "/docs", width: 1280, height: 860, shows: "List bookmarks" },
];

/** Takes the pictures of the README, in light and dark. */
export async function takeReadmePictures(into: string): Promise<void> {
  await using toEnd = new AsyncDisposableStack();
  const databaseUrl = `sqlite:${toEnd.use(temporaryFolder()).file("pictures.db")}`;
  seedDatabase(databaseUrl);
  const server = await startServer({ DATABASE_URL: databaseUrl, BOOKMARKS_ACCESS: "open" });
  toEnd.defer(() => server.kill());
  const browser = await launchBrowser([], "installed");
  toEnd.defer(() => browser.close());
  await mkdir(into, { recursive: true });
  for (const { name, path, width, height, shows } of PICTURES)
    for (const theme of ["light", "dark"] as const) {
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      await page.goto(path);
      if (shows !== undefined) await page.getByText(shows).first().waitFor();
      await page.screenshot({ path: resolve(into, `${name}-${theme}.png`) });
      await context.close();
    }
}
