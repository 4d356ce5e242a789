import { createHash } from "node:crypto";
import { StaticContent } from "../../http/caching/static-content.ts";
import { compact } from "../compact.ts";
import type { Look } from "../site/site-settings.ts";
import { local, type SafeUrl } from "../urls.ts";
import centredCss from "./centred.css" with { type: "text" };
import choicesCss from "./choices.css" with { type: "text" };
import columnCss from "./column.css" with { type: "text" };
import indexCss from "./index.css" with { type: "text" };
import journalCss from "./journal.css" with { type: "text" };
import { ACCENTS, FRONT_PAGES, LOOK_THEMES, own, shownOnFront, TEXT_FACES } from "./look.ts";
import { ACCENT_COLORS, type Color, THEMES } from "./themes.ts";

/**
 * The CSS of a look: what differs from the built-in style sheet, which it follows; empty for the default look. A word that
 * this version does not know counts as the default one.
 */
export function cssOf(look: Look): string {
  const { lookTheme, accent, textFace } = look;
  const face = own(FACES, textFace);
  const colors = { ...own(THEMES, lookTheme), ...linkOf(own(ACCENT_COLORS, accent)) };
  const properties = [declarationsOf(colors), face === undefined ? "" : `--serif:${face.family}`];
  const root = properties.filter((one) => one !== "").join(";");
  const rules = [own(LAYOUTS, lookTheme), own(FRONT_PAGE_RULES, shownOnFront(look)), face?.rules]
    .filter((one) => one !== undefined)
    .join("");
  return [
    ...(root === "" ? [] : [`:root{${root}}`]),
    // After the layers of the built-in sheet, and before the owner's rules, which are in none.
    ...(rules === "" ? [] : [`@layer look{${rules}}`]),
  ].join("\n");
}

/** In smaller text, what opens on a tap stays 40 px high on a phone. */
const SUMMARIES = "@media (width < 52rem){.prose summary{padding-block:.5rem}}";

/** The typefaces of what people write, from those that systems have. */
const FACES: Readonly<Record<string, { readonly family: string; readonly rules?: string }>> = {
  georgia: { family: 'Georgia,Gelasio,"DejaVu Serif","Noto Serif",serif' },
  // The built-in sheet makes serif typefaces equally large; others need no such adjustment.
  sans: {
    family: "var(--sans)",
    rules: `*{font-size-adjust:none}.prose{font-size:1.0625rem}${SUMMARIES}`,
  },
  typewriter: {
    family: "var(--mono)",
    rules:
      "*{font-size-adjust:none}.prose{font-size:1rem;hyphens:manual}.piece h1{font-size:clamp(1.5rem,1.2rem + 1.6vw,2rem)}.piece h1,.stream article h2{letter-spacing:-.02em}" +
      SUMMARIES,
  },
};

/** The sheets of the themes that change the layout. */
const LAYOUTS: Readonly<Record<string, string>> = {
  journal: compact(centredCss + journalCss),
  column: compact(centredCss + columnCss),
  index: compact(centredCss + indexCss),
};

const IN_THE_DARK =
  ':root[data-theme="dark"] .u-photo{filter:brightness(.85)}' +
  '@media (prefers-color-scheme:dark){:root:not([data-theme="light"]) .u-photo{filter:brightness(.85)}}';

const FRONT_PAGE_RULES: Readonly<Record<string, string>> = {
  pictures: `.stream .u-photo{display:block;inline-size:100%;max-inline-size:36rem;aspect-ratio:16/9;object-fit:cover;margin-block:.75rem}${IN_THE_DARK}`,
  grid: IN_THE_DARK,
  whole: `.stream article:not(.pointer) .prose{padding-block-start:.75rem;max-inline-size:none}${SUMMARIES}`,
};

/**
 * The sheet of the page where a look is chosen: its thumbnails in the colors of their themes, and in the color of links and
 * the typeface that are chosen at the moment, without a script.
 */
const SAMPLES = [
  compact(choicesCss),
  "@layer look{",
  ...Object.entries(THEMES).map(([word, colors]) => `.of-${word}{${declarationsOf(colors)}}`),
  // The color of the page itself, whichever is chosen in the form.
  "main{--blue:var(--link)}.by-accent [value=blue]{background:var(--blue)}",
  ...Object.entries(ACCENT_COLORS).map(
    ([word, color]) =>
      `.by-accent [value=${word}]{background:${lightDark(color)}}` +
      `.looks:has(.by-accent [value=${word}]:checked){--link:${lightDark(color)}}`,
  ),
  ...Object.entries(FACES).map(
    ([word, { family }]) =>
      `.by-text :has(+[value=${word}]){font-family:${family};font-size-adjust:none}` +
      `.looks:has(.by-text [value=${word}]:checked) .thumb{--serif:${family}}`,
  ),
  "}",
].join("");

interface LookSheet {
  readonly url: SafeUrl;
  readonly hash: string;
  readonly content: StaticContent;
}

/** All sheets that there can be, by name. The words of the look are the name, so that previews have one, too. */
const sheets = new Map<string, LookSheet>();

/** The address of a look's style sheet, which changes with its content; undefined for the default look. */
export function lookSheetUrl(look: Look): SafeUrl | undefined {
  return cssOf(look) === "" ? undefined : sheetOf(nameOf(look), () => cssOf(look)).url;
}

/** The address of the samples. */
export function samplesUrl(): SafeUrl {
  return sheetOf(SAMPLES_NAME, () => SAMPLES).url;
}

/** The style sheet of a name; undefined when it is none. A page of another version may request another hash. */
export function findLookSheet(
  name: string,
  hash: string,
): { readonly content: StaticContent; readonly isExact: boolean } | undefined {
  const look = lookOf(name);
  if (look === undefined && name !== SAMPLES_NAME) return undefined;
  const sheet = sheetOf(name, () => (look === undefined ? SAMPLES : cssOf(look)));
  return { content: sheet.content, isExact: sheet.hash === hash };
}

const SAMPLES_NAME = "look-samples.css";

function nameOf({ lookTheme, accent, textFace, frontPage }: Look): string {
  return `look-${known(LOOK_THEMES, lookTheme)}-${known(ACCENTS, accent)}-${known(TEXT_FACES, textFace)}-${known(FRONT_PAGES, frontPage)}.css`;
}

function lookOf(name: string): Look | undefined {
  for (const lookTheme of LOOK_THEMES)
    for (const accent of ACCENTS)
      for (const textFace of TEXT_FACES)
        for (const frontPage of FRONT_PAGES) {
          const look = { lookTheme, accent, textFace, frontPage };
          if (nameOf(look) === name) return look;
        }
  return undefined;
}

function sheetOf(name: string, css: () => string): LookSheet {
  const found = sheets.get(name);
  if (found !== undefined) return found;
  const text = css();
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 12);
  const sheet = {
    hash,
    url: local(`/assets/${hash}/${name}` as `/${string}`),
    content: new StaticContent({
      load: () => Buffer.from(text),
      contentType: "text/css; charset=utf-8",
    }),
  };
  sheets.set(name, sheet);
  return sheet;
}

/** A word, or the first of its kind when it is unknown. */
function known(words: readonly [string, ...string[]], word: string): string {
  return words.includes(word) ? word : words[0];
}

function linkOf(link: Color | undefined): { readonly link?: Color } {
  return link === undefined ? {} : { link };
}

function declarationsOf(colors: Readonly<Record<string, Color>>): string {
  return Object.entries(colors)
    .map(([name, color]) => `--${name}:${lightDark(color)}`)
    .join(";");
}

function lightDark([light, dark]: Color): string {
  return `light-dark(${light},${dark})`;
}
