import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { dateOf, lineOf, listFormat, textOf } from "../json-lists.ts";

/** The export of Readability, which ended in 2016. */
export const readability = listFormat("readability", {
  lists: ["bookmarks"],
  members: [
    ...[
      "article__url",
      "article__title",
      "article__excerpt",
      "date_added",
      "date_archived",
      "date_favorited",
    ],
    ...["favorite", "archive"],
  ],
  toRow: (bookmark) => {
    const isArchived = bookmark.archive === true;
    return makeRow({
      url: lineOf(bookmark.article__url),
      title: lineOf(bookmark.article__title),
      description: paragraphs(textOf(bookmark.article__excerpt)),
      date: dateOf(bookmark.date_added),
      isImportant: bookmark.favorite === true,
      states: { unread: !isArchived, archived: isArchived, shared: false },
    });
  },
});
