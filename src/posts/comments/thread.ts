import type { Sql } from "../../database/database.ts";
import { local, type SafeUrl, segment, withFragment } from "../../web/urls.ts";
import { postUrl } from "../pages/site-links.ts";
import type { SitePost } from "../site-posts.ts";
import type { Comment, ThreadComment } from "./comment.ts";
import { countShownBefore, countShownComments, listShownComments } from "./comment-store.ts";

/** The number of comments on a page. */
export const THREAD_PAGE_SIZE = 100;

/** A page of the comments that a post shows, oldest first: a new comment moves no other one to another page. */
export interface ThreadPage {
  readonly comments: readonly ThreadComment[];
  /** The number of comments on all pages. */
  readonly count: number;
  /** The number of this page, from 1. */
  readonly number: number;
}

/** A comment of a page with the replies to it, and to these, oldest first. */
export interface Branch {
  readonly comment: ThreadComment;
  readonly replies: readonly ThreadComment[];
}

/**
 * The comments of a page in branches, each by its first comment. A reply begins one of its own when the comment to which it
 * replies is on another page, or younger.
 */
export function branchesOf(comments: readonly ThreadComment[]): Branch[] {
  const branches: Branch[] = [];
  /** The replies of its branch, by the id of each comment. */
  const repliesOf = new Map<number, ThreadComment[]>();
  for (const comment of comments) {
    const replies = comment.parent && repliesOf.get(comment.parent.id);
    replies?.push(comment);
    const own = replies ?? [];
    if (replies === undefined) branches.push({ comment, replies: own });
    repliesOf.set(comment.id, own);
  }
  return branches;
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
  if (index < THREAD_PAGE_SIZE) return withFragment(postUrl(post), commentElement(comment));
  return commentPath(post, comment);
}

/** The path that redirects to the current place of a shown comment, also on a static page. */
export function commentPath({ id, slug }: Linked, comment: Pick<Comment, "id">): SafeUrl {
  return local(`/posts/${slug === null ? id : segment(slug)}/comments/${comment.id}`);
}

/** The id of a comment's element on the page. */
export function commentElement({ id }: Pick<Comment, "id">): string {
  return `c${id}`;
}
