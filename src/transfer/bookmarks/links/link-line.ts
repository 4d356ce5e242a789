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
