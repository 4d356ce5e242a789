import { decodeHTML } from "entities";
import { countCodePoints } from "../../text.ts";
import { TITLE_MAX } from "../bookmark.ts";

/** The maximum length of a page's description. */
const DESCRIPTION_MAX = 500;
/** The number of characters of a title that are read. */
const TITLE_READ = 4_000;

/** The number of icons of a page that are read. */
const ICONS_MAX = 10;

/** The title and description of a page; empty if there are none. */
export interface PageDetails {
  readonly title: string;
  readonly description: string;
}

/** An icon that a page names. */
export interface IconLink {
  /** As it is written there. */
  readonly href: string;
  readonly type: string;
  /** Its width in pixels; 32 when the page does not say. */
  readonly size: number;
}

/**
 * Title and description of an HTML page: `<title>` and `<meta name="description">`, else its metadata for social
 * networks (`og:`, `twitter:`). White space is collapsed; both are cut to a length that a bookmark can have.
 *
 * @param bytes the page, or its beginning
 * @returns undefined for what is not HTML
 */
export function pageDetails(
  bytes: Uint8Array,
  contentType: string,
): (PageDetails & { readonly icons: readonly IconLink[] }) | undefined {
  if (!/^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(contentType)) return undefined;
  const found = new Map<string, string>();
  let title = "";
  let isTitle = false;
  const icons: IconLink[] = [];
  new HTMLRewriter()
    .on("title", {
      element: (element) => {
        isTitle = !found.has("title");
        element.onEndTag(() => {
          if (isTitle) found.set("title", title);
          isTitle = false;
        });
      },
      text: (chunk) => {
        if (isTitle && title.length < TITLE_READ) title += chunk.text;
      },
    })
    .on("meta[content]", {
      element: (element) => {
        const name = (element.getAttribute("name") ?? element.getAttribute("property") ?? "").toLowerCase();
        if (WANTED.has(name) && !found.has(name)) found.set(name, element.getAttribute("content") ?? "");
      },
    })
    .on("link[rel][href]", {
      element: (element) => {
        const icon = iconOf((name) => decodeHTML(element.getAttribute(name) ?? "").slice(0, 2_000));
        if (icon !== undefined && icons.length < ICONS_MAX) icons.push(icon);
      },
    })
    .transform(headOf(textOf(bytes, contentType)));
  const first = (...names: readonly string[]) =>
    names.map((name) => cleaned(found.get(name) ?? "")).find((text) => text !== "") ?? "";
  return {
    title: cut(first("title", "og:title", "twitter:title"), TITLE_MAX),
    description: cut(first("description", "og:description", "twitter:description"), DESCRIPTION_MAX),
    icons,
  };
}

/** The icon of a `<link>` (HTML, section 4.6.7.8), one for Apple's home screen too; undefined for another link. */
function iconOf(attribute: (name: string) => string): IconLink | undefined {
  const kinds = attribute("rel").toLowerCase().split(/\s+/);
  const isForApple = kinds.includes("apple-touch-icon");
  if (!isForApple && !kinds.includes("icon")) return undefined;
  const size = /(\d{1,4})x\d/i.exec(attribute("sizes"))?.[1];
  return {
    href: attribute("href").trim(),
    type: attribute("type"),
    size: size === undefined ? (isForApple ? 180 : 32) : Number(size),
  };
}

const WANTED = new Set(["description", "og:title", "og:description", "twitter:title", "twitter:description"]);

/** What comes before the body, where pictures have titles of their own; all of a page without one. */
function headOf(html: string): string {
  const body = html.search(/<body[\s>]/i);
  return body === -1 ? html : html.slice(0, body);
}

/** Decodes by the header's charset, else by the page's own `<meta>`, else as UTF-8 (HTML, section 13.2.3). */
function textOf(bytes: Uint8Array, contentType: string): string {
  const beginning = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const label =
    charsetIn(contentType) ?? charsetIn(/<meta(?=[^<>]*charset)[^<>]*>/i.exec(beginning)?.[0] ?? "");
  return (decoder(label) ?? new TextDecoder()).decode(bytes);
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(text)?.[1];
}

function decoder(label: string | undefined): TextDecoder | undefined {
  try {
    return new TextDecoder(label as Bun.Encoding);
  } catch {
    return undefined;
  }
}

function cleaned(html: string): string {
  return decodeHTML(html)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function cut(text: string, max: number): string {
  if (countCodePoints(text) <= max) return text;
  return `${Array.from(text)
    .slice(0, max - 1)
    .join("")
    .trimEnd()}…`;
}
