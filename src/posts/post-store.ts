import type { Instant, Sql } from "../database/database.ts";
import { removeEntries, writeEntries } from "../search/index/entries.ts";
import { countCommentsGone } from "./comments/comment-store.ts";
import { saveVersion } from "./editing/post-versions.ts";
import { authorNames, indexedPost, indexedPosts, indexPosts } from "./indexed-posts.ts";
import { collectionOf, type Post, type PostCollection, type PostCreate, type PostVersions } from "./post.ts";
import { countAdded, countChanged, countRemoved, type PostCounts } from "./post-counters.ts";
import { publishDraft, publishNew, unpublish } from "./publication/publication-store.ts";

interface PostRow {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean | number;
  readonly created_at: Instant;
  readonly version: number;
  readonly comments_version: number;
}

/** @param id may exceed the safe integers; then there is no such post */
export async function findPost(
  sql: Sql,
  collection: PostCollection,
  id: number | bigint,
): Promise<Post | undefined> {
  if (typeof id === "bigint") return undefined;
  const [row] = await sql<PostRow>`
    select id, title, content, published, created_at, version, comments_version from posts
    where id = ${id} and published = ${collection === "posts"}`;
  return row && toPost(row);
}

/** The posts of a collection by their ids; those no longer in it are left out. */
export async function findPostsById(
  sql: Sql,
  collection: PostCollection,
  ids: readonly number[],
): Promise<Map<number, Post>> {
  const rows = await sql<PostRow>`
    select id, title, content, published, created_at, version, comments_version from posts
    where id in ${ids} and published = ${collection === "posts"}`;
  return new Map(rows.map(toPost).map((post) => [post.id, post]));
}

/** The version numbers of posts, by id; deleted posts are left out. */
export async function findVersions(sql: Sql, ids: readonly number[]): Promise<Map<number, PostVersions>> {
  const rows = await sql<Pick<PostRow, "id" | "version" | "comments_version">>`
    select id, version, comments_version from posts where id in ${ids}`;
  return new Map(
    rows.map(({ id, version, comments_version }) => [
      Number(id),
      { version: Number(version), commentsVersion: Number(comments_version) },
    ]),
  );
}

/** Stores a new post, created at `now`. */
export async function insertPost(
  sql: Sql,
  { title, content, published }: PostCreate,
  accountId: number | undefined,
  now: Date,
): Promise<Post> {
  const rows = await sql<{ id: number }>`
    insert into posts (title, content, published, created_at, updated_at, published_at, created_by)
    values (${title}, ${content}, ${published}, ${now}, ${now}, ${published ? now : null}, ${accountId ?? null})
    returning id`;
  const [row] = rows;
  if (row === undefined) throw new Error("an insert returned no row");
  const id = Number(row.id);
  const post = { id, title, content, published, createdAt: now, version: 1, commentsVersion: 0 };
  if (published) await publishNew(sql, post, now);
  const record = indexedPost({
    ...{ id, title, content, createdAt: now },
    authors: accountId === undefined ? [] : await authorNames(sql, accountId),
  });
  await writeEntries(sql, indexedPosts, [record], { isNew: true });
  await countAdded(sql, collectionOf(published), now);
  return post;
}

/** Details of a change of a post, besides its fields. */
export interface PostChange {
  readonly accountId?: number | undefined;
  /** The publication date of a post that is being published; by default the first one, else now. */
  readonly publishedAt?: Date | undefined;
}

/**
 * Overwrites the version of a post that was read; its previous text becomes a version. Publishing or unpublishing it
 * moves it from one collection to the other.
 *
 * @returns undefined if it was changed or deleted since
 */
export async function updatePost(
  sql: Sql,
  read: Post,
  fields: PostCreate,
  now: Date,
  { accountId, publishedAt }: PostChange = {},
): Promise<Post | undefined> {
  const { title, content, published } = fields;
  const [row] = await sql<{ version: number; comments_version: number; published_at: Instant | null }>`
    update posts set title = ${title}, content = ${content}, published = ${published}, updated_at = ${now},
      published_at = case when ${published} then coalesce(${publishedAt ?? null}, published_at, ${now})
        else published_at end,
      version = version + 1
    where id = ${read.id} and version = ${read.version} returning version, comments_version, published_at`;
  if (row === undefined) return undefined;
  if (title !== read.title || content !== read.content) {
    await saveVersion(sql, read, now, accountId);
    await indexPosts(sql, [read.id]);
  }
  if (published && !read.published)
    await publishDraft(sql, { id: read.id, title, published }, new Date(row.published_at ?? now));
  if (!published && read.published) await unpublish(sql, read.id);
  if (published === read.published) await countChanged(sql, collectionOf(published));
  else await countMove(sql, read);
  const versions = { version: Number(row.version), commentsVersion: Number(row.comments_version) };
  return { ...read, title, content, published, ...versions };
}

/** Deletes a post that was read, with its comments; false if it was changed or deleted since. */
export async function deletePost(sql: Sql, read: Post): Promise<boolean> {
  const rows = await sql`delete from posts where id = ${read.id} and version = ${read.version} returning id`;
  if (rows.length === 0) return false;
  await removeEntries(sql, indexedPosts, [read.id]);
  await countCommentsGone(sql);
  await countRemoved(sql, collectionOf(read.published), read.createdAt);
  return true;
}

/**
 * Locks a post, with its comments and counters, until the transaction ends. To be called before any change of the
 * post, so that transactions cannot deadlock.
 *
 * @returns its collection and versions; undefined when it was deleted
 */
export async function lockPost(
  sql: Sql,
  id: number,
): Promise<({ readonly collection: PostCollection } & PostVersions) | undefined> {
  const [row] = await sql<Pick<PostRow, "published" | "version" | "comments_version">>`
    update posts set version = version where id = ${id} returning published, version, comments_version`;
  if (row === undefined) return undefined;
  const versions = { version: Number(row.version), commentsVersion: Number(row.comments_version) };
  return { collection: collectionOf(Boolean(row.published)), ...versions };
}

/** Counts a change of the post's comments: the post and its collection have new versions. */
export async function touchPost(sql: Sql, id: number): Promise<void> {
  const [row] = await sql<{ published: boolean | number }>`
    update posts set comments_version = comments_version + 1 where id = ${id} returning published`;
  if (row === undefined) return;
  await indexPosts(sql, [id]);
  await countChanged(sql, collectionOf(Boolean(row.published)));
}

/** The same for many posts, whose changes are counted with others'. @param ids locked in their order */
export async function touchPosts(sql: Sql, ids: Iterable<number>, counts: PostCounts): Promise<void> {
  for (const id of [...ids].toSorted((a, b) => a - b)) {
    const [row] = await sql<{ published: boolean | number }>`
      update posts set comments_version = comments_version + 1 where id = ${id} returning published`;
    if (row !== undefined) counts.change(collectionOf(Boolean(row.published)));
  }
  await indexPosts(sql, [...ids]);
}

/** Moves a post to the other collection; `drafts` before `posts`, the order of the counters' names. */
async function countMove(sql: Sql, { published, createdAt }: Post): Promise<void> {
  const [drafts, posts] = published ? [countAdded, countRemoved] : [countRemoved, countAdded];
  await drafts(sql, "drafts", createdAt);
  await posts(sql, "posts", createdAt);
}

export function toPost(row: PostRow): Post {
  return {
    id: Number(row.id),
    title: row.title,
    content: row.content,
    published: Boolean(row.published),
    createdAt: new Date(row.created_at),
    version: Number(row.version),
    commentsVersion: Number(row.comments_version),
  };
}
