import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { dateOf, isSet, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/** The JSON that Delicious exported in its last years. */
export const delicious = listFormat("delicious", {
  members: ["title", "tags", "url", "description", "created", "private", "others", "owner"],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.description)),
      ...tagsIn(bookmark.tags),
      date: dateOf(bookmark.created),
      isPrivate: isSet(bookmark.private),
    }),
});
