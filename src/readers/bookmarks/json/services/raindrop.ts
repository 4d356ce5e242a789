import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { marksIn } from "../../marks.ts";
import { dateOf, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/** Bookmarks of Raindrop's API (developer.raindrop.io). */
export const raindropApi = listFormat("raindrop", {
  lists: ["items"],
  members: [
    ...[
      "_id",
      "link",
      "title",
      "excerpt",
      "note",
      "tags",
      "created",
      "lastUpdate",
      "important",
      "type",
      "domain",
    ],
    ...["cover", "media", "user", "creatorRef", "collection", "collectionId", "sort", "removed", "cache"],
    ...["highlights"],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.link),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.note), textOf(bookmark.excerpt)),
      ...tagsIn(bookmark.tags),
      date: dateOf(bookmark.created),
      isImportant: bookmark.important === true,
      isTrashed: bookmark.removed === true,
      marks: marksIn(bookmark.highlights),
    }),
});
