import {
  type BookmarkFormat,
  type FormatInput,
  type FormatName,
  makeRow,
  WHOLE,
} from "../bookmark-format.ts";
import { Folder } from "../folder.ts";

const NOTATIONS: Readonly<Partial<Record<FormatName, ReadLinkLine>>> = {
  "markdown-links": markdownLine,
  "org-links": orgLine,
};

/**
 * The format of a file of nothing but links, headings and blank lines, in Markdown or Org, such as buku exports.
 * @param beginning the first characters of its text, at most `max`
 */
export function recognizeLinkList(beginning: string, max: number): BookmarkFormat | undefined {
  const lines = linesOf(beginning);
  // The last line may be cut.
  if (beginning.length >= max) lines.pop();
  for (const [name, read] of Object.entries(NOTATIONS) as [FormatName, ReadLinkLine][])
    if (isListOfLinks(lines, read))
      return { name, rowUnit: "line", isUtf8: false, read: (input) => readList(input, read) };
  return undefined;
}

function isListOfLinks(lines: readonly string[], read: ReadLinkLine): boolean {
  let hasLink = false;
  for (const line of lines) {
    if (line.trim() === "") continue;
    const found = read(line);
    if (found === undefined) return false;
    hasLink ||= found.kind === "link";
  }
  return hasLink;
}

/** The maximum length of a line, in characters. */
const LINE_MAX = 1024 * 1024;

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

async function readList({ text, onRow }: FormatInput, read: ReadLinkLine) {
  /** The folders of the headings above a line, outermost first. */
  let headings: { readonly level: number; readonly folder: Folder }[] = [];
  let rest = "";
  let number = 0;
  const add = (line: string) => {
    number++;
    if (line.trim() === "") return;
    const found = read(line);
    if (found?.kind === "heading") {
      headings = headings.filter(({ level }) => level < found.level);
      const outer = headings.at(-1)?.folder ?? Folder.root;
      headings.push({ level: found.level, folder: outer.inner(found.title, false) });
    } else if (found === undefined) {
      // A row without an address: it is refused, with its text.
      onRow(makeRow({ url: "", title: line.trim(), line: number }));
    } else {
      const { url, title, tags, text: description } = found;
      const folder = headings.at(-1)?.folder ?? Folder.root;
      onRow(makeRow({ url, title: title.trim(), description, tagNames: tags, folder, line: number }));
    }
  };
  for await (const piece of text.pieces()) {
    const lines = linesOf(rest + piece);
    rest = lines.pop() ?? "";
    for (const line of lines) add(line);
    if (rest.length > LINE_MAX)
      return {
        ...WHOLE,
        unreadFrom: number + 1,
        unreadDetail: "This line is too long, so the rest was not read.",
      };
  }
  if (rest !== "") add(rest);
  return WHOLE;
}

/** A line of a list of links. */
export type LinkLine =
  | {
      readonly kind: "link";
      readonly url: string;
      readonly title: string;
      readonly tags: readonly string[];
      /** What follows the link. */
      readonly text: string;
    }
  | { readonly kind: "heading"; readonly level: number; readonly title: string };

/** Reads a line of a list in some notation; undefined for any other line. */
export type ReadLinkLine = (line: string) => LinkLine | undefined;

const BULLET = /^\s{0,40}(?:[-*+]|\d{1,6}[.)])\s+(?:\[[ xX]\]\s+)?/;
const TAGS = "<!-- TAGS:";

/** A line of Markdown: `- [title](url)`, `- <url>`, with tags as buku writes them, or `## Heading`. */
export function markdownLine(line: string): LinkLine | undefined {
  const heading = /^(#{1,6})\s+(\S[^\r\n]*)$/.exec(line);
  if (heading !== null)
    return { kind: "heading", level: heading[1]?.length ?? 1, title: (heading[2] ?? "").trim() };
  const bullet = BULLET.exec(line)?.[0] ?? "";
  const item = line.slice(bullet.length).trim();
  const at = item.lastIndexOf(TAGS);
  const isTagged = at > 0 && item.endsWith("-->");
  const tags = isTagged ? item.slice(at + TAGS.length, -"-->".length).split(",") : [];
  const body = isTagged ? item.slice(0, at).trim() : item;
  const link = body.startsWith("[") ? namedLink(body) : bullet === "" ? undefined : bareLink(body);
  if (link === undefined) return undefined;
  const text = link.rest.trim().replace(/^(?:[:–—-]\s+)/, "");
  return { kind: "link", url: link.url, title: link.title, tags, text };
}

interface Link {
  readonly url: string;
  readonly title: string;
  readonly rest: string;
}

/** `[title](url)` at the beginning of a text. Parentheses may be in the URL in pairs. */
function namedLink(text: string): Link | undefined {
  const middle = text.indexOf("](");
  if (middle === -1) return undefined;
  let depth = 0;
  for (let at = middle + 1; at < text.length; at++) {
    if (text[at] === "(") depth++;
    else if (text[at] === ")" && --depth === 0)
      return { title: text.slice(1, middle), url: text.slice(middle + 2, at), rest: text.slice(at + 1) };
  }
  return undefined;
}

/** `<url>` at the beginning of a text. */
function bareLink(text: string): Link | undefined {
  const end = text.indexOf(">");
  if (!/^<[a-z][a-z0-9+.-]{0,30}:/i.test(text) || end === -1) return undefined;
  return { title: "", url: text.slice(1, end), rest: text.slice(end + 1) };
}

/** A headline of Org: `* [[url][title]] :tag:tag:`, `* [[url]]`, or `* Heading`. */
export function orgLine(line: string): LinkLine | undefined {
  const headline = /^(\*{1,40})[ \t]+(\S[^\r\n]*)$/.exec(line);
  if (headline === null) return undefined;
  const [, stars = "", rest = ""] = headline;
  const given = rest.trim();
  const end = given.indexOf("]]");
  if (!given.startsWith("[[") || end === -1) return { kind: "heading", level: stars.length, title: given };
  const [url = "", title = ""] = given.slice(2, end).split("][", 2);
  const after = given.slice(end + 2).trim();
  const isTagged = after.length > 2 && after.startsWith(":") && after.endsWith(":");
  return { kind: "link", url, title, tags: isTagged ? after.split(":") : [], text: isTagged ? "" : after };
}
