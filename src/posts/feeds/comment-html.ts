import { escapeText } from "entities";
import { commentParts } from "../comments/comment-text.ts";

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
