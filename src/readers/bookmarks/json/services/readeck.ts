import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { dateOf, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/** Bookmarks of Readeck's API: `href` is the address of the bookmark there, not of the page. */
export const readeck = listFormat("readeck", {
  members: [
    ...[
      "id",
      "href",
      "url",
      "title",
      "description",
      "labels",
      "created",
      "updated",
      "is_marked",
      "is_archived",
    ],
    ...["state", "loaded", "site_name", "site", "lang", "text_direction", "document_type", "type"],
    ...[
      "has_article",
      "is_deleted",
      "read_progress",
      "read_anchor",
      "resources",
      "word_count",
      "reading_time",
    ],
    ...["errors", "sort"],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.description)),
      ...tagsIn(bookmark.labels),
      date: dateOf(bookmark.created),
      isImportant: bookmark.is_marked === true,
      states: { unread: false, archived: bookmark.is_archived === true, shared: false },
    }),
});
