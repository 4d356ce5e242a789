import type { Sql } from "../database/database.ts";
import { ChangedDuringRead } from "../http/caching/rendering.ts";
import { shownComments } from "./comments/comment-store.ts";
import { type Post, type PostCollection, toPostResponse } from "./post.ts";
import { ALL_MEMBERS, type PostDetails, type PostMembers, pickMembers } from "./post-members.ts";
import type { ListedPost } from "./post-pagination.ts";
import { findPostsById, findTaggedPosts, findVersions, withTags } from "./post-store.ts";

/** Bytes of contents read together with the posts of a page; longer contents are read one at a time. */
export const CONTENT_BATCH_BYTES = 16 * 1024 * 1024;
/** Posts with a long content that are read at once. */
const LONG_AT_ONCE = 4;
/** Comments of several posts that are read at once; those of a single post always are. */
const COMMENTS_AT_ONCE = 2_000;

/**
 * Posts as the items of a JSON array, in order, with their comments: in one chunk if they fit in memory together,
 * otherwise in several. All chunks have the listed versions.
 *
 * @throws ChangedDuringRead when a post was changed or deleted after it was listed, before its chunk
 */
export async function* postsAsJson(
  sql: Sql,
  collection: PostCollection,
  posts: readonly ListedPost[],
  members: PostMembers = ALL_MEMBERS,
): AsyncGenerator<string> {
  if (posts.length === 0) return;
  const responses = await responsesOf(sql, collection, posts, members);
  if (responses !== undefined) yield JSON.stringify(responses).slice(1, -1);
  else yield* inPieces(sql, collection, posts, members);
}

async function* inPieces(
  sql: Sql,
  collection: PostCollection,
  posts: readonly ListedPost[],
  members: PostMembers,
): AsyncGenerator<string> {
  const half = Math.ceil(posts.length / 2);
  for (const part of [posts.slice(0, half), posts.slice(half)]) {
    const responses = await responsesOf(sql, collection, part, members);
    if (responses === undefined) {
      yield* inPieces(sql, collection, part, members);
      continue;
    }
    // After all data of the chunk was read.
    await checkUnchanged(sql, part, members);
    yield JSON.stringify(responses).slice(1, -1);
  }
}

/** A post in the form of the response. */
export async function responseOf(sql: Sql, post: Post, members = ALL_MEMBERS): Promise<PostDetails> {
  const comments = members.comments
    ? await shownComments(sql, [post.id], Number.MAX_SAFE_INTEGER - 1)
    : undefined;
  const tagged = members.publication ? await withTags(sql, post) : undefined;
  return pickMembers(toPostResponse(post, comments?.get(post.id) ?? []), members, tagged);
}

/** @returns undefined when they are too much for one chunk; a single post never is */
async function responsesOf(
  sql: Sql,
  collection: PostCollection,
  posts: readonly ListedPost[],
  members: PostMembers,
): Promise<PostDetails[] | undefined> {
  const long = posts.filter(({ content }) => content === undefined).map(({ id }) => id);
  if (long.length > LONG_AT_ONCE) return undefined;
  const ids = posts.map(({ id }) => id);
  const limit = posts.length === 1 ? Number.MAX_SAFE_INTEGER - 1 : COMMENTS_AT_ONCE;
  const comments = members.comments ? await shownComments(sql, ids, limit) : new Map();
  if (comments === undefined) return undefined;
  const tagged = members.publication ? await findTaggedPosts(sql, ids) : undefined;
  const found = long.length === 0 ? undefined : await findPostsById(sql, collection, long);
  return posts.map((listed) => {
    const post =
      listed.content === undefined ? found?.get(listed.id) : { ...listed, content: listed.content };
    if (post === undefined || post.version !== listed.version) throw changed(listed);
    return pickMembers(toPostResponse(post, comments.get(post.id) ?? []), members, tagged?.get(post.id));
  });
}

/** @throws ChangedDuringRead when a post may have changed after it was listed */
async function checkUnchanged(
  sql: Sql,
  posts: readonly ListedPost[],
  { comments, publication }: PostMembers,
): Promise<void> {
  const versions = await findVersions(
    sql,
    posts.map(({ id }) => id),
  );
  for (const listed of posts) {
    const current = versions.get(listed.id);
    const isPostUnchanged = listed.content !== undefined || current?.version === listed.version;
    // Comments and publication share a version.
    const areExtrasUnchanged =
      !(comments || publication) || current?.commentsVersion === listed.commentsVersion;
    if (!isPostUnchanged || !areExtrasUnchanged) throw changed(listed);
  }
}

function changed({ id }: ListedPost): ChangedDuringRead {
  return new ChangedDuringRead(`post ${id} has changed since it was listed`);
}
