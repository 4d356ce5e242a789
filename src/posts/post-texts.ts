import type { Sql } from "../database/database.ts";
import { shownComments } from "./comment-store.ts";
import { type Collection, type Post, type PostResponse, toPostResponse } from "./post.ts";
import type { ListedPost } from "./post-pages.ts";
import { findPosts } from "./post-store.ts";

/** So many bytes of contents are read with the posts of a page; longer ones are read by themselves. */
export const CONTENTS_AT_ONCE = 16 * 1024 * 1024;
/** So many posts with a long content are read at once. */
const LONG_AT_ONCE = 4;
/** So many comments of several posts are read at once; those of one post are, whatever their number. */
const COMMENTS_AT_ONCE = 2_000;

/**
 * Posts as the items of a JSON array, in order, with their comments: in one piece when they fit into the memory
 * together, else in pieces of which each does. One that has gone meanwhile is left out.
 */
export async function* postTexts(
  sql: Sql,
  collection: Collection,
  posts: readonly ListedPost[],
): AsyncGenerator<string> {
  if (posts.length === 0) return;
  const responses = await responsesOf(sql, collection, posts);
  if (responses !== undefined) {
    if (responses.length > 0) yield JSON.stringify(responses).slice(1, -1);
    return;
  }
  const half = Math.ceil(posts.length / 2);
  yield* postTexts(sql, collection, posts.slice(0, half));
  yield* postTexts(sql, collection, posts.slice(half));
}

/** A post as it is returned. */
export async function responseOf(sql: Sql, post: Post): Promise<PostResponse> {
  const comments = await shownComments(sql, [post.id], Number.MAX_SAFE_INTEGER - 1);
  return toPostResponse(post, comments?.get(post.id) ?? []);
}

/** @returns undefined when they are too much for one piece; a single post never is */
async function responsesOf(
  sql: Sql,
  collection: Collection,
  posts: readonly ListedPost[],
): Promise<PostResponse[] | undefined> {
  const long = posts.filter(({ content }) => content === undefined).map(({ id }) => id);
  if (long.length > LONG_AT_ONCE) return undefined;
  const ids = posts.map(({ id }) => id);
  const comments = await shownComments(
    sql,
    ids,
    posts.length === 1 ? Number.MAX_SAFE_INTEGER - 1 : COMMENTS_AT_ONCE,
  );
  if (comments === undefined) return undefined;
  const found = long.length === 0 ? undefined : await findPosts(sql, collection, long);
  return posts.flatMap((listed) => {
    const post =
      listed.content === undefined ? found?.get(listed.id) : { ...listed, content: listed.content };
    return post === undefined ? [] : [toPostResponse(post, comments.get(post.id) ?? [])];
  });
}
