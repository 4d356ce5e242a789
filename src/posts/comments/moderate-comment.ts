import type { Sql } from "../../database/database.ts";
import type { CommentStatus } from "../../records/comment-members.ts";
import { lockPost, touchPost } from "../post-store.ts";
import { refuseWhenFull } from "./add-comment.ts";
import type { Comment } from "./comment.ts";
import { findComment, setCommentStatus } from "./comment-store.ts";

/** A comment, read after its post was locked; undefined when it is gone. */
export async function lockComment(sql: Sql, id: number | bigint): Promise<Comment | undefined> {
  const found = await findComment(sql, id);
  if (found === undefined) return undefined;
  await lockPost(sql, found.postId);
  return findComment(sql, id);
}

/**
 * Sets the status of a comment whose post is locked.
 *
 * @param perPost the maximum number of comments on a post; rejected ones do not count
 * @throws Refusal `conflict` if the comment was rejected, and its post has the maximum number of comments since
 */
export async function moderateComment(
  sql: Sql,
  comment: Comment,
  { status, perPost }: { readonly status: CommentStatus; readonly perPost: number },
): Promise<void> {
  if (comment.status === status) return;
  if (comment.status === "rejected") await refuseWhenFull(sql, comment.postId, perPost);
  await setCommentStatus(sql, comment, status);
  if (status === "shown" || comment.status === "shown") await touchPost(sql, comment.postId);
}
