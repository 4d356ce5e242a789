import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { dateOf, isSet, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/** Bookmarks of Shiori's API. */
export const shiori = listFormat("shiori", {
  lists: ["bookmarks"],
  members: [
    ...["id", "url", "title", "excerpt", "public", "tags", "createdAt", "modifiedAt", "modified"],
    ...["imageURL", "hasContent", "hasArchive", "hasEbook", "create_archive", "create_ebook"],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.excerpt)),
      ...tagsIn(bookmark.tags),
      date: dateOf(bookmark.createdAt ?? bookmark.modifiedAt ?? bookmark.modified),
      states: { unread: false, archived: false, shared: isSet(bookmark.public) },
    }),
});
