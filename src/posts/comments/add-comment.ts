import type { Sql } from "../../database/database.ts";
import { notFound, Refusal } from "../../errors.ts";
import { readSite } from "../../web/site/site-store.ts";
import { listAuthors } from "../authors.ts";
import { lockPost, touchPost } from "../post-store.ts";
import type { Comment } from "./comment.ts";
import { countCommentsOf, insertComment, type NewComment } from "./comment-store.ts";
import { looksLikeOneOf } from "./look-alikes.ts";

/** @throws Refusal `conflict` if the post has the maximum number of comments */
export async function refuseWhenFull(sql: Sql, postId: number, perPost: number): Promise<void> {
  if ((await countCommentsOf(sql, postId)) >= perPost) throw fullPost(perPost);
}

/** The refusal of another comment on a post that has the maximum number of them. */
export function fullPost(perPost: number): Refusal {
  return new Refusal("conflict", `This post has reached the maximum of ${perPost} comments.`);
}

/**
 * Adds a comment to a published post.
 * @throws Refusal `not_found` when there is no such post, `conflict` if it has the maximum number of comments or
 * the same comment
 */
export async function addComment(
  sql: Sql,
  comment: NewComment,
  { perPost, now }: { readonly perPost: number; readonly now: Date },
): Promise<Comment> {
  const locked = await lockPost(sql, comment.postId);
  if (locked?.collection !== "posts") throw notFound("Post", comment.postId);
  await refuseWhenFull(sql, comment.postId, perPost);
  if (await hasComment(sql, comment)) throw new Refusal("conflict", "This comment was already added.");
  const added = await insertComment(sql, comment, now);
  if (comment.status === "shown") await touchPost(sql, comment.postId);
  return added;
}

/**
 * Whether a name looks like one that readers see on posts or comments of an account. A stranger's comment under it waits.
 * Other names of accounts are not compared, so that the response does not tell who can sign in.
 */
export async function looksLikeAccount(sql: Sql, author: string): Promise<boolean> {
  const authors = await listAuthors(sql);
  const commenters = await sql<{ author: string }>`
    select distinct author from comments where created_by is not null and status = ${"shown"}`;
  const names = [
    ...authors.map(({ name }) => name),
    ...commenters.map((commenter) => commenter.author),
    // Posts of an only author without a displayed name are the site's.
    (await readSite(sql)).name,
  ];
  return looksLikeOneOf(author, names);
}

/** Whether a comment under this name was shown before. */
export async function isKnownAuthor(sql: Sql, author: string): Promise<boolean> {
  const rows = await sql`select id from comments where author = ${author} and status = 'shown' limit 1`;
  return rows.length > 0;
}

async function hasComment(sql: Sql, { postId, author, text }: NewComment): Promise<boolean> {
  const rows = await sql`
    select id from comments where post_id = ${postId} and author = ${author} and text = ${text}
      and status in ('shown', 'waiting', 'rejected') limit 1`;
  return rows.length > 0;
}
