import { type BookmarkFormat, type FormatInput, type FormatName, makeRow } from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { commentsNote } from "../notes.ts";
import { linesOf, readLines } from "./lines.ts";

/** Each notation, by its name; of several that a file could have, the first. */
const NOTATIONS: Readonly<Partial<Record<FormatName, ReadLinkLine>>> = {
  "markdown-links": markdownLine,
  "org-links": orgLine,
  addresses: addressLine,
};

/** A longer line that is no link is a paragraph: then the file is a text with links, not a list. */
const PARAGRAPH = 200;

/**
 * The format of a list of links: most of its lines are links, in Markdown or Org, as buku exports, or one address a line,
 * as OneTab exports. The others are headings and short lines.
 *
 * @param beginning the first characters of its text, at most `max`
 */
export function recognizeLinkList(beginning: string, max: number): BookmarkFormat | undefined {
  const lines = linesOf(beginning.replace(/^\ufeff/, ""));
  // The last line may be cut.
  if (beginning.length >= max) lines.pop();
  for (const [name, read] of Object.entries(NOTATIONS) as [FormatName, ReadLinkLine][])
    if (isListOfLinks(lines, read))
      return { name, rowUnit: "line", isUtf8: false, read: (input) => readList(input, read) };
  return undefined;
}

function isListOfLinks(lines: readonly string[], read: ReadLinkLine): boolean {
  let [links, others, ofNotation] = [0, 0, 0];
  for (const line of lines) {
    if (line.trim() === "") continue;
    // Front matter is that of a post.
    if (links + others === 0 && /^(?:---|\+\+\+)\s*$/.test(line)) return false;
    const found = read(line);
    if (found === undefined) {
      if (line.length > PARAGRAPH) return false;
      others++;
    } else if (found.kind === "link") {
      links++;
      if (!found.isBare) ofNotation++;
    }
  }
  return links > others && ofNotation > 0;
}

async function readList({ text, onRow, onNote }: FormatInput, read: ReadLinkLine) {
  /** The folders of the headings above a line, outermost first. */
  let headings: { readonly level: number; readonly folder: Folder }[] = [];
  const comments = { line: 0, count: 0 };
  const summary = await readLines(text, (line, number) => {
    if (line.trim() === "") return;
    const found = read(line);
    if (found === undefined) {
      // A row without an address: it is refused, with its text.
      onRow(makeRow({ url: "", title: line.trim(), line: number }));
    } else if (found.kind === "comment") {
      if (comments.count++ === 0) comments.line = number;
    } else if (found.kind === "heading") {
      headings = headings.filter(({ level }) => level < found.level);
      const outer = headings.at(-1)?.folder ?? Folder.root;
      headings.push({ level: found.level, folder: outer.inner(found.title, false) });
    } else {
      const { url, title, tags, text: description } = found;
      const folder = headings.at(-1)?.folder ?? Folder.root;
      onRow(makeRow({ url, title: title.trim(), description, tagNames: tags, folder, line: number }));
    }
  });
  if (comments.count > 0) onNote(commentsNote(comments.line, comments.count));
  return summary;
}

/** A line of a list of links. */
type LinkLine =
  | {
      readonly kind: "link";
      readonly url: string;
      readonly title: string;
      readonly tags: readonly string[];
      /** What follows the link. */
      readonly text: string;
      /** Whether it could as well be of another notation. */
      readonly isBare: boolean;
    }
  | { readonly kind: "heading"; readonly level: number; readonly title: string }
  | { readonly kind: "comment" };

/** Reads a line of a list in some notation; undefined for any other line. */
type ReadLinkLine = (line: string) => LinkLine | undefined;

const BULLET = /^\s{0,40}(?:[-*+]|\d{1,6}[.)])\s+(?:\[[ xX]\]\s+)?/;
const TAGS = "<!-- TAGS:";

/** A line of Markdown: `- [title](url)`, `- <url>`, `- url`, with tags as buku writes them, or `## Heading`. */
function markdownLine(line: string): LinkLine | undefined {
  const heading = /^(#{1,6})\s+(\S[^\r\n]*)$/.exec(line);
  if (heading !== null)
    return { kind: "heading", level: heading[1]?.length ?? 1, title: (heading[2] ?? "").trim() };
  const bullet = BULLET.exec(line)?.[0] ?? "";
  const item = line.slice(bullet.length).trim();
  const at = item.lastIndexOf(TAGS);
  const isTagged = at > 0 && item.endsWith("-->");
  if (item.startsWith("<!--") && item.endsWith("-->")) return { kind: "comment" };
  const tags = isTagged ? item.slice(at + TAGS.length, -"-->".length).split(",") : [];
  const body = isTagged ? item.slice(0, at).trim() : item;
  const link = body.startsWith("[") ? namedLink(body) : (bareLink(body) ?? address(body));
  if (link === undefined) return undefined;
  const text = link.rest.trim().replace(/^(?:[:–—-]\s+)/, "");
  const isBare = bullet === "" && !body.startsWith("[");
  // Without a mark, an address at the beginning of a sentence is not an item of a list.
  if (isBare && text !== "") return undefined;
  return { kind: "link", url: link.url, title: link.title, tags, text, isBare };
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
      return { title: text.slice(1, middle), ...target(text.slice(middle + 2, at), text.slice(at + 1)) };
  }
  return undefined;
}

/** What is in the parentheses of a link, `url`, `<url>` or `url "words"`, and what follows them: the words come before that. */
function target(given: string, after: string): Pick<Link, "url" | "rest"> {
  const text = given.trim();
  const [, pointed, plain = "", , words] =
    /^(?:<([^<>\n]{1,8000})>|(\S{1,8000}))(?:\s{1,99}(["'])(.*)\3)?$/.exec(text) ?? [];
  const url = pointed ?? plain;
  if (url === "") return { url: given, rest: after };
  return { url, rest: [words ?? "", after.trim()].filter((part) => part !== "").join(" ") };
}

/** `<url>` at the beginning of a text. */
function bareLink(text: string): Link | undefined {
  const end = text.indexOf(">");
  if (!/^<[a-z][a-z0-9+.-]{0,30}:/i.test(text) || end === -1) return undefined;
  return { title: "", url: text.slice(1, end), rest: text.slice(end + 1) };
}

/** A URL at the beginning of a text, and its title as OneTab writes it, or after a tab. */
function address(text: string): Link | undefined {
  const [url] = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s<>"|]+/i.exec(text) ?? [];
  if (url === undefined) return undefined;
  const rest = text.slice(url.length);
  if (rest !== "" && !/^\s/.test(rest)) return undefined;
  const [mark] = /^(?: \| |\t)/.exec(rest) ?? [];
  return mark === undefined ? { url, title: "", rest } : { url, title: rest.slice(mark.length), rest: "" };
}

/** A headline of Org: `* [[url][title]] :tag:tag:`, `* [[url]]`, or `* Heading`. */
function orgLine(line: string): LinkLine | undefined {
  const headline = /^(\*{1,40})[ \t]+(\S[^\r\n]*)$/.exec(line);
  if (headline === null) return undefined;
  const [, stars = "", rest = ""] = headline;
  const given = rest.trim();
  const end = given.indexOf("]]");
  if (!given.startsWith("[[") || end === -1) return { kind: "heading", level: stars.length, title: given };
  const [url = "", title = ""] = given.slice(2, end).split("][", 2);
  const after = given.slice(end + 2).trim();
  const isTagged = after.length > 2 && after.startsWith(":") && after.endsWith(":");
  const tags = isTagged ? after.split(":") : [];
  return { kind: "link", url, title, tags, text: isTagged ? "" : after, isBare: false };
}

/** A line of a list of addresses: `url`, `url | title`, or a comment. */
function addressLine(line: string): LinkLine | undefined {
  const text = line.trim();
  if (/^(?:#|;|\/\/)/.test(text)) return { kind: "comment" };
  const link = address(text) ?? bareLink(text);
  if (link === undefined || link.rest.trim() !== "") return undefined;
  return { kind: "link", url: link.url, title: link.title, tags: [], text: "", isBare: false };
}
