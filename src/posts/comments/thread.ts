import type { Sql } from "../../database/database.ts";
import { local, type SafeUrl, withFragment } from "../../web/urls.ts";
import { postUrl } from "../pages/site-links.ts";
import type { SitePost } from "../site-posts.ts";
import type { Comment } from "./comment.ts";
import { countShownBefore, countShownComments, listShownComments } from "./comment-store.ts";

/** The number of comments on a page. */
export const THREAD_PAGE_SIZE = 100;

/** A page of the comments that a post shows, oldest first: a new comment moves no other one to another page. */
export interface ThreadPage {
  readonly comments: readonly Comment[];
  /** The number of comments on all pages. */
  readonly count: number;
  /** The number of this page, from 1. */
  readonly number: number;
}

/** The thread of a post without comments. */
export const NO_COMMENTS: ThreadPage = { comments: [], count: 0, number: 1 };

/** @returns undefined for a page past the end; the first one always exists */
export async function readThreadPage(
  sql: Sql,
  postId: number,
  number: number,
): Promise<ThreadPage | undefined> {
  const offset = (number - 1) * THREAD_PAGE_SIZE;
  const comments = await listShownComments(sql, postId, { limit: THREAD_PAGE_SIZE + 1, offset });
  if (comments.length === 0 && number > 1) return undefined;
  const isWhole = number === 1 && comments.length <= THREAD_PAGE_SIZE;
  const count = isWhole ? comments.length : await countShownComments(sql, postId);
  return { comments: comments.slice(0, THREAD_PAGE_SIZE), count, number };
}

type Linked = Pick<SitePost, "id" | "slug" | "kind">;

/** A page of a post's comments; the first one is the page of the post. */
export function threadPageUrl(post: Linked, number: number): SafeUrl {
  return local(postUrl(post) as `/${string}`, { comments: number === 1 ? undefined : number });
}

/** The current place of a shown comment. */
export async function placeOfComment(sql: Sql, post: Linked, comment: Comment): Promise<SafeUrl> {
  const before = await countShownBefore(sql, comment);
  return withFragment(
    threadPageUrl(post, Math.floor(before / THREAD_PAGE_SIZE) + 1),
    commentElement(comment),
  );
}

/**
 * The permanent URL of a shown comment. Beyond the first page, it redirects to the current place, since earlier comments
 * can be removed.
 * @param index its index among the comments of the post, from 0
 */
export function commentUrl(post: Linked, comment: Pick<Comment, "id">, index: number): SafeUrl {
  const url = postUrl(post);
  if (index < THREAD_PAGE_SIZE) return withFragment(url, commentElement(comment));
  return local(`${url as `/${string}`}/comments/${comment.id}`);
}

/** The id of a comment's element on the page. */
export function commentElement({ id }: Pick<Comment, "id">): string {
  return `c${id}`;
}
