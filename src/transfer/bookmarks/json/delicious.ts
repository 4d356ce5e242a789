import { makeRow, paragraphs, plainText } from "../file-row.ts";
import { dateOf, textOf, textsOf } from "./json-members.ts";
import { listFormat } from "./listed-items.ts";

/** The JSON that Delicious exported in its last years. */
export const delicious = listFormat("delicious", [], (bookmark) => {
  const tags = textsOf(bookmark.tags)
    .map(plainText)
    .filter((tag) => tag !== "");
  return makeRow({
    url: plainText(textOf(bookmark.url)),
    title: plainText(textOf(bookmark.title)),
    description: paragraphs(textOf(bookmark.description)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(bookmark.created),
    isPrivate: bookmark.private === "1" || bookmark.private === 1,
  });
});
