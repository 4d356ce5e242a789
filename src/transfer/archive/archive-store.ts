import { foldersOf } from "../../bookmarks/export/export-bookmarks.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { NewIds } from "../../database/ids/new-ids.ts";
import type { ImageType } from "../../media/media.ts";
import { bytesOf, type StoredBytes } from "../../media/media-store.ts";
import type { ObjectStore } from "../../media/object-store.ts";
import type { RawRecord, RecordKind } from "../../records/record.ts";
import { STYLE_SHEET, settingOf } from "../import/setting-values.ts";
import { IncompleteRecord, readableRows, type UnreadableRecords } from "./unreadable-records.ts";

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

/** Ids that are looked at one by one where several cannot be read together. */
const NEXT_IDS = 100;

/** The next ids that records may have. */
export async function idsAfter(
  sql: Sql,
  table: "tags" | "bookmarks" | "posts" | "comments",
  id = 0,
): Promise<number[]> {
  const { before: last } = await NewIds.of(sql, sql.engine, table);
  return Array.from({ length: Math.max(0, Math.min(NEXT_IDS, last - id)) }, (_, index) => id + 1 + index);
}

export async function* settings(sql: Sql, unreadable?: UnreadableRecords): Records<"setting"> {
  const source = {
    kind: "setting" as const,
    async read(after = "", upTo?: string) {
      const rows = await sql<{ name: string; value: string; updated_at: Instant }>`
        select name, value, updated_at from site_settings
        where name > ${after} ${upTo === undefined ? fragment`` : fragment`and name <= ${upTo}`}
        order by name limit ${AT_ONCE}`;
      return rows.map(({ name, value, updated_at }) => ({
        ...{ name, value: settingOf(name)?.internal ? null : JSON.parse(value) },
        updated_at: text(updated_at),
      }));
    },
    keyOf: ({ name }: { readonly name: string }) => name,
    async keysAfter(after = "") {
      const rows = await sql<{ name: string }>`
        select name from site_settings where name > ${after} order by name limit ${AT_ONCE}`;
      return rows.map(({ name }) => name);
    },
  };
  for await (const rows of readableRows(source, unreadable))
    for (const setting of rows) if (!settingOf(setting.name)?.internal) yield setting;
  yield* styleSheet(sql, unreadable);
}

async function* styleSheet(sql: Sql, unreadable?: UnreadableRecords): Records<"setting"> {
  const read = async () =>
    await sql<{ css: string; created_at: Instant }>`select css, created_at from themes`;
  const rows = unreadable === undefined ? await read() : await unreadable.attempt(read);
  if (rows === undefined) unreadable?.leaveOut("setting", STYLE_SHEET);
  for (const { css, created_at } of (rows ?? []).slice(0, 1))
    yield { name: STYLE_SHEET, value: css, updated_at: text(created_at) };
}

export async function* tags(sql: Sql, unreadable?: UnreadableRecords): Records<"tag"> {
  const source = {
    kind: "tag" as const,
    async read(after = 0, upTo = Number.MAX_SAFE_INTEGER) {
      const rows = await sql<{ id: number; name: string; created_at: Instant }>`
        select id, name, created_at from tags where id > ${after} and id <= ${upTo} order by id limit ${AT_ONCE}`;
      return rows.map(({ id, name, created_at }) => ({ id: Number(id), name, created_at: text(created_at) }));
    },
    keyOf: ({ id }: { readonly id: number }) => id,
    keysAfter: (id?: number) => idsAfter(sql, "tags", id),
  };
  for await (const rows of readableRows(source, unreadable)) yield* rows;
}

export async function* images(sql: Sql, unreadable?: UnreadableRecords): Records<"image"> {
  const source = {
    kind: "image" as const,
    async read(after = "", upTo?: string) {
      const rows = await sql<ImageRow>`
        select sha, type, width, height, media.created_at, username from media
          left join accounts on accounts.id = created_by
        where sha > ${after} ${upTo === undefined ? fragment`` : fragment`and sha <= ${upTo}`}
        order by sha limit ${AT_ONCE}`;
      return rows.map(({ sha, type, width, height, created_at, username }) => ({
        ...{ sha, type, width: Number(width), height: Number(height) },
        ...{ created_at: text(created_at), created_by: username },
      }));
    },
    keyOf: ({ sha }: { readonly sha: string }) => sha,
    async keysAfter(after = "") {
      const rows = await sql<{ sha: string }>`
        select sha from media where sha > ${after} order by sha limit ${AT_ONCE}`;
      return rows.map(({ sha }) => sha);
    },
  };
  for await (const rows of readableRows(source, unreadable)) yield* rows;
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

/** @throws Refusal as `readObject` does, IncompleteRecord when there are none */
export async function imageBytes(
  sql: Sql,
  objects: ObjectStore | undefined,
  { sha, width }: { readonly sha: string; readonly width: number },
): Promise<Uint8Array> {
  const [row] = await sql<StoredBytes>`
    select bytes, object from media_forms where sha = ${sha} and width = ${width}`;
  if (row === undefined) throw new IncompleteRecord(`the image ${sha} has no bytes`);
  return bytesOf(row, objects);
}

export async function* icons(sql: Sql, unreadable?: UnreadableRecords): Records<"icon"> {
  const source = {
    kind: "icon" as const,
    async read(after = "", upTo?: string) {
      const rows = await sql<{ host: string; large: Uint8Array; read_at: Instant }>`
        select host, large, read_at from site_icons
        where host > ${after} ${upTo === undefined ? fragment`` : fragment`and host <= ${upTo}`}
        order by host limit ${AT_ONCE}`;
      return rows.map(({ host, large, read_at }) => ({
        ...{ host, large: Buffer.from(large).toString("base64"), read_at: text(read_at) },
      }));
    },
    keyOf: ({ host }: { readonly host: string }) => host,
    async keysAfter(after = "") {
      const rows = await sql<{ host: string }>`
        select host from site_icons where host > ${after} order by host limit ${AT_ONCE}`;
      return rows.map(({ host }) => host);
    },
  };
  for await (const rows of readableRows(source, unreadable)) yield* rows;
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

export async function* bookmarks(sql: Sql, unreadable?: UnreadableRecords): Records<"bookmark"> {
  const source = {
    kind: "bookmark" as const,
    read: (after?: number, upTo?: number) => bookmarksAfter(sql, after, upTo),
    keyOf: ({ id }: { readonly id: number }) => id,
    keysAfter: (id?: number) => idsAfter(sql, "bookmarks", id),
  };
  for await (const rows of readableRows(source, unreadable)) yield* rows;
}

async function bookmarksAfter(sql: Sql, after = 0, upTo = Number.MAX_SAFE_INTEGER) {
  const rows = await sql<BookmarkRow>`
    select bookmarks.id, title, url, description, bookmarks.created_at, bookmarks.updated_at, version, username,
      unread, archived, shared, states_updated_at
    from bookmarks left join accounts on accounts.id = created_by
    where bookmarks.id > ${after} and bookmarks.id <= ${upTo} order by bookmarks.id limit ${LONG_AT_ONCE}`;
  if (rows.length === 0) return [];
  const folders = await foldersOf(
    sql,
    rows.map(({ id }) => Number(id)),
  );
  return rows.map((row) => {
    const id = Number(row.id);
    return {
      ...{ id, title: row.title, url: row.url, description: row.description },
      ...{ created_at: text(row.created_at), updated_at: text(row.updated_at), created_by: row.username },
      ...{ version: Number(row.version), unread: Boolean(row.unread), archived: Boolean(row.archived) },
      ...{ shared: Boolean(row.shared), states_updated_at: textOrNull(row.states_updated_at) },
      folders: folders.get(id) ?? [],
    };
  });
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

export async function* versions(sql: Sql, unreadable?: UnreadableRecords): Records<"version"> {
  const source = {
    kind: "version" as const,
    async read([post, number]: VersionKey = [0, 0], upTo?: VersionKey) {
      const rows = await sql<VersionRow>`
        select post_id, number, title, content, published, replaced_at, username
        from post_versions left join accounts on accounts.id = replaced_by
        where (post_id, number) > (${post}, ${number})
          ${upTo === undefined ? fragment`` : fragment`and (post_id, number) <= (${upTo[0]}, ${upTo[1]})`}
        order by post_id, number limit ${LONG_AT_ONCE}`;
      return rows.map(({ post_id, number, title, content, published, replaced_at, username }) => ({
        ...{ post: Number(post_id), number: Number(number), title, content, published: Boolean(published) },
        ...{ replaced_at: text(replaced_at), replaced_by: username },
      }));
    },
    keyOf: ({ post, number }: { readonly post: number; readonly number: number }): VersionKey => [
      post,
      number,
    ],
    async keysAfter([post, number]: VersionKey = [0, 0]) {
      const rows = await sql<{ post_id: number; number: number }>`
        select post_id, number from post_versions where (post_id, number) > (${post}, ${number})
        order by post_id, number limit ${AT_ONCE}`;
      return rows.map(({ post_id, number }): VersionKey => [Number(post_id), Number(number)]);
    },
  };
  for await (const rows of readableRows(source, unreadable)) yield* rows;
}

/** The id of the post, and the number of the version. */
type VersionKey = readonly [post: number, number: number];

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
export async function* comments(
  sql: Sql,
  {
    ofPost,
    unreadable,
  }: { readonly ofPost?: number; readonly unreadable?: UnreadableRecords | undefined } = {},
): Records<"comment"> {
  const among = ofPost === undefined ? fragment`` : fragment`post_id = ${ofPost} and`;
  const source = {
    kind: "comment" as const,
    async read(after = 0, upTo = Number.MAX_SAFE_INTEGER) {
      const rows = await sql<CommentRow>`
        select comments.id, post_id, author, text, status, comments.created_at, username, reasons,
          (select p.id from comments p where p.id = comments.parent_id) as parent
        from comments left join accounts on accounts.id = created_by
        where ${among} comments.id > ${after} and comments.id <= ${upTo} order by comments.id limit ${AT_ONCE}`;
      return rows.map(
        ({ id, post_id, author, text: said, status, created_at, username, reasons, parent }) => ({
          ...{ id: Number(id), post: Number(post_id), author, text: said, status },
          ...{ created_at: text(created_at), created_by: username, reasons },
          parent: parent === null ? null : Number(parent),
        }),
      );
    },
    keyOf: ({ id }: { readonly id: number }) => id,
    keysAfter: (id?: number) => idsAfter(sql, "comments", id),
  };
  for await (const rows of readableRows(source, unreadable)) yield* rows;
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
export async function* edits(sql: Sql, unreadable?: UnreadableRecords): Records<"edit"> {
  const source = {
    kind: "edit" as const,
    async read(after = "", upTo?: string) {
      const rows = await sql<EditRow>`
        select key, posts.id as post_id, base_version, edits.title, edits.content, fields, edits.version,
          edits.created_at, edits.updated_at, username
        from edits left join posts on posts.id = post_id left join accounts on accounts.id = edits.created_by
        where key > ${after} ${upTo === undefined ? fragment`` : fragment`and key <= ${upTo}`}
        order by key limit ${LONG_AT_ONCE}`;
      return rows.map((row) => {
        const { key, post_id, base_version, title, content, fields, version, username } = row;
        return {
          ...{ key, post: post_id === null ? null : Number(post_id) },
          base_version: post_id === null || base_version === null ? null : Number(base_version),
          ...{ title, content, fields: JSON.parse(fields), version: Number(version) },
          ...{ created_at: text(row.created_at), updated_at: text(row.updated_at), created_by: username },
        };
      });
    },
    keyOf: ({ key }: { readonly key: string }) => key,
    async keysAfter(after = "") {
      const rows = await sql<{ key: string }>`
        select key from edits where key > ${after} order by key limit ${AT_ONCE}`;
      return rows.map(({ key }) => key);
    },
  };
  for await (const rows of readableRows(source, unreadable)) yield* rows;
}
