/** @jsxImportSource #jsx */
import { h, type Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { RenderedPost } from "../rendering/rendered-post.ts";

/**
 * The text of a post, or of a copy of a page: the one place at which markup enters a page unescaped. It comes from
 * `rendering/sanitize.ts`, or from `copies/extraction/sanitize-copy.ts`.
 * @param direction that of its first letter by default
 */
export function Prose({
  rendered,
  language,
  direction = "auto",
}: {
  readonly rendered: Pick<RenderedPost, "html">;
  readonly language?: string | undefined;
  readonly direction?: "ltr" | "rtl" | "auto";
}): Markup {
  return h("div", {
    class: "prose e-content",
    lang: language,
    dir: direction,
    dangerouslySetInnerHTML: { __html: rendered.html },
  });
}

/** From how many minutes on it matters how long a text is. */
const MINUTES_MIN = 3;

/** How long reading a post takes, if it takes long. */
export function ReadingTime({
  messages,
  minutes,
}: {
  readonly messages: Messages;
  readonly minutes: number;
}): Markup | null {
  return minutes < MINUTES_MIN ? null : <span>{messages.blog.minutes(minutes)}</span>;
}

/** The levels of headings below the title of an entry, which is an `h2`. */
const BELOW: Readonly<Record<string, string>> = { h2: "h3", h3: "h4" };

/**
 * The safe HTML of a post for a page that shows several: its headings are below the title of the entry, its
 * tables and notes are no landmarks, its images are loaded when they come into view, and its ids, which are unique within a post only, are unique on the page.
 * @param hasFirst whether its first image is the first of the page
 */
export function listedHtml(html: string, post: number, hasFirst = false): string {
  const own = (id: string) => `p${post}-${id}`;
  let isFirst = hasFirst;
  return new HTMLRewriter()
    .on("h2, h3", {
      element(element) {
        element.tagName = BELOW[element.tagName] ?? element.tagName;
      },
    })
    .on("img", {
      element(element) {
        if (isFirst) element.setAttribute("fetchpriority", "high");
        else element.setAttribute("loading", "lazy");
        isFirst = false;
      },
    })
    .on('[role="region"], aside', {
      element(element) {
        if (element.tagName === "aside") element.tagName = "div";
        element.setAttribute("role", "group");
      },
    })
    .on("[id]", {
      element: (element) => void element.setAttribute("id", own(element.getAttribute("id") ?? "")),
    })
    .on('a[href^="#"]', {
      element(element) {
        const target = element.getAttribute("href")?.slice(1) ?? "";
        if (target !== "") element.setAttribute("href", `#${own(target)}`);
      },
    })
    .transform(html);
}

/** The safe HTML of a post for its page: its first image, which is often in view when the page opens, comes before others. */
export function urgentFirst(html: string): string {
  // In texts and attributes, `<` and `>` are escaped.
  return html.replace(/(<img [^<>]*) \/>/, '$1 fetchpriority="high" />');
}

/** A note with more characters than this is a column of its own: it stays below the text, also where there is a margin. */
const MARGIN_MAX = 400;
const TAG = /<(\/?)([a-z][a-z0-9]*)(?:[\s/][^<>]*)?>/g;
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr"]);
const NOTES = /^\s*<aside class="notes"[^>]*><ol>\n([\s\S]*)<\/ol><\/aside>\s*$/;
const NOTE = /^\s*<li id="fn-(\d+)">/;
/** The first reference to each note. In text, `<` is escaped. */
const REFERENCE = /<a [^<>]*id="fnref-(\d+)"/g;

/**
 * Moves the notes at the foot of a post behind the paragraph, list or table that refers to them: there they stand in the margin, or
 * below the text where there is none. Feeds keep them at the foot. Nothing else is changed, and without such notes nothing at all.
 *
 * @param html from `rendering/sanitize.ts`: well-formed, with `<` and `>` escaped in texts and attributes
 */
export function notesInPlace(html: string): string {
  if (!html.includes('<aside class="notes"')) return html;
  const blocks = elementsOf(html);
  const [, list] = NOTES.exec(blocks.pop() ?? "") ?? [];
  if (list === undefined) return html;
  const notes = elementsOf(list);
  const places = new Map<string, number>();
  for (const [index, block] of blocks.entries())
    for (const [, number = ""] of block.matchAll(REFERENCE))
      if (!places.has(number)) places.set(number, index);
  const placed = new Map<number, string[]>();
  for (const note of notes) {
    const place = places.get(NOTE.exec(note)?.[1] ?? "");
    if (place === undefined) return html;
    const there = placed.get(place);
    if (there === undefined) placed.set(place, [note]);
    else there.push(note);
  }
  return blocks.map((block, index) => withNotes(block, placed.get(index) ?? [])).join("");
}

function withNotes(block: string, notes: readonly string[]): string {
  const [first] = notes;
  if (first === undefined) return block;
  const start = NOTE.exec(first)?.[1];
  const list = `<div class="notes"><ol start="${start}">${notes.join("")}</ol></div>`;
  const length = notes.join("").replaceAll(TAG, "").length;
  return `<div class="${length > MARGIN_MAX ? "noted" : "noted beside"}">${block}${list}</div>`;
}

/** The elements at the top of HTML, each with the text before it. */
function elementsOf(html: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, 1: slash, 2: name = "", index } of html.matchAll(TAG)) {
    if (!VOID.has(name)) depth += slash === "" ? 1 : -1;
    if (depth > 0) continue;
    elements.push(html.slice(start, index + tag.length));
    start = index + tag.length;
  }
  const rest = html.slice(start);
  return rest.trim() === "" ? elements : [...elements, rest];
}
