import { makeRow, paragraphs, plainText } from "../file-row.ts";
import { dateOf, textOf } from "./json-members.ts";
import { listFormat } from "./listed-items.ts";

/** The export of Readability, which ended in 2016. */
export const readability = listFormat("readability", ["bookmarks"], (bookmark) => {
  const isArchived = bookmark.archive === true;
  return makeRow({
    url: plainText(textOf(bookmark.article__url)),
    title: plainText(textOf(bookmark.article__title)),
    description: paragraphs(textOf(bookmark.article__excerpt)),
    date: dateOf(bookmark.date_added),
    isImportant: bookmark.favorite === true,
    states: { unread: !isArchived, archived: isArchived, shared: false },
  });
});
