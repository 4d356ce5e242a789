import {
  addChangeRows,
  type ChangeRow,
  continueChange,
  type StartedChange,
} from "../../changes/change-store.ts";
import type { Database, Instant, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { CommentStatus } from "../../records/comment-members.ts";
import { deleteComment, findComment } from "../comments/comment-store.ts";
import { lockPost, touchPost } from "../post-store.ts";

/** A removed comment in the record of its removal. Its sender is not kept: that ends after 30 days, whatever happens. */
export interface RemovedComment {
  readonly post: number;
  readonly author: string;
  readonly text: string;
  readonly status: CommentStatus;
  readonly reasons: string | null;
  readonly created_at: string;
  readonly created_by: number | null;
  readonly parent: number | null;
}

export interface CommentColumns extends Omit<RemovedComment, "post" | "parent" | "created_at"> {
  readonly id: number;
  readonly post_id: number;
  readonly parent_id: number | null;
  readonly created_at: Instant;
}

export const COMMENT_COLUMNS = fragment`id, post_id, parent_id, author, text, status, reasons, created_at, created_by`;

/** Only the status of a comment changes, so it is its version in the record of a change. */
export function versionOf(status: CommentStatus): number {
  return CommentStatus.options.indexOf(status);
}

/** The row of a removed comment. */
export function removedComment(columns: CommentColumns): ChangeRow<RemovedComment> {
  const { id, post_id, parent_id, author, text, status, reasons, created_at, created_by } = columns;
  return {
    ...{ record: "comment", id: Number(id), outcome: "deleted", version: versionOf(status) },
    before: {
      ...{ post: Number(post_id), author, text, status, reasons },
      created_at: new Date(created_at).toISOString(),
      created_by: created_by === null ? null : Number(created_by),
      parent: parent_id === null ? null : Number(parent_id),
    },
  };
}

/**
 * Removes comments; they can be restored for 30 days. Each in its own transaction: a concurrent decision on one does not
 * stop the others.
 *
 * @returns the key that undoes it; null if none of them was there
 */
export async function removeComments(
  database: Database,
  ids: readonly number[],
  accountId: number | undefined,
  now: Date,
): Promise<string | null> {
  const description = {
    record: "comment",
    kind: "remove",
    details: { comments: ids.length },
    accountId,
  } as const;
  let change: StartedChange | undefined;
  for (const id of ids) {
    const started = change;
    change = await database.write(async (sql) => {
      const removed = await removeOne(sql, id);
      if (removed === undefined) return started;
      const kept = await continueChange(sql, started, description, now);
      await addChangeRows(sql, kept.id, [removed]);
      return kept;
    });
  }
  return change?.key ?? null;
}

async function removeOne(sql: Sql, id: number): Promise<ChangeRow | undefined> {
  const found = await findComment(sql, id);
  if (found === undefined) return undefined;
  await lockPost(sql, found.postId);
  const [columns] = await sql<CommentColumns>`select ${COMMENT_COLUMNS} from comments where id = ${id}`;
  if (columns === undefined) return undefined;
  if (!(await deleteComment(sql, { ...found, status: columns.status }))) return undefined;
  if (columns.status === "shown") await touchPost(sql, found.postId);
  return removedComment(columns);
}
