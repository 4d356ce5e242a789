import { type StartTag, TokenReader } from "../bookmarks/netscape/html-tokens.ts";

/** An element of HTML: its name, its classes and its attributes. */
export interface HtmlElement {
  readonly name: string;
  readonly classes: readonly string[];
  attribute(name: string): string | null;
}

/** What was found in an element. */
export interface HtmlPart {
  readonly element: HtmlElement;
  /** Its text without what was left out, with white space as it is. */
  readonly text: string;
  /** Its contents as they are in the source, without what was left out. */
  readonly html: string;
}

/** An open element that matters; of those of its name inside of it only the number is known. */
interface OpenElement {
  readonly element: HtmlElement;
  /** The name of the part that it is; undefined if it is left out. */
  readonly part: string | undefined;
  readonly start: number;
  readonly inside: number;
  /** How many gaps there were before it. */
  readonly gaps: number;
  depth: number;
  text: string;
}

interface Gap {
  readonly start: number;
  readonly end: number;
}

const VOID = new Set([
  "area",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "track",
  "wbr",
]);

/**
 * Finds parts of HTML by their elements, in linear time whatever the nesting: inside a part there is no other one of its
 * name, and an element ends where an end tag of its name says so.
 *
 * @param partOf the name of the part that an element is, if it is one
 * @param leavesOut whether an element is left out of the HTML
 * @returns the parts by name, and all of the HTML
 */
export function htmlParts(
  html: string,
  partOf: (element: HtmlElement) => string | undefined,
  leavesOut: (element: HtmlElement) => boolean,
): { readonly parts: ReadonlyMap<string, readonly HtmlPart[]>; readonly html: string } {
  const parts = new Map<string, HtmlPart[]>();
  const gaps: Gap[] = [];
  let open: OpenElement[] = [];

  function close(entry: OpenElement, start: number, end: number): void {
    open = open.slice(0, open.indexOf(entry));
    const { part, element, text } = entry;
    if (part === undefined) {
      gaps.push({ start: entry.start, end });
      return;
    }
    const found = parts.get(part) ?? [];
    found.push({ element, text, html: without(html, gaps.slice(entry.gaps), entry.inside, start) });
    parts.set(part, found);
  }

  const reader: TokenReader = new TokenReader({
    startTag(tag) {
      for (const entry of open) if (entry.element.name === tag.name) entry.depth++;
      if (open.at(-1)?.part === undefined && open.length > 0) return;
      const element = elementOf(tag);
      const isGap = leavesOut(element);
      const part = isGap ? undefined : partOf(element);
      if (!isGap && (part === undefined || open.some((outer) => outer.part === part))) return;
      const entry = { element, part, gaps: gaps.length, depth: 0, text: "" };
      const placed = { ...entry, start: tag.start, inside: reader.position };
      open.push(placed);
      if (VOID.has(tag.name)) close(placed, reader.position, reader.position);
    },
    endTag(name) {
      const entry = open.findLast(({ element, depth }) => element.name === name && depth === 0);
      for (const other of open) if (other.element.name === name) other.depth--;
      if (entry === undefined) return;
      const end = html.indexOf(">", reader.position) + 1 || html.length;
      close(entry, reader.position - name.length - "</".length, end);
    },
    text(text) {
      if (open.at(-1)?.part !== undefined) for (const entry of open) entry.text += text;
    },
    declaration() {},
  });
  reader.write(html);
  reader.end();
  // What never ends, ends here; but nothing is left out for the want of an end.
  for (const entry of open.toReversed()) if (entry.part !== undefined) close(entry, html.length, html.length);
  return { parts, html: without(html, gaps, 0, html.length) };
}

function elementOf(tag: StartTag): HtmlElement {
  const classes = (tag.attribute("class") ?? "").split(/\s+/);
  return { name: tag.name, classes, attribute: (name) => tag.attribute(name) };
}

/** A part of the HTML, without the gaps that are in it. They do not overlap. */
function without(html: string, gaps: readonly Gap[], start: number, end: number): string {
  let kept = "";
  let position = start;
  for (const gap of gaps) {
    if (gap.end > end) continue;
    kept += html.slice(position, gap.start);
    position = gap.end;
  }
  return kept + html.slice(position, end);
}
