import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import type { Rows } from "../../database/schema/rows.ts";
import type { Post } from "../post.ts";

/** A previous text of a post. */
export interface PostVersion {
  /** Counted from 1, oldest first. */
  readonly number: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean;
  /** The time at which the next version replaced it. */
  readonly replacedAt: Date;
}

type VersionRow = Omit<Rows["post_versions"], "post_id" | "replaced_by">;

const COLUMNS = fragment`number, title, content, published, replaced_at`;

/** Stores the previous text of a post as a version. The caller has locked the post. */
export async function saveVersion(
  sql: Sql,
  { id, title, content, published }: Post,
  now: Date,
  accountId: number | undefined,
): Promise<void> {
  const number = await currentVersionNumber(sql, id);
  await sql`
    insert into post_versions (post_id, number, title, content, published, replaced_at, replaced_by)
    values (${id}, ${number}, ${title}, ${content}, ${published}, ${now}, ${accountId ?? null})`;
}

/** The version number of a post's current text: one more than that of its newest previous version. */
export async function currentVersionNumber(sql: Sql, postId: number): Promise<number> {
  const [row] = await sql<{ last: number | null }>`
    select max(number) as last from post_versions where post_id = ${postId}`;
  return Number(row?.last ?? 0) + 1;
}

export async function countVersions(sql: Sql, postId: number): Promise<number> {
  const [row] = await sql<{ n: number }>`select count(*) as n from post_versions where post_id = ${postId}`;
  return Number(row?.n);
}

/** The previous versions of a post, newest first. */
export async function listVersions(
  sql: Sql,
  postId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<PostVersion[]> {
  const rows = await sql<VersionRow>`
    select ${COLUMNS} from post_versions where post_id = ${postId}
    order by number desc limit ${limit} offset ${offset}`;
  return rows.map(fromRow);
}

/** @param number may exceed the safe integers; then there is no such version */
export async function findVersion(
  sql: Sql,
  postId: number,
  number: number | bigint,
): Promise<PostVersion | undefined> {
  if (typeof number === "bigint") return undefined;
  const [row] = await sql<VersionRow>`
    select ${COLUMNS} from post_versions
    where post_id = ${postId} and number = ${number}`;
  return row && fromRow(row);
}

function fromRow(row: VersionRow): PostVersion {
  return {
    number: Number(row.number),
    title: row.title,
    content: row.content,
    published: Boolean(row.published),
    replacedAt: new Date(row.replaced_at),
  };
}
