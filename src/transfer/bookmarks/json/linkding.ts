import { makeRow, paragraphs, plainText } from "../file-row.ts";
import { dateOf, textOf, textsOf } from "./json-members.ts";
import { listFormat } from "./listed-items.ts";

/**
 * Responses of linkding's `GET /api/bookmarks/` (linkding.link/api), one page after another, or an array of its
 * bookmarks. `shared: false` is the default there, so it does not mean private.
 */
export const linkding = listFormat("linkding", ["results"], (bookmark) => {
  const tags = textsOf(bookmark.tag_names).map(plainText);
  return makeRow({
    url: plainText(textOf(bookmark.url)),
    title: plainText(textOf(bookmark.title) || textOf(bookmark.website_title)),
    description: paragraphs(textOf(bookmark.description), textOf(bookmark.notes)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(bookmark.date_added),
    states: {
      unread: bookmark.unread === true,
      archived: bookmark.is_archived === true,
      shared: bookmark.shared === true,
    },
  });
});
