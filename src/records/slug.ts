import { LATIN_LETTERS } from "../text.ts";

/** The maximum length of a slug. */
export const SLUG_MAX = 100;
/** A slug made from a title ends at a word before this many characters. */
const MADE_MAX = 80;
/** How much of a title is read for a slug, in UTF-16 units: enough for accents and signs that are left out. */
const READ_MAX = 1_000;

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const ASCII_WORDS = /[a-z0-9]+/g;

/** First segments of paths that the server uses: no page of the site may have such a slug. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  ...[
    "account",
    "add",
    "api",
    "archive",
    "authors",
    "bookmarks",
    "docs",
    "feed",
    "find",
    "ghost",
    "healthz",
    "icon",
    "indieauth",
    "keys",
    "library",
  ],
  ...[
    "linkding",
    "links",
    "manifest",
    "mcp",
    "media",
    "metrics",
    "micropub",
    "moderation",
    "opensearch",
    "posts",
    "preview",
  ],
  ...[
    "readyz",
    "robots",
    "search",
    "settings",
    "shared",
    "sign-in",
    "sign-out",
    "sitemap",
    "static",
    "tags",
    "theme",
    "today",
    "welcome",
  ],
  ...["well-known", "write", "assets"],
]);

/**
 * The slug for a title: lower-case words joined by hyphens. Latin letters lose their accents, other scripts stay
 * unchanged. A title of only digits gets a prefix, since a number in a path is an id.
 * @returns "" when the title has neither letters nor digits
 */
export function slugFrom(whole: string): string {
  const title = whole.slice(0, READ_MAX);
  // Most titles need none of the following.
  if (/^[\x20-\x7e]*$/.test(title))
    return named(shortened(joined(ASCII_WORDS, title.toLowerCase().replaceAll("'", ""))));
  const plain = title
    .normalize("NFKD")
    .replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => LATIN_LETTERS[letter] ?? letter)
    .replace(/['’ʼ]/g, "");
  return named(shortened(joined(WORDS, plain)));
}

function joined(words: RegExp, text: string): string {
  return text.match(words)?.join("-") ?? "";
}

function named(slug: string): string {
  return /^\p{N}+$/u.test(slug) ? `post-${slug}` : slug;
}

/** Whether a text is a valid slug: lower-case letters and digits, joined by single hyphens, not digits alone. */
export function isSlug(text: string): boolean {
  return (
    /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u.test(text) &&
    !/^\p{N}+$/u.test(text) &&
    text === text.toLowerCase().normalize("NFC") &&
    [...text].length <= SLUG_MAX
  );
}

function shortened(slug: string): string {
  if (slug.length <= MADE_MAX) return slug;
  const characters = [...slug];
  if (characters.length <= MADE_MAX) return slug;
  const start = characters.slice(0, MADE_MAX).join("");
  const end = start.lastIndexOf("-");
  return end > MADE_MAX / 2 ? start.slice(0, end) : start;
}
