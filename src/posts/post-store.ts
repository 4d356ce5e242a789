import { contentDigest } from "../database/content-digest.ts";
import type { Sql } from "../database/database.ts";
import { rowList } from "../database/fragment.ts";
import { Refusal } from "../errors.ts";
import { removeEntries, writeEntries } from "../search/index/entries.ts";
import { tagKey } from "../tags/tag-name.ts";
import { countCommentChanges } from "./comments/comment-store.ts";
import { saveVersion } from "./editing/post-versions.ts";
import { authorNames, indexedPost, indexedPosts, indexPosts } from "./indexed-posts.ts";
import {
  collectionOf,
  type Post,
  type PostCollection,
  type PostCreate,
  type PostVersions,
  type TaggedPost,
} from "./post.ts";
import { countAdded, countChanged, countRemoved, type PostCounts } from "./post-counters.ts";
import { COLUMNS, type PostRow, toPost, WITHOUT_CONTENT } from "./post-row.ts";
import { giveSlug, isTaken, keepFormerSlug, slugOfTitle } from "./publication/slug-store.ts";
import { tagsOfPosts } from "./site-posts.ts";

/** @param id may exceed the safe integers; then there is no such post */
export async function findPost(
  sql: Sql,
  collection: PostCollection,
  id: number | bigint,
): Promise<Post | undefined> {
  if (typeof id === "bigint") return undefined;
  const [row] = await sql<PostRow>`
    select ${COLUMNS} from posts where id = ${id} and published = ${collection === "posts"}`;
  return row && toPost(row);
}

/** A post, published or not. */
export async function findPostOrDraft(sql: Sql, id: number): Promise<Post | undefined> {
  const [row] = await sql<PostRow>`select ${COLUMNS} from posts where id = ${id}`;
  return row && toPost(row);
}

/** The posts of a collection by their ids; those no longer in it are left out. */
export async function findPostsById(
  sql: Sql,
  collection: PostCollection,
  ids: readonly number[],
): Promise<Map<number, Post>> {
  const rows = await sql<PostRow>`
    select ${COLUMNS} from posts where id in ${ids} and published = ${collection === "posts"}`;
  return new Map(rows.map((row) => toPost(row)).map((post) => [post.id, post]));
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

/** A post with its tags. */
export async function withTags(sql: Sql, post: Post): Promise<TaggedPost> {
  return { ...post, tags: (await tagsOfPosts(sql, [post.id])).get(post.id) ?? [] };
}

/** Posts with their tags by their ids, without their contents. @param ids at least one */
export async function findTaggedPosts(sql: Sql, ids: readonly number[]): Promise<Map<number, TaggedPost>> {
  const rows = await sql<PostRow>`select ${WITHOUT_CONTENT} from posts where id in ${ids}`;
  const tags = await tagsOfPosts(sql, ids);
  return new Map(
    rows.map((row) => toPost(row)).map((post) => [post.id, { ...post, tags: tags.get(post.id) ?? [] }]),
  );
}

/** Stores a new post, created at `now`. A published one gets a slug. */
export async function insertPost(
  sql: Sql,
  { title, content, published }: PostCreate,
  accountId: number | undefined,
  now: Date,
): Promise<Post> {
  const wanted = published ? slugOfTitle(title) : null;
  let row: PostRow | undefined;
  // On PostgreSQL, another transaction may be taking the slug: it is taken the next time.
  while (row === undefined) {
    // A statement of its own: distributed engines refuse a subquery among the values.
    const isFree = wanted !== null && (await sql`select 1 as n where ${isTaken(wanted)}`).length === 0;
    [row] = await sql<PostRow>`
      insert into posts (title, content, published, created_at, updated_at, published_at, created_by, slug,
        publication_version, digest)
      values (${title}, ${content}, ${published}, ${now}, ${now}, ${published ? now : null}, ${accountId ?? null},
        ${isFree ? wanted : null}, ${published ? 1 : 0}, ${contentDigest(title, content)})
      on conflict (slug) do nothing returning ${WITHOUT_CONTENT}`;
  }
  const post = await withSlug(sql, toPost(row, content));
  const { id } = post;
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
 * moves it from one collection to the other; it is no longer scheduled then, gets a slug if it has none, and keeps it.
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
  const isMoved = published !== read.published;
  const [row] = await sql<PostRow>`
    update posts set title = ${title}, content = ${content}, digest = ${contentDigest(title, content)}, published = ${published}, updated_at = ${now},
      published_at = case when ${published} then coalesce(${publishedAt ?? null}, published_at, ${now})
        else published_at end,
      publish_at = case when ${isMoved} then null else publish_at end,
      publication_version = publication_version + ${isMoved ? 1 : 0},
      version = version + 1
    where id = ${read.id} and version = ${read.version} returning ${WITHOUT_CONTENT}`;
  if (row === undefined) return undefined;
  const post = await withSlug(sql, toPost(row, content));
  if (title !== read.title || content !== read.content) {
    await saveVersion(sql, read, now, accountId);
    await indexPosts(sql, [read.id]);
  }
  if (isMoved) await countMove(sql, read);
  else await countChanged(sql, collectionOf(published));
  return post;
}

/**
 * Stores what a post has beyond its title, content and `published`, and its former slug, which then redirects. The
 * caller has locked the post.
 * @throws Refusal `conflict` when another post has the slug
 */
export async function savePublication(sql: Sql, before: TaggedPost, wanted: TaggedPost): Promise<TaggedPost> {
  const { id, content } = before;
  const { kind, link, slug, summary, language, image, canonicalUrl, publishAt, publishedAt } = wanted;
  const [row] = await sql<PostRow>`
    update posts set kind = ${kind}, link = ${link}, slug = ${slug}, summary = ${summary}, language = ${language},
      image = ${image}, canonical_url = ${canonicalUrl}, publish_at = ${publishAt}, published_at = ${publishedAt},
      publication_version = publication_version + 1, comments_version = comments_version + 1
    where id = ${id} and not exists (select 1 from posts other where other.slug = ${slug} and other.id <> ${id})
    returning ${WITHOUT_CONTENT}`;
  if (row === undefined) throw new Refusal("conflict", `Another post has the slug ${slug}.`);
  const post = await withSlug(sql, toPost(row, content));
  if (before.slug !== null && before.slug !== post.slug) await keepFormerSlug(sql, id, before.slug);
  const tags = await saveTags(sql, id, wanted.tags);
  await indexPosts(sql, [id]);
  await countChanged(sql, collectionOf(post.published));
  return { ...post, tags };
}

/** A published post has a slug. */
async function withSlug(sql: Sql, post: Post): Promise<Post> {
  return post.published && post.slug === null ? giveSlug(sql, post) : post;
}

/** @returns the tags, each once */
async function saveTags(sql: Sql, postId: number, names: readonly string[]): Promise<string[]> {
  await sql`delete from post_tags where post_id = ${postId}`;
  const keys = [...new Map(names.map((name) => [tagKey(name), name])).entries()];
  if (keys.length === 0) return [];
  const rows = keys.map(([key, name], index) => [postId, index + 1, key, name]);
  await sql`insert into post_tags (post_id, position, key, name) values ${rowList(rows)}`;
  return keys.map(([, name]) => name);
}

/** Deletes a post that was read, with its comments; false if it was changed or deleted since. */
export async function deletePostForGood(sql: Sql, read: Post): Promise<boolean> {
  const rows = await sql`delete from posts where id = ${read.id} and version = ${read.version} returning id`;
  if (rows.length === 0) return false;
  await removeEntries(sql, indexedPosts, [read.id]);
  // All of its comments as one change.
  await countCommentChanges(sql, 1);
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

/** Locks posts in the order of their ids, so that two who lock the same ones do not wait for each other. */
export async function lockPosts(sql: Sql, ids: Iterable<number>): Promise<void> {
  for (const id of [...ids].toSorted((one, other) => one - other)) await lockPost(sql, id);
}

/** The same for the posts of comments. */
export async function lockPostsOf(sql: Sql, comments: readonly number[]): Promise<void> {
  const rows = await sql<{ post_id: number }>`select distinct post_id from comments where id in ${comments}`;
  await lockPosts(
    sql,
    rows.map(({ post_id }) => Number(post_id)),
  );
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
