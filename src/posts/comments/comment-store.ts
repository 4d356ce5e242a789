import { addToCounter, sumOfCounter } from "../../database/counters.ts";
import type { Instant, Sql } from "../../database/database.ts";
import type { CommentStatus } from "../../records/comment-members.ts";
import type { Comment, ThreadComment } from "./comment.ts";

/** The counter that grows with every change of any comment. */
const CHANGES = "comments:changes";

interface CommentRow {
  readonly id: number;
  readonly post_id: number;
  readonly author: string;
  readonly text: string;
  readonly created_at: Instant;
  readonly status: CommentStatus;
  readonly sender?: string | null;
}

export interface NewComment {
  readonly postId: number;
  readonly author: string;
  readonly text: string;
  readonly status: CommentStatus;
  readonly accountId: number | undefined;
  /** Why it waits: codes separated by spaces. */
  readonly reasons?: string | undefined;
  /** The network from which a stranger sent it. */
  readonly sender?: string | undefined;
  /** The comment to which it replies, on the same post. */
  readonly parentId?: number | undefined;
}

/**
 * The comments that posts show, oldest first, by the id of their post: in one statement.
 * @param postIds at least one
 * @param limit how many comments at most
 * @returns undefined when there are more
 */
export async function shownComments(
  sql: Sql,
  postIds: readonly number[],
  limit: number,
): Promise<Map<number, Comment[]> | undefined> {
  const rows = await sql<CommentRow>`
    select id, post_id, author, text, created_at, status from comments
    where post_id in ${postIds} and status = 'shown' order by post_id, created_at, id limit ${limit + 1}`;
  if (rows.length > limit) return undefined;
  return Map.groupBy(rows.map(fromRow), (comment) => comment.postId);
}

/** Comments that a post shows, oldest first, with those to which they reply. */
export async function listShownComments(
  sql: Sql,
  postId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<ThreadComment[]> {
  const rows = await sql<CommentRow & { readonly parent_id: number; readonly parent_author: string | null }>`
    select c.id, c.post_id, c.author, c.text, c.created_at, c.status, c.parent_id, p.author as parent_author
    from comments c left join comments p
      on p.id = c.parent_id and p.post_id = c.post_id and p.status = 'shown'
    where c.post_id = ${postId} and c.status = 'shown' order by c.created_at, c.id limit ${limit} offset ${offset}`;
  return rows.map((row) => ({
    ...fromRow(row),
    parent: row.parent_author === null ? undefined : { id: Number(row.parent_id), author: row.parent_author },
  }));
}

/** The newest comments that a post shows, newest first. */
export async function listNewestComments(sql: Sql, postId: number, limit: number): Promise<Comment[]> {
  const rows = await sql<CommentRow>`
    select id, post_id, author, text, created_at, status from comments
    where post_id = ${postId} and status = 'shown' order by created_at desc, id desc limit ${limit}`;
  return rows.map(fromRow);
}

/** The number of comments that a post shows. */
export async function countShownComments(sql: Sql, postId: number): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from comments where post_id = ${postId} and status = 'shown'`;
  return Number(row?.n);
}

/** The number of comments that the same post shows before one. */
export async function countShownBefore(
  sql: Sql,
  { id, postId, createdAt }: Pick<Comment, "id" | "postId" | "createdAt">,
): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from comments
    where post_id = ${postId} and status = 'shown' and (created_at, id) < (${createdAt}, ${id})`;
  return Number(row?.n);
}

/** @param id may exceed the safe integers; then there is no such comment */
export async function findComment(sql: Sql, id: number | bigint): Promise<Comment | undefined> {
  if (typeof id === "bigint") return undefined;
  const [row] = await sql<CommentRow>`
    select id, post_id, author, text, created_at, status, sender from comments where id = ${id}`;
  return row && fromRow(row);
}

/** The comments of a status, oldest first. */
export async function listComments(
  sql: Sql,
  status: CommentStatus,
  { limit, offset }: { limit: number; offset: number },
): Promise<Comment[]> {
  const rows = await sql<CommentRow>`
    select id, post_id, author, text, created_at, status, sender from comments where status = ${status}
    order by created_at, id limit ${limit} offset ${offset}`;
  return rows.map(fromRow);
}

export async function countComments(sql: Sql, status: CommentStatus): Promise<number> {
  const [row] = await sql<{ n: number }>`select count(*) as n from comments where status = ${status}`;
  return Number(row?.n);
}

/** The number of comments of each status; one that no comment has is absent. */
export async function countCommentsByStatus(sql: Sql): Promise<Partial<Record<CommentStatus, number>>> {
  const rows = await sql<{ status: CommentStatus; n: number }>`
    select status, count(*) as n from comments group by status`;
  return Object.fromEntries(rows.map(({ status, n }) => [status, Number(n)]));
}

/** The number of comments on a post, without rejected ones. */
export async function countCommentsOf(sql: Sql, postId: number): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from comments where post_id = ${postId} and status <> 'rejected'`;
  return Number(row?.n);
}

export async function insertComment(sql: Sql, comment: NewComment, now: Date): Promise<Comment> {
  const { postId, author, text, status, accountId, reasons, sender, parentId } = comment;
  const [row] = await sql<{ id: number }>`
    insert into comments (post_id, author, text, status, created_at, created_by, reasons, sender, parent_id)
    values (${postId}, ${author}, ${text}, ${status}, ${now}, ${accountId ?? null}, ${reasons ?? null},
      ${sender ?? null}, ${parentId ?? null})
    returning id`;
  if (row === undefined) throw new Error("an insert returned no row");
  await addToCounter(sql, CHANGES, 1);
  return { id: Number(row.id), postId, author, text, status, createdAt: now };
}

/** Sets the status of a comment that was read; false if it was changed or deleted meanwhile. */
export async function setCommentStatus(sql: Sql, read: Comment, status: CommentStatus): Promise<boolean> {
  const rows = await sql`
    update comments set status = ${status} where id = ${read.id} and status = ${read.status} returning id`;
  if (rows.length > 0) await addToCounter(sql, CHANGES, 1);
  return rows.length > 0;
}

/** Deletes a comment that was read; false if it was changed or deleted meanwhile. */
export async function deleteComment(sql: Sql, read: Comment): Promise<boolean> {
  const rows = await sql`delete from comments where id = ${read.id} and status = ${read.status} returning id`;
  if (rows.length > 0) await addToCounter(sql, CHANGES, 1);
  return rows.length > 0;
}

/** Counts several added or removed comments. */
export async function countCommentChanges(sql: Sql, changes: number): Promise<void> {
  await addToCounter(sql, CHANGES, changes);
}

/** The version of all comments of any status: different after any change. */
export function commentsVersion(sql: Sql): Promise<number> {
  return sumOfCounter(sql, CHANGES);
}

function fromRow(row: CommentRow): Comment {
  return {
    id: Number(row.id),
    postId: Number(row.post_id),
    author: row.author,
    text: row.text,
    createdAt: new Date(row.created_at),
    status: row.status,
    sender: row.sender ?? undefined,
  };
}
