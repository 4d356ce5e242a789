import { makeRow, paragraphs, plainText } from "../../bookmark-format.ts";
import { dateOf, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/**
 * Responses of linkding's `GET /api/bookmarks/` (linkding.link/api), one page after another, or an array of its
 * bookmarks. `shared: false` is the default there, so it does not mean private.
 */
export const linkding = listFormat("linkding", {
  lists: ["results"],
  members: [
    ...["id", "url", "title", "website_title", "description", "notes", "tag_names", "is_archived", "unread"],
    ...[
      "shared",
      "date_added",
      "date_modified",
      "favicon_url",
      "preview_image_url",
      "web_archive_snapshot_url",
    ],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: plainText(textOf(bookmark.title) || textOf(bookmark.website_title)),
      description: paragraphs(textOf(bookmark.description), textOf(bookmark.notes)),
      ...tagsIn(bookmark.tag_names),
      date: dateOf(bookmark.date_added),
      states: {
        unread: bookmark.unread === true,
        archived: bookmark.is_archived === true,
        shared: bookmark.shared === true,
      },
    }),
});
