import type { ChangeRow } from "../../changes/change-store.ts";
import type { KeptRecord, Reverted, Undoer } from "../../changes/undo.ts";
import type { Sql } from "../../database/database.ts";
import { limits } from "../../limits.ts";
import type { CommentStatus } from "../../records/comment-members.ts";
import { sitePath } from "../../records/publication-members.ts";
import { countCommentChanges } from "../comments/comment-store.ts";
import { type ImportedComment, insertImportedComments } from "../import/insert-imported-posts.ts";
import { findTaggedPosts, lockPosts, touchPost } from "../post-store.ts";
import { type RemovedComment, versionOf } from "./remove-comments.ts";

/** Removed comments come back; a wave that was rejected waits again, but for those that were approved since. */
export const commentUndoer: Undoer = {
  async revert(sql, rows) {
    const present = await presentOf(sql, rows);
    await lockPosts(sql, present.posts);
    return apply(sql, await plan(sql, rows));
  },
  preview: plan,
};

/** A comment in the row of a change. */
export function toComment({ id, before }: ChangeRow<RemovedComment>): ImportedComment {
  const { post, author, text, status, reasons, created_at, created_by, parent } = before;
  return {
    ...{ id, postId: post, author, text, status, reasons },
    createdAt: new Date(created_at),
    createdBy: created_by,
    parentId: parent,
  };
}

interface PresentComment {
  readonly id: number;
  readonly post: number;
  readonly author: string;
  readonly status: CommentStatus;
}

/** The comments of the rows that exist, and the posts of all of them. */
async function presentOf(sql: Sql, rows: readonly ChangeRow[]) {
  const found =
    rows.length === 0
      ? []
      : await sql<{ id: number; post_id: number; author: string; status: CommentStatus }>`
          select id, post_id, author, status from comments where id in ${rows.map(({ id }) => id)}`;
  const comments = new Map<number, PresentComment>();
  for (const { id, post_id, author, status } of found)
    comments.set(Number(id), { id: Number(id), post: Number(post_id), author, status });
  const posts = new Set([...comments.values()].map(({ post }) => post));
  for (const { outcome, before } of rows)
    if (outcome === "deleted") posts.add((before as RemovedComment).post);
  return { comments, posts: [...posts] };
}

interface Plan extends Reverted {
  /** Comments that change back, and those that come back. */
  readonly updated: readonly (PresentComment & { readonly becomes: CommentStatus })[];
  readonly restored: readonly ImportedComment[];
}

async function plan(sql: Sql, rows: readonly ChangeRow[]): Promise<Plan> {
  const { comments, posts: ids } = await presentOf(sql, rows);
  const posts = ids.length === 0 ? new Map<number, never>() : await findTaggedPosts(sql, ids);
  const room = await roomOn(sql, ids);
  const isRoom = (post: number, status: CommentStatus) => {
    const left = room.get(post) ?? 0;
    if (status !== "rejected") room.set(post, left - 1);
    return status === "rejected" || left > 0;
  };
  const updated: Plan["updated"][number][] = [];
  const restored: ImportedComment[] = [];
  const kept: KeptRecord[] = [];
  const left: ChangeRow[] = [];
  const missing: ChangeRow[] = [];
  const gone: number[] = [];
  const keep = (row: ChangeRow, author: string, post: number) => {
    const page = posts.get(post);
    kept.push({ id: row.id, title: author, url: page === undefined ? "" : `${sitePath(page)}#c${row.id}` });
    left.push(row);
  };
  for (const row of rows) {
    const comment = comments.get(row.id);
    if (row.outcome === "updated") {
      const becomes = (row.before as Pick<RemovedComment, "status">).status;
      if (comment === undefined) {
        gone.push(row.id);
        missing.push(row);
      } else if (versionOf(comment.status) !== row.version || !isRoom(comment.post, becomes))
        keep(row, comment.author, comment.post);
      else updated.push({ ...comment, becomes });
      continue;
    }
    const removed = toComment(row as ChangeRow<RemovedComment>);
    if (!posts.has(removed.postId)) {
      // It can still be restored once its post is.
      gone.push(row.id);
      left.push(row);
    } else if (comment !== undefined || !isRoom(removed.postId, removed.status))
      keep(row, removed.author, removed.postId);
    else restored.push(removed);
  }
  return { changed: updated.length + restored.length, kept, gone, left, missing, updated, restored };
}

/** How many comments these posts still take. */
async function roomOn(sql: Sql, posts: readonly number[]): Promise<Map<number, number>> {
  const { commentsPerPost } = limits();
  const room = new Map(posts.map((post) => [post, commentsPerPost]));
  if (posts.length === 0) return room;
  const rows = await sql<{ post_id: number; n: number }>`
    select post_id, count(*) as n from comments where post_id in ${posts} and status <> 'rejected' group by post_id`;
  for (const { post_id, n } of rows) room.set(Number(post_id), commentsPerPost - Number(n));
  return room;
}

async function apply(sql: Sql, planned: Plan): Promise<Reverted> {
  const { updated, restored, changed } = planned;
  for (const [status, comments] of Map.groupBy(updated, ({ becomes }) => becomes))
    await sql`update comments set status = ${status} where id in ${comments.map(({ id }) => id)}`;
  await insertImportedComments(sql, restored);
  if (changed > 0) await countCommentChanges(sql, changed);
  const touched = new Set<number>();
  for (const { post, status, becomes } of updated)
    if (status === "shown" || becomes === "shown") touched.add(post);
  for (const { postId, status } of restored) if (status === "shown") touched.add(postId);
  for (const post of [...touched].toSorted((one, other) => one - other)) await touchPost(sql, post);
  return planned;
}
