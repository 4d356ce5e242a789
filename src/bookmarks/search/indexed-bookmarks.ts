import type { IndexedCollection } from "../../search/collection.ts";
import type { IndexedRecord } from "../../search/text/document.ts";
import { pageHash } from "../../search/text/page-key.ts";
import { urlParts } from "../../search/text/urls.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { type BookmarkRow, bookmarkColumns, bookmarkOf } from "../bookmark-row.ts";

/** How bookmarks are indexed. */
export const indexedBookmarks: IndexedCollection = {
  name: "bookmarks",
  vocabulary: {
    fields: { title: "title", url: "url", note: "body" },
    ...{ hasTags: true, hasSites: true, hasInside: true },
  },

  async records(sql, ids) {
    const rows = await sql<BookmarkRow>`select ${bookmarkColumns()} from bookmarks b where b.id in ${ids}`;
    return rows.map((row) => {
      const bookmark = bookmarkOf(row);
      return indexedBookmark(bookmark.id, bookmark, bookmark.createdAt);
    });
  },
};

/** A bookmark as the index takes it. */
export function indexedBookmark(
  id: number,
  { title, url, description }: Pick<BookmarkRow, "title" | "url" | "description">,
  createdAt: Date,
): IndexedRecord {
  const { host, afterHost } = urlParts(url);
  return {
    id,
    createdAt: Number(createdAt),
    title,
    fields: { url: `${host} ${afterHost}`, body: textOf(description) },
    tags: tagsOf(description).map((name) => ({ name, key: tagKey(name) })),
    page: pageHash(url),
    host,
  };
}
