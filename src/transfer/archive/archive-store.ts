import { pages } from "../../batches.ts";
import { foldersOf } from "../../bookmarks/export/export-bookmarks.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { ImageType } from "../../media/media.ts";
import { bytesOf, type StoredBytes } from "../../media/media-store.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import type { RawRecord, RecordKind } from "../../records/record.ts";
import { STYLE_SHEET, settingOf } from "../import/setting-values.ts";

/** A record of the archive, with its id and its post. */
export type ArchivedRecord<K extends RecordKind> = RawRecord<K> & {
  readonly id?: number;
  /** The id of its post. */
  readonly post?: number | null;
};

export type Records<K extends RecordKind> = AsyncGenerator<ArchivedRecord<K>>;

/** The number of records with long texts that are read at a time. */
export const LONG_AT_ONCE = 50;
const AT_ONCE = 500;

export const text = (instant: Instant) => new Date(instant).toISOString();
export const textOrNull = (instant: Instant | null) => (instant === null ? null : text(instant));

export async function* settings(sql: Sql): Records<"setting"> {
  const rows = await sql<{ name: string; value: string; updated_at: Instant }>`
    select name, value, updated_at from site_settings order by name`;
  for (const { name, value, updated_at } of rows)
    if (!settingOf(name)?.internal) yield { name, value: JSON.parse(value), updated_at: text(updated_at) };
  const [theme] = await sql<{ css: string; created_at: Instant }>`select css, created_at from themes`;
  if (theme !== undefined) yield { name: STYLE_SHEET, value: theme.css, updated_at: text(theme.created_at) };
}

export async function* tags(sql: Sql): Records<"tag"> {
  const after = (last?: { id: number; name: string; created_at: Instant }) => sql<NonNullable<typeof last>>`
    select id, name, created_at from tags where id > ${Number(last?.id ?? 0)} order by id limit ${AT_ONCE}`;
  for await (const rows of pages(after))
    for (const { id, name, created_at } of rows) yield { id: Number(id), name, created_at: text(created_at) };
}

export async function* images(sql: Sql): Records<"image"> {
  const after = (last?: ImageRow) => sql<ImageRow>`
    select sha, type, width, height, media.created_at, username from media
      left join accounts on accounts.id = created_by
    where sha > ${last?.sha ?? ""} order by sha limit ${AT_ONCE}`;
  for await (const rows of pages(after))
    for (const { sha, type, width, height, created_at, username } of rows)
      yield {
        ...{ sha, type, width: Number(width), height: Number(height) },
        ...{ created_at: text(created_at), created_by: username },
      };
}

interface ImageRow {
  readonly sha: string;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
  readonly created_at: Instant;
  readonly username: string | null;
}

/** The widths at which an image is stored, full size last. */
export async function imageWidths(sql: Sql, sha: string): Promise<number[]> {
  const rows = await sql<{ width: number }>`select width from media_forms where sha = ${sha} order by width`;
  return rows.map(({ width }) => Number(width));
}

/** @throws Refusal as `readObject` does */
export async function imageBytes(
  sql: Sql,
  objects: ObjectStore | undefined,
  { sha, width }: { readonly sha: string; readonly width: number },
): Promise<Uint8Array> {
  const [row] = await sql<StoredBytes>`
    select bytes, object from media_forms where sha = ${sha} and width = ${width}`;
  if (row === undefined) throw new Error(`the image ${sha} has no bytes`);
  return bytesOf(row, objects);
}

export async function* icons(sql: Sql): Records<"icon"> {
  const after = (last?: { host: string; large: Uint8Array; read_at: Instant }) => sql<
    NonNullable<typeof last>
  >`
    select host, large, read_at from site_icons where host > ${last?.host ?? ""} order by host limit ${AT_ONCE}`;
  for await (const rows of pages(after))
    for (const { host, large, read_at } of rows)
      yield { host, large: Buffer.from(large).toString("base64"), read_at: text(read_at) };
}

interface BookmarkRow {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly version: number;
  readonly username: string | null;
  readonly unread: boolean | number;
  readonly archived: boolean | number;
  readonly shared: boolean | number;
  readonly states_updated_at: Instant | null;
}

export async function* bookmarks(sql: Sql): Records<"bookmark"> {
  const after = (last?: BookmarkRow) => sql<BookmarkRow>`
    select bookmarks.id, title, url, description, bookmarks.created_at, bookmarks.updated_at, version, username,
      unread, archived, shared, states_updated_at
    from bookmarks left join accounts on accounts.id = created_by
    where bookmarks.id > ${Number(last?.id ?? 0)} order by bookmarks.id limit ${LONG_AT_ONCE}`;
  for await (const rows of pages(after)) {
    const folders = await foldersOf(
      sql,
      rows.map(({ id }) => Number(id)),
    );
    for (const row of rows) {
      const id = Number(row.id);
      yield {
        ...{ id, title: row.title, url: row.url, description: row.description },
        ...{ created_at: text(row.created_at), updated_at: text(row.updated_at), created_by: row.username },
        ...{ version: Number(row.version), unread: Boolean(row.unread), archived: Boolean(row.archived) },
        ...{ shared: Boolean(row.shared), states_updated_at: textOrNull(row.states_updated_at) },
        folders: folders.get(id) ?? [],
      };
    }
  }
}

interface VersionRow {
  readonly post_id: number;
  readonly number: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean | number;
  readonly replaced_at: Instant;
  readonly username: string | null;
}

export async function* versions(sql: Sql): Records<"version"> {
  const after = (last?: VersionRow) => sql<VersionRow>`
    select post_id, number, title, content, published, replaced_at, username
    from post_versions left join accounts on accounts.id = replaced_by
    where (post_id, number) > (${Number(last?.post_id ?? 0)}, ${Number(last?.number ?? 0)})
    order by post_id, number limit ${LONG_AT_ONCE}`;
  for await (const rows of pages(after))
    for (const { post_id, number, title, content, published, replaced_at, username } of rows)
      yield {
        ...{ post: Number(post_id), number: Number(number), title, content, published: Boolean(published) },
        ...{ replaced_at: text(replaced_at), replaced_by: username },
      };
}

interface CommentRow {
  readonly id: number;
  readonly post_id: number;
  readonly author: string;
  readonly text: string;
  readonly status: "shown" | "waiting" | "rejected";
  readonly created_at: Instant;
  readonly username: string | null;
  readonly reasons: string | null;
  readonly parent: number | null;
}

/** All comments, or those of one post. A comment whose parent is gone has none. */
export async function* comments(sql: Sql, ofPost?: number): Records<"comment"> {
  const among = ofPost === undefined ? fragment`` : fragment`post_id = ${ofPost} and`;
  const after = (last?: CommentRow) => sql<CommentRow>`
    select comments.id, post_id, author, text, status, comments.created_at, username, reasons,
      (select p.id from comments p where p.id = comments.parent_id) as parent
    from comments left join accounts on accounts.id = created_by
    where ${among} comments.id > ${Number(last?.id ?? 0)} order by comments.id limit ${AT_ONCE}`;
  for await (const rows of pages(after))
    for (const { id, post_id, author, text: said, status, created_at, username, reasons, parent } of rows)
      yield {
        ...{ id: Number(id), post: Number(post_id), author, text: said, status },
        ...{ created_at: text(created_at), created_by: username, reasons },
        parent: parent === null ? null : Number(parent),
      };
}

interface EditRow {
  readonly key: string;
  readonly post_id: number | null;
  readonly base_version: number | null;
  readonly title: string;
  readonly content: string;
  readonly fields: string;
  readonly version: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly username: string | null;
}

/** The working copies. If the post of one is deleted, the copy is that of a new post. */
export async function* edits(sql: Sql): Records<"edit"> {
  const after = (last?: EditRow) => sql<EditRow>`
    select key, posts.id as post_id, base_version, edits.title, edits.content, fields, edits.version,
      edits.created_at, edits.updated_at, username
    from edits left join posts on posts.id = post_id left join accounts on accounts.id = edits.created_by
    where key > ${last?.key ?? ""} order by key limit ${LONG_AT_ONCE}`;
  for await (const rows of pages(after))
    for (const row of rows) {
      const { key, post_id, base_version, title, content, fields, version, username } = row;
      yield {
        ...{ key, post: post_id === null ? null : Number(post_id) },
        base_version: post_id === null || base_version === null ? null : Number(base_version),
        ...{ title, content, fields: JSON.parse(fields), version: Number(version) },
        ...{ created_at: text(row.created_at), updated_at: text(row.updated_at), created_by: username },
      };
    }
}
