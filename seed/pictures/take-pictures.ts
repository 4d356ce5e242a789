import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openState } from "./open-state.ts";
import type { PictureSite } from "./picture-site.ts";
import type { SiteName } from "./picture-sites.ts";
import type { OtherLook, PictureState } from "./picture-state.ts";

/** How a page is looked at; the names are a part of the file's. */
interface Look {
  readonly name: string;
  readonly width: number;
  readonly theme: "light" | "dark";
  readonly media?: "print";
  readonly forced?: boolean;
  readonly large?: boolean;
}

const PHONE = 390;
const DESKTOP = 1280;
/** Sheets of A4, without their margins. */
const PAPER = 700;

const LOOKS: readonly Look[] = [
  { name: `${DESKTOP}.light`, width: DESKTOP, theme: "light" },
  { name: `${DESKTOP}.dark`, width: DESKTOP, theme: "dark" },
  { name: `${PHONE}.light`, width: PHONE, theme: "light" },
  { name: `${PHONE}.dark`, width: PHONE, theme: "dark" },
];
const OTHER_LOOKS: Readonly<Record<OtherLook, readonly Look[]>> = {
  print: [{ name: `${PAPER}.print`, width: PAPER, theme: "light", media: "print" }],
  forced: [{ name: `${DESKTOP}.forced`, width: DESKTOP, theme: "dark", forced: true }],
  large: [{ name: `${PHONE}.large`, width: PHONE, theme: "light", large: true }],
  medium: [840, 1000, 1140].map((width) => ({ name: `${width}.light`, width, theme: "light" })),
};

/** The maximum height of a picture: what is below looks like what is above. */
const HEIGHT_MAX = 2_000;

export interface Taking {
  readonly browser: Browser;
  readonly sites: Readonly<Record<SiteName, PictureSite>>;
  readonly folder: string;
}

/** Takes the pictures of a state in all its looks. @throws Error when the page is not in that state */
export async function takePictures({ browser, sites, folder }: Taking, state: PictureState): Promise<void> {
  await mkdir(folder, { recursive: true });
  const site = sites[state.on ?? "full"];
  const page = await openState(browser, site, state);
  try {
    const looks = [...LOOKS, ...(state.also ?? []).flatMap((name) => OTHER_LOOKS[name])];
    for (const look of looks) await takePicture(page, look, join(folder, `${state.name}.${look.name}.png`));
  } finally {
    await page.context().close();
  }
}

async function takePicture(page: Page, look: Look, path: string): Promise<void> {
  await page.setViewportSize({ width: look.width, height: look.width === PHONE ? 844 : 900 });
  await page.emulateMedia({
    colorScheme: look.theme,
    media: look.media ?? "screen",
    forcedColors: look.forced ? "active" : "none",
  });
  const size = JSON.stringify(look.large ? "200%" : "");
  const height = await page.evaluate(
    `document.documentElement.style.fontSize = ${size}; document.documentElement.scrollHeight`,
  );
  const clip = { x: 0, y: 0, width: look.width, height: Math.min(Number(height), HEIGHT_MAX) };
  await page.screenshot({ path, clip, fullPage: true, animations: "disabled", caret: "initial" });
}
