import type { Page } from "playwright-core";
import type { NoticeCode } from "../../src/web/messages/en.ts";
import type { PictureSite } from "./picture-site.ts";
import type { SiteName } from "./picture-sites.ts";

/** A way to look at a page, besides the four looks that every state has. */
export type OtherLook = "print" | "forced" | "large" | "medium";

/** One page in one state. */
export interface PictureState {
  /** The page and its state; begins the names of the pictures. */
  readonly name: string;
  readonly path: string | ((site: PictureSite) => Promise<string>);
  /** The beginning of the document's title, and a text on the page, so that no picture shows another page. */
  readonly title: string;
  readonly shows?: string;
  /** The made-up site; the one with a library and a blog when absent. */
  readonly on?: SiteName;
  /** Whether the owner is signed in. */
  readonly signedIn?: boolean;
  readonly withoutScript?: boolean;
  /** Actions on the page before its picture is taken. */
  readonly act?: (page: Page, site: PictureSite) => Promise<unknown>;
  readonly also?: readonly OtherLook[];
}

/** The states of the pages of one part of the product, by the routes of the pages. */
export type PageStates = Readonly<Record<string, readonly PictureState[]>>;

/** Presses the first button with a name. */
export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).first().click();
}

/** Waits until the page says that something is wrong. */
export async function alert(page: Page): Promise<void> {
  await page.getByRole("alert").locator("visible=true").first().waitFor();
}

/** Lets a form be sent with values that the browser would reject. */
export async function allowAnything(page: Page): Promise<void> {
  for (const rule of ["required", "minlength", "maxlength", "pattern"])
    await page
      .locator(`main [${rule}]`)
      .evaluateAll(
        (fields: { removeAttribute(name: string): void }[], name) =>
          fields.forEach((field) => void field.removeAttribute(name)),
        rule,
      );
}

/** Chooses a file on a page that imports, asks for its preview, and waits until the file is read. */
export async function preview(page: Page, name: string, contents: string): Promise<void> {
  const mimeType = "application/octet-stream";
  await page.getByLabel("File").setInputFiles({ name, mimeType, buffer: Buffer.from(contents) });
  await Promise.all([page.waitForEvent("domcontentloaded"), press(page, "Preview")]);
  // On a slow machine the page of the file that is being read comes first, and loads itself again.
  await page.locator("main:not(:has(running-job))").waitFor();
}

/** Shows a page again as it is after an action, with its notice, and without the action. */
export async function showNotice(
  page: Page,
  code: NoticeCode,
  path = page.url(),
  about?: string,
): Promise<void> {
  const value = about === undefined ? code : `${code}.${about}`;
  await page.context().addCookies([{ name: "commonplace_notice", value, url: page.url() }]);
  await page.goto(path);
}
