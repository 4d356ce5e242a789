import type { Instant } from "../../database/database.ts";
import type { IndexedCollection } from "../../search/collection.ts";
import type { IndexedRecord } from "../../search/text/document.ts";
import { pageHash } from "../../search/text/page-key.ts";
import { urlParts } from "../../search/text/urls.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { tagKey } from "../../tags/tag-name.ts";

interface BookmarkRow {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly created_at: Instant;
}

/** How bookmarks are indexed. */
export const indexedBookmarks: IndexedCollection = {
  name: "bookmarks",
  vocabulary: { fields: { title: "title", url: "url", note: "body" }, hasTags: true, hasSites: true },

  async records(sql, ids) {
    const rows = await sql<BookmarkRow>`
      select id, title, url, description, created_at from bookmarks where id in ${ids}`;
    return rows.map(toRecord);
  },
};

function toRecord({ id, created_at, ...fields }: BookmarkRow): IndexedRecord {
  return indexedBookmark(Number(id), fields, new Date(created_at));
}

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
