import { join } from "node:path";
import fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import { hostileMarkup } from "./hostile-markup.ts";

/** The script with which a page tries markup. */
export const TRY_MARKUP = join(import.meta.dir, "try-markup.js");

/** What a parser of Markdown or HTML may take for the beginning or the end of something. */
const BETWEEN = [
  ...[
    "",
    " ",
    "\n",
    "\n\n",
    "\0",
    "\t",
    "`",
    "```\n",
    "    ",
    "> ",
    "- ",
    "| a |\n|---|\n| ",
    "[^1]: ",
    "**",
    "\\",
  ],
  ...[
    "<",
    ">",
    '"',
    "'",
    "=",
    "/",
    "&",
    "&#",
    ";",
    "<!--",
    "-->",
    "]]>",
    "<![CDATA[",
    "<?",
    "</p>",
    "<p ",
    "<svg>",
    "<math>",
  ],
  ...[
    "<style>",
    "</style>",
    "<title>",
    "<noscript>",
    "<template>",
    "<table>",
    "<select>",
    "![](",
    "[a](",
    ")",
    "<https:",
  ],
];

const piece = fc
  .tuple(fc.constantFrom(...hostileMarkup), fc.nat(200), fc.integer({ min: 1, max: 120 }))
  .map(([text, from, length]) => text.slice(from % text.length).slice(0, length));
/** Pieces of hostile texts, with something between them. */
export const recombined = fc
  .array(fc.oneof(piece, fc.constantFrom(...BETWEEN)), { minLength: 2, maxLength: 8 })
  .map((pieces) => pieces.join(""));

/** The elements, attributes and schemes of addresses of a page. */
export interface Inventory {
  readonly elements: string[];
  readonly attributes: string[];
  readonly schemes: string[];
}

/** @returns the texts of which anything ran, wherever the call came from */
export async function textsThatRun(browser: Browser, texts: readonly string[]): Promise<string[]> {
  const page = await offlinePage(browser);
  await page.setContent("<main></main>");
  await page.addScriptTag({ path: TRY_MARKUP });
  const ran = await page.evaluate<string[]>(`textsThatRun(${JSON.stringify(texts)})`);
  await page.close();
  return ran;
}

/** A page that reaches nothing. */
export async function offlinePage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.route("**", (route) => route.abort());
  page.on("dialog", (dialog) => dialog.dismiss());
  return page;
}
