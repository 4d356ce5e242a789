import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { markOf, marksIn } from "../../marks.ts";
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
      marks: marksIn(bookmark.highlights),
    }),
});

/** All marks of Raindrop's API (`/rest/v1/highlights`), each with the address of its page. */
export const raindropMarks = listFormat("raindrop", {
  lists: ["items"],
  members: ["_id", "text", "title", "color", "note", "created", "lastUpdate", "tags", "link", "raindropRef"],
  toRow: (mark) =>
    makeRow({
      url: lineOf(mark.link),
      title: lineOf(mark.title),
      date: dateOf(mark.created),
      marks: [markOf(mark)],
    }),
});
