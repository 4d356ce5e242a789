import type { Bookmark } from "../../bookmarks/bookmark.ts";
import { countChange } from "../../bookmarks/bookmark-store.ts";
import { findIdOfUrl, findOfPage } from "../../bookmarks/search/bookmark-of-url.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { UNDO_PERIOD } from "../../changes/change-store.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { StoredBytes } from "../../media/media-store.ts";
import { countWaiting } from "../../search/index/entries.ts";
import { pageHash } from "../../search/text/page-key.ts";
import { local, type SafeUrl } from "../../web/urls.ts";
import { deleteUnusedBlobs, lockCopies, storeBlob } from "../copy-blobs.ts";

/** The characters of a picture's SHA-256 that stand in its address. */
const HASH_LENGTH = 20;

/** Which pictures a caller sees: all with the right to read copies, else those that the server has fetched as anybody could. */
export type SeenPictures = "all" | "public";

/** The picture of a page as pages and the API show it. */
export interface PagePicture {
  readonly url: SafeUrl;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** The pictures of the pages of bookmarks, by the ids of the bookmarks; those without one are absent. */
export async function readPictures(
  sql: Sql,
  bookmarkIds: readonly number[],
  which: SeenPictures,
): Promise<Map<number, PagePicture>> {
  if (bookmarkIds.length === 0) return new Map();
  const rows = await sql<{ id: number; sha256: string; width: number; height: number }>`
    select b.id, p.sha256, p.width, p.height from bookmarks b join page_pictures p on p.url = b.url
    where b.id in ${bookmarkIds} and p.sha256 is not null and ${seen(which)}`;
  return new Map(
    rows.map(({ id, sha256, width, height }) => [
      Number(id),
      { url: addressOf(Number(id), sha256), width: Number(width), height: Number(height) },
    ]),
  );
}

function seen(which: SeenPictures) {
  return which === "all" ? fragment`true` : fragment`p.is_public is true`;
}

function addressOf(bookmarkId: number, sha256: string): SafeUrl {
  return local(`/library/pictures/${bookmarkId}/${sha256.slice(0, HASH_LENGTH)}.webp`);
}

/** Where the bytes of a bookmark's picture are; undefined when it has none with this hash, as its address has it. */
export async function findPictureBytes(
  sql: Sql,
  bookmarkId: number | bigint,
  hash: string,
  which: SeenPictures,
): Promise<StoredBytes | undefined> {
  if (typeof bookmarkId === "bigint") return undefined;
  const [row] = await sql<StoredBytes & { sha256: string }>`
    select c.sha256, c.bytes, c.object from bookmarks b
      join page_pictures p on p.url = b.url join copy_blobs c on c.sha256 = p.sha256
    where b.id = ${bookmarkId} and ${seen(which)}`;
  return row?.sha256.slice(0, HASH_LENGTH) === hash ? row : undefined;
}

/** What is known of the picture of a page. */
export interface KnownPicture {
  readonly readAt: Date;
  readonly hasPicture: boolean;
  readonly isPublic: boolean;
}

/** @returns undefined when the page was never asked for one, and no copy has brought one */
export async function findKnown(sql: Sql, url: string): Promise<KnownPicture | undefined> {
  const [row] = await sql<{ read_at: Instant; sha256: string | null; is_public: boolean | number }>`
    select read_at, sha256, is_public from page_pictures where url = ${url}`;
  return (
    row && {
      readAt: new Date(row.read_at),
      hasPicture: row.sha256 !== null,
      isPublic: Boolean(row.is_public),
    }
  );
}

/** A picture whose bytes are packed and placed. */
export interface PlacedPicture {
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  /** As they are stored. */
  readonly size: number;
  readonly stored: StoredBytes;
}

/**
 * Stores the picture of a page in place of the one that it had.
 * @param url as a bookmark has it, or may have it later
 * @param picture undefined when the page has none: then an earlier one stays
 */
export async function storePicture(
  sql: Sql,
  url: string,
  { picture, isPublic, readAt }: { picture: PlacedPicture | undefined; isPublic: boolean; readAt: Date },
  now: Date,
): Promise<void> {
  if (picture === undefined) {
    await sql`
      insert into page_pictures (url, page, read_at, is_public) values (${url}, ${pageHash(url)}, ${readAt}, ${isPublic})
      on conflict (url) do update set read_at = excluded.read_at`;
    return;
  }
  await lockCopies(sql);
  const { sha256, width, height, size, stored } = picture;
  const [before] = await sql<{ sha256: string | null }>`select sha256 from page_pictures where url = ${url}`;
  await storeBlob(sql, { sha256, size }, stored);
  await sql`
    insert into page_pictures (url, page, read_at, sha256, width, height, is_public)
    values (${url}, ${pageHash(url)}, ${readAt}, ${sha256}, ${width}, ${height}, ${isPublic})
    on conflict (url) do update set read_at = excluded.read_at, sha256 = excluded.sha256, width = excluded.width,
      height = excluded.height, is_public = excluded.is_public`;
  if (before?.sha256) await deleteUnusedBlobs(sql, [before.sha256], now);
  if ((await findIdOfUrl(sql, url)) !== undefined) await countChange(sql, 1, 0);
}

/** Deletes the pictures of the pages of bookmarks that are deleted for good, unless others lead there, in the same transaction. */
export async function deletePicturesOf(
  sql: Sql,
  bookmarks: readonly Pick<Bookmark, "id" | "url">[],
  now: Date,
): Promise<void> {
  for (const { url } of bookmarks) {
    const known = await sql`select 1 as one from page_pictures where url = ${url}`;
    if (known.length === 0) continue;
    const { ids } = await findOfPage(sql, url);
    const others = ids.filter((id) => !bookmarks.some((bookmark) => bookmark.id === id));
    const rest = await sql`select 1 as one from bookmarks where id in ${others} and url = ${url} limit 1`;
    if (rest.length === 0) await deletePictures(sql, fragment`url = ${url}`, now);
  }
}

/**
 * Marks at most `limit` pictures to whose pages no bookmark leads any more, takes the mark from those where one does again, and
 * deletes those that were marked for as long as changes can be undone. None while the search index, which finds bookmarks by
 * their pages, is being made. @returns how many
 */
export async function purgePagePictures(sql: Sql, now: Date, limit: number): Promise<number> {
  if ((await countWaiting(sql, indexedBookmarks)) > 0) return 0;
  const isUsed = fragment`exists (select 1 from search_bookmarks s where s.page = p.page)`;
  const marked = await sql`
    update page_pictures set unused_since = ${now} where url in (
      select url from page_pictures p where unused_since is null and not ${isUsed} limit ${limit}) returning url`;
  const used = await sql`
    update page_pictures set unused_since = null where url in (
      select url from page_pictures p where unused_since is not null and ${isUsed} limit ${limit}) returning url`;
  const deleted = await deletePictures(
    sql,
    fragment`url in (select url from page_pictures
      where unused_since <= ${new Date(now.getTime() - UNDO_PERIOD)} limit ${limit})`,
    now,
  );
  return marked.length + used.length + deleted;
}

async function deletePictures(sql: Sql, which: ReturnType<typeof fragment>, now: Date): Promise<number> {
  await lockCopies(sql);
  const rows = await sql<{ sha256: string | null }>`
    delete from page_pictures where ${which} returning sha256`;
  await deleteUnusedBlobs(sql, [...new Set(rows.flatMap(({ sha256 }) => sha256 ?? []))], now);
  return rows.length;
}
