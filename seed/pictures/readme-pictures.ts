import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import type { Page } from "playwright-core";
import { launchBrowser } from "../../test/support/pages/browser.ts";
import { type Send, sendTo } from "../../test/support/requests/send.ts";
import { startServer, temporaryFolder } from "../../test/support/server/server.ts";
import { KEPT_TITLE } from "../kept-page.ts";
import { seedDatabase } from "./seed-database.ts";

const WINDOW = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };

/** A picture of the README. */
interface ReadmePicture {
  readonly name: string;
  readonly path: string;
  readonly size?: { readonly width: number; readonly height: number };
  /** Whether it is what a reader sees. */
  readonly asReader?: boolean;
  /** A text that comes by script. */
  readonly shows?: string;
}

/** Takes the pictures of the README, in light and dark. */
export async function takeReadmePictures(into: string): Promise<void> {
  await using toEnd = new AsyncDisposableStack();
  const databaseUrl = `sqlite:${toEnd.use(temporaryFolder()).file("pictures.db")}`;
  seedDatabase(databaseUrl);
  const server = await startServer({ DATABASE_URL: databaseUrl });
  toEnd.defer(() => server.kill());
  const pictures = await prepare(server.url);
  const browser = await launchBrowser([], "installed");
  toEnd.defer(() => browser.close());
  await mkdir(into, { recursive: true });
  for (const theme of ["light", "dark"] as const)
    for (const asReader of [false, true]) {
      const context = await browser.newContext({
        baseURL: server.url,
        colorScheme: theme,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      if (!asReader) await signIn(page);
      for (const { name, path, size = WINDOW, shows } of pictures.filter(
        (one) => (one.asReader ?? false) === asReader,
      )) {
        await page.setViewportSize(size);
        await page.goto(path, { waitUntil: "networkidle" });
        if (shows !== undefined) await page.getByText(shows).first().waitFor();
        await page.screenshot({ path: resolve(into, `${name}-${theme}.png`) });
      }
      await context.close();
    }
}

/** Gives the made-up site a look. @returns the pictures to take */
async function prepare(url: string): Promise<ReadmePicture[]> {
  const anonymous = sendTo(url);
  const { token } = (await (
    await anonymous("/api/token/", {
      method: "POST",
      json: { username: "ada", password: "slow fruit keeps" },
    })
  ).json()) as { token: string };
  const owner: Send = (path, init = {}) =>
    anonymous(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } });
  await owner("/api/site/", {
    method: "PATCH",
    json: {
      name: "Riverbank",
      description: "Maps, notebooks and bread, from a small town.",
      look: { theme: "journal" },
    },
  });
  const found = (await (
    await owner(`/bookmarks/search?q=${encodeURIComponent(`"${KEPT_TITLE}"`)}`)
  ).json()) as { results: { bookmark: { id: number } }[] };
  const link = found.results[0]?.bookmark.id;
  return [
    { name: "library", path: "/library" },
    { name: "library-pictures", path: "/library?view=pictures" },
    { name: "library-phone", path: "/library?view=full", size: PHONE },
    { name: "reading", path: `/library/${link}/read` },
    { name: "editor", path: `/write/${crypto.randomUUID()}?post=20` },
    { name: "front", path: "/", asReader: true },
    { name: "post", path: "/posts/what-the-margin-is-for", asReader: true },
    // The page of the API loads its operations with a script.
    { name: "api", path: "/docs", shows: "List bookmarks", asReader: true },
  ];
}

async function signIn(page: Page): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Username").fill("ada");
  await page.getByLabel("Password", { exact: true }).fill("slow fruit keeps");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((reached) => !reached.pathname.includes("sign-in"));
}
