import type { Instant } from "../../database/database.ts";
import type { IndexedCollection } from "../../search/collection.ts";
import type { IndexedRecord } from "../../search/text/document.ts";
import { pageHash } from "../../search/text/page-key.ts";
import { urlParts } from "../../search/text/url-parts.ts";
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

  async idsAfter(sql, id, limit) {
    const rows = await sql<{
      id: number;
    }>`select id from bookmarks where id > ${id} order by id limit ${limit}`;
    return rows.map((row) => Number(row.id));
  },

  async countAfter(sql, id) {
    const [row] = await sql<{ n: number }>`select count(*) as n from bookmarks where id > ${id}`;
    return Number(row?.n);
  },
};

function toRecord({ id, title, url, description, created_at }: BookmarkRow): IndexedRecord {
  const { host, afterHost } = urlParts(url);
  return {
    id: Number(id),
    createdAt: Number(new Date(created_at)),
    title,
    fields: { url: `${host} ${afterHost}`, body: textOf(description) },
    tags: tagsOf(description).map((name) => ({ name, key: tagKey(name) })),
    page: pageHash(url),
    host,
  };
}
