import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { PictureSite } from "./picture-site.ts";
import type { PictureState } from "./picture-state.ts";

/** The width at which actions find all their buttons. */
const WIDTH = 1280;
/** The timeout for a state to appear, in milliseconds. */
const TIMEOUT = 20_000;

/**
 * Opens a page in a window of its own, and brings it into its state. The caller closes the window.
 * @throws Error when the page is not in that state
 */
export async function openState(
  browser: Browser,
  site: PictureSite,
  state: PictureState,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await openWindow(browser, site, state, options);
  try {
    await page.goto(typeof state.path === "string" ? state.path : await state.path(site));
    await state.act?.(page, site);
    await checkState(page, state);
    return page;
  } catch (error) {
    await page.context().close();
    throw error;
  }
}

/** Opens a separate window: browsers send the cookies of one port to all others. */
async function openWindow(
  browser: Browser,
  site: PictureSite,
  state: PictureState,
  options: BrowserContextOptions,
): Promise<Page> {
  const { url } = site.server;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: WIDTH, height: 900 },
    reducedMotion: "reduce",
    javaScriptEnabled: !state.withoutScript,
    ...options,
  });
  context.setDefaultTimeout(TIMEOUT);
  if (state.signedIn) {
    const [name = "", value = ""] = site.cookie?.split("=") ?? [];
    await context.addCookies([{ name, value, url }]);
  }
  return context.newPage();
}

async function checkState(page: Page, { title, shows }: PictureState): Promise<void> {
  if (shows !== undefined) await page.getByText(shows).locator("visible=true").first().waitFor();
  const found = await page.title();
  if (!found.startsWith(title)) throw new Error(`The page is “${found}”, not “${title}”.`);
}
