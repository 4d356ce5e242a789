import { escapedHtml } from "../html/html-content.ts";
import { replaceBetween } from "../html/replace-between.ts";
import type { Mark } from "../reading/foreign-visibility.ts";
import type { Growth } from "../reading/growth.ts";
import { linkTo } from "./autop.ts";
import { withoutHiddenBlocks } from "./hidden-parts.ts";

/** What a post of the block editor refers to. */
export interface BlockSources {
  /** The content of a synced pattern by its id. */
  pattern(id: string): string | undefined;
  /** The footnotes of the post: JSON, in a separate field. */
  readonly footnotes: string | undefined;
  /** Of all posts of the file. */
  readonly growth: Growth;
}

/** A block without content of its own, which WordPress fills when it shows the page. */
const SELF_CLOSING = /<!-- wp:([a-z][\w/-]*)(?:\s+(\{[^<>]*\}))?\s*\/-->/g;
/** Patterns within patterns, of which some contain themselves. */
const DEPTH_MAX = 5;

/** The content of the block editor as WordPress shows it, with comments around its blocks. */
export function filledBlocks(
  content: string,
  sources: BlockSources,
): {
  readonly content: string;
  /** Names of blocks that are left out. */
  readonly leftOut: readonly string[];
  /** Names of blocks that WordPress does not show: they are left out. */
  readonly hidden: readonly string[];
  /** Parts that some readers alone see, or may see. */
  readonly marks: readonly Mark[];
} {
  const leftOut = new Set<string>();
  const hidden = new Set<string>();
  const marks: Mark[] = [];
  const notes = footnoteList(sources.footnotes);
  const shown = (text: string): string => {
    const { content, ...parts } = withoutHiddenBlocks(text);
    for (const name of parts.hidden) hidden.add(name);
    // One of them is enough for the note.
    if (marks.length === 0) marks.push(...parts.marks.slice(0, 1));
    return content;
  };
  const fill = (text: string, depth: number): string =>
    shown(text).replaceAll(SELF_CLOSING, (_, name: string, json: string | undefined) => {
      const attributes = parsed(json);
      const pattern = name === "block" ? sources.pattern(String(attributes.ref)) : undefined;
      if (pattern !== undefined && depth < DEPTH_MAX && sources.growth.allows(pattern.length))
        return fill(pattern, depth + 1);
      const filled = name === "footnotes" ? notes : linkOf(name, attributes);
      if (filled !== undefined && (name !== "footnotes" || sources.growth.allows(filled.length)))
        return filled;
      leftOut.add(name);
      return "";
    });
  const filled = fill(content, 0);
  return {
    content: withFootnoteLinks(withoutGalleryLists(filled), sources.footnotes),
    leftOut: [...leftOut],
    hidden: [...hidden],
    marks,
  };
}

/** Social links, entries of menus and embedded pages as links. */
function linkOf(
  name: string,
  { url, label, service }: Readonly<Record<string, unknown>>,
): string | undefined {
  if (typeof url !== "string" || !/^(?:https?:\/\/|mailto:|\/)\S/i.test(url)) return undefined;
  if (name === "embed") return `<p>${linkTo(url)}</p>`;
  if (!/^(?:social-link|navigation-link|navigation-submenu|button)$/.test(name)) return undefined;
  const words = [label, service].find((text) => typeof text === "string" && text !== "") ?? url;
  const link = `<a href="${escapedHtml(url)}">${escapedHtml(String(words).replaceAll(/<[^<>]*>/g, ""))}</a>`;
  return name === "social-link" ? `<li>${link}</li>` : `<p>${link}</p>`;
}

interface Footnote {
  readonly id: string;
  readonly content: string;
}

export function footnotesOf(json: string | undefined): Footnote[] {
  let found: unknown;
  try {
    found = JSON.parse(json ?? "[]");
  } catch {
    return [];
  }
  const items: unknown[] = Array.isArray(found) ? found : [];
  return items.flatMap((item) => {
    const { id, content } = (item ?? {}) as Readonly<Record<string, unknown>>;
    return typeof id === "string" && typeof content === "string" ? [{ id, content }] : [];
  });
}

function footnoteList(json: string | undefined): string | undefined {
  const notes = footnotesOf(json);
  if (notes.length === 0) return undefined;
  const items = notes.map(
    ({ content }, index) => `<li id="fn-${index + 1}">${content} <a href="#fnref-${index + 1}">↩</a></li>`,
  );
  return `<ol>\n${items.join("\n")}\n</ol>`;
}

/** The references to footnotes with ids that posts have here. */
function withFootnoteLinks(html: string, json: string | undefined): string {
  const numbers = new Map(footnotesOf(json).map(({ id }, index) => [id, index + 1]));
  return html.replaceAll(
    // What is looked ahead at is not looked for again, so that the time grows with the text alone.
    /<sup\b(?=[^<>]*?\sdata-fn="([^"<>]{1,100})")[^<>]*>\s*<a\b[^<>]*>([^<>]*)<\/a>\s*<\/sup>/gi,
    (whole, id: string, words: string) => {
      const number = numbers.get(id);
      return number === undefined
        ? whole
        : `<sup><a href="#fn-${number}" id="fnref-${number}">${words}</a></sup>`;
    },
  );
}

/** Galleries of earlier versions were lists; a list would have a bullet at each picture. */
function withoutGalleryLists(html: string): string {
  return replaceBetween(
    html,
    /<ul\b(?=[^<>]*?\sclass="[^"<>]*\b(?:blocks-gallery-grid|wp-block-gallery)\b)[^<>]*>/gi,
    () => "</ul\\s*>",
    (_, items) => `<div>${items.replaceAll(/<\/?li\b[^<>]*>/gi, "")}</div>`,
  );
}

function parsed(json: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(json ?? "{}");
    return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
