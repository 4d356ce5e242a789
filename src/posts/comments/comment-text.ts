import { escapeText } from "entities";

/** A piece of a comment's text, or a URL in it. */
type CommentPart = { readonly text: string } | { readonly text: string; readonly href: string };

/** An http(s) URL, up to white space, a quotation mark or an angle bracket. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+/gi;
/** Punctuation that belongs to the sentence, not to the URL. */
const TRAILING = ".,;:!?…)]}";

/**
 * A comment's plain text in pieces, in which http(s) URLs are links. The caller escapes the pieces, keeps their line
 * breaks, and gives links `rel="ugc nofollow"`. Of several blank lines, one is left.
 */
export function commentParts(written: string): CommentPart[] {
  const text = withoutGaps(written);
  const parts: CommentPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const address = withoutTrailing(found);
    const url = URL.parse(address);
    if (url === null || url.hostname === "" || url.username !== "") continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: address, href: url.href });
    end = index + address.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Thousands of blank lines would hide the other comments. */
function withoutGaps(text: string): string {
  const lines = text.trim().split("\n");
  return lines.filter((line, index) => /\S/.test(line) || /\S/.test(lines[index - 1] ?? "")).join("\n");
}

/** The number of links in a comment. */
export function countLinks(text: string): number {
  return commentParts(text).filter((part) => "href" in part).length;
}

/** A closing parenthesis stays when the URL has the opening one: `…/Rust_(language)`. */
function withoutTrailing(found: string): string {
  // A loop, since a pattern anchored at the end would take quadratic time.
  let end = found.length;
  while (end > 0 && TRAILING.includes(found.charAt(end - 1))) end--;
  const bare = found.slice(0, end);
  const closing = found.slice(bare.length).startsWith(")") && bare.split("(").length > bare.split(")").length;
  return closing ? `${bare})` : bare;
}

/** A comment's plain text as HTML: escaped, its line breaks kept, its addresses links. */
export function commentHtml(text: string): string {
  return commentParts(text)
    .map((part) => {
      const shown = escapeText(part.text).replaceAll("\n", "<br>");
      return "href" in part
        ? `<a href="${escapeText(part.href).replaceAll('"', "%22")}" rel="ugc nofollow">${shown}</a>`
        : shown;
    })
    .join("");
}
