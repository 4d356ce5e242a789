import type { Database, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { Rows } from "../../database/schema/rows.ts";
import { checkPreconditions, entityTag } from "../../http/caching/etags.ts";
import { type Edit, type EditReplace, hasSameContent } from "./edit.ts";
import { revokePreviews } from "./preview-links.ts";

type EditRow = Omit<Rows["edits"], "created_by">;

const COLUMNS = fragment`key, post_id, base_version, title, content, fields, version, created_at, updated_at`;

export async function findEdit(sql: Sql, key: string): Promise<Edit | undefined> {
  const [row] = await sql<EditRow>`
    select ${COLUMNS} from edits where key = ${key}`;
  return row && fromRow(row);
}

/** Finds an edit and locks it until the transaction ends. */
export async function lockEdit(sql: Sql, key: string): Promise<Edit | undefined> {
  const [row] = await sql<EditRow>`
    update edits set version = version where key = ${key}
    returning ${COLUMNS}`;
  return row && fromRow(row);
}

/** Stores a new edit. @returns undefined when there is one with this key */
export async function insertEdit(
  sql: Sql,
  key: string,
  { post, base_version, title, content, fields }: EditReplace,
  accountId: number | undefined,
  now: Date,
): Promise<Edit | undefined> {
  const rows = await sql`
    insert into edits (key, post_id, base_version, title, content, fields, created_at, updated_at, created_by)
    values (${key}, ${post}, ${base_version}, ${title}, ${content}, ${JSON.stringify(fields)}, ${now}, ${now},
      ${accountId ?? null})
    on conflict (key) do nothing returning key`;
  if (rows.length === 0) return undefined;
  return { key, post, base_version, title, content, fields, version: 1, createdAt: now, updatedAt: now };
}

/** Overwrites an edit that the caller has locked. */
export async function replaceEdit(sql: Sql, locked: Edit, wanted: EditReplace, now: Date): Promise<Edit> {
  const { post, base_version, title, content, fields } = wanted;
  await sql`
    update edits set post_id = ${post}, base_version = ${base_version}, title = ${title}, content = ${content},
      fields = ${JSON.stringify(fields)}, version = version + 1, updated_at = ${now} where key = ${locked.key}`;
  return { ...locked, ...wanted, version: locked.version + 1, updatedAt: now };
}

/** Deletes an edit and its preview links. */
export async function deleteEdit(sql: Sql, key: string): Promise<void> {
  await revokePreviews(sql, key);
  await sql`delete from edits where key = ${key}`;
}

export async function countEdits(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }>`select count(*) as n from edits`;
  return Number(row?.n);
}

/** The edits, last changed first, without their contents. */
export async function listEdits(
  sql: Sql,
  { limit, offset }: { limit: number; offset: number },
): Promise<Edit[]> {
  const rows = await sql<EditRow>`
    select key, post_id, base_version, title, '' as content, fields, version, created_at, updated_at from edits
    order by updated_at desc, key limit ${limit} offset ${offset}`;
  return rows.map(fromRow);
}

/** The most recently changed edit of a post. @param but the key of one that does not count */
export async function findEditOf(sql: Sql, postId: number, but = ""): Promise<Edit | undefined> {
  const [row] = await sql<EditRow>`
    select ${COLUMNS} from edits where post_id = ${postId} and key <> ${but} order by updated_at desc limit 1`;
  return row && fromRow(row);
}

/** A draft to go on with. */
export type OpenDraft = Pick<Edit, "key" | "title">;

/** The account's own draft with the latest change; no working copy of a published or scheduled post. */
export async function findOpenDraft(sql: Sql, accountId: number): Promise<OpenDraft | undefined> {
  const [draft] = await sql<OpenDraft>`
    select key, edits.title from edits left join posts on posts.id = edits.post_id
    where edits.created_by = ${accountId}
      and (posts.id is null or (posts.published = ${false} and posts.publish_at is null))
    order by edits.updated_at desc, key limit 1`;
  return draft;
}

/** The key of a new text of an account that is exactly this one. */
export async function findDraftOf(
  sql: Sql,
  content: string,
  accountId: number | undefined,
): Promise<string | undefined> {
  const [same] = await sql<{ key: string }>`
    select key from edits where post_id is null and created_by = ${accountId ?? null} and content = ${content}
    order by updated_at desc limit 1`;
  return same?.key;
}

function fromRow(row: EditRow): Edit {
  return {
    key: row.key,
    post: row.post_id === null ? null : Number(row.post_id),
    base_version: row.base_version === null ? null : Number(row.base_version),
    title: row.title,
    content: row.content,
    fields: JSON.parse(row.fields) as Record<string, string>,
    version: Number(row.version),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}

/** A stored edit, and whether it is new. */
export interface SavedEdit {
  readonly edit: Edit;
  readonly isNew: boolean;
}

/**
 * Stores a working copy under its key. Repeating the stored text succeeds whatever `If-Match` says, so that a
 * client can retry after a lost response (RFC 9110, section 13.1.1).
 *
 * @throws Refusal `precondition_failed` when another text has been stored since
 */
export function saveEdit(
  database: Database,
  request: Request,
  key: string,
  wanted: EditReplace,
  accountId: number | undefined,
): Promise<SavedEdit> {
  return database.write(async (sql) => {
    const now = database.clock.now();
    while (true) {
      const locked = await lockEdit(sql, key);
      if (locked !== undefined && hasSameContent(locked, wanted)) return { edit: locked, isNew: false };
      checkPreconditions(request, locked && editEtag(database.epoch, locked));
      if (locked !== undefined) return { edit: await replaceEdit(sql, locked, wanted, now), isNew: false };
      const edit = await insertEdit(sql, key, wanted, accountId, now);
      if (edit !== undefined) return { edit, isNew: true };
    }
  });
}

/** The strong entity tag of an edit. */
export function editEtag(epoch: string, { version }: Pick<Edit, "version">): string {
  return entityTag(epoch, version);
}
