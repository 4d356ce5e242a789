import { contentDigest } from "../database/content-digest.ts";
import { type Fragment, fragment, rowList } from "../database/fragment.ts";
import type { Rows, Truth } from "../database/schema/rows.ts";
import type { BookmarkStates } from "../records/bookmark-members.ts";
import type { Bookmark } from "./bookmark.ts";

/** A row of bookmarks. This file alone knows how one is read and written; only few columns of many are read elsewhere. */
export type BookmarkRow = Omit<Rows["bookmarks"], "digest">;

/** One whose description is null where it is too long to be read with many others. */
export type ListedRow = Omit<BookmarkRow, "description"> & { readonly description: string | null };

/** A bookmark of a list; without its description when that is too long to be read with many others. */
export type ListedBookmark = Omit<Bookmark, "description"> & { readonly description: string | undefined };

/**
 * What to select of bookmarks `b`.
 * @param longest a description of more bytes of UTF-8 is left out; its length is known without reading it
 */
export function bookmarkColumns(longest = Number.MAX_SAFE_INTEGER): Fragment {
  return fragment`b.id, b.version, b.title, b.url, b.created_at, b.updated_at, b.created_by, b.unread, b.archived,
    b.shared, b.states_updated_at, b.not_before,
    case when octet_length(b.description) <= ${longest} then b.description end as description`;
}

export function bookmarkOf(row: BookmarkRow): Bookmark;
export function bookmarkOf(row: ListedRow): ListedBookmark;
export function bookmarkOf(row: ListedRow): ListedBookmark {
  return {
    id: Number(row.id),
    version: Number(row.version),
    title: row.title,
    url: row.url,
    description: row.description ?? undefined,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    createdBy: row.created_by === null ? null : Number(row.created_by),
    ...statesOf(row),
    statesUpdatedAt: row.states_updated_at === null ? null : new Date(row.states_updated_at),
    notBefore: row.not_before === null ? null : new Date(row.not_before),
  };
}

/** A bookmark's states alone. */
export function statesOf({
  unread,
  archived,
  shared,
}: Readonly<Record<keyof BookmarkStates, Truth>>): BookmarkStates {
  return { unread: Boolean(unread), archived: Boolean(archived), shared: Boolean(shared) };
}

/** Inserts bookmarks that get new ids. @param bookmarks at least one */
export function insertionOf(bookmarks: readonly Omit<Bookmark, "id">[]): Fragment {
  return fragment`
    insert into bookmarks (title, url, description, version, created_at, updated_at, created_by, unread, archived, shared,
      states_updated_at, not_before, digest)
    values ${rowList(bookmarks.map(valuesOf))}`;
}

/** Inserts bookmarks under their own ids. @param bookmarks at least one */
export function placementOf(bookmarks: readonly Bookmark[]): Fragment {
  return fragment`
    insert into bookmarks (title, url, description, version, created_at, updated_at, created_by, unread, archived, shared,
      states_updated_at, not_before, digest, id)
    values ${rowList(bookmarks.map((bookmark) => [...valuesOf(bookmark), bookmark.id]))}`;
}

function valuesOf(bookmark: Omit<Bookmark, "id">) {
  const { title, url, description, version, createdAt, updatedAt, createdBy } = bookmark;
  const { unread, archived, shared, statesUpdatedAt, notBefore } = bookmark;
  return [
    ...[title, url, description, version, createdAt, updatedAt, createdBy],
    ...[unread, archived, shared, statesUpdatedAt, notBefore, contentDigest(title, url, description)],
  ];
}
