import { inBatchesOfFewSizes } from "../batches.ts";
import type { Sql } from "../database/database.ts";
import type { Rows } from "../database/schema/rows.ts";
import type { IndexedCollection } from "../search/collection.ts";
import { requestIndexing, writeEntries } from "../search/index/entries.ts";
import type { IndexedRecord } from "../search/text/document.ts";
import { linkedPages } from "./linked-pages.ts";
import { collectionOf } from "./post.ts";
import { countChanged } from "./post-counters.ts";

/** How many posts are in memory at once: their texts may be long. */
const POSTS_AT_ONCE = 50;
/** The maximum number of posts that the transaction of an import indexes. */
const NEW_POSTS_MAX = 1_000;

type IndexedPostRow = Pick<Rows["posts"], "id" | "title" | "content" | "created_at"> & {
  readonly author: string | null;
};

type CommentRow = Pick<Rows["comments"], "post_id" | "author" | "text">;

type TagRow = Omit<Rows["post_tags"], "position">;

/** How posts and drafts are indexed: with their tags and shown comments. */
export const indexedPosts: IndexedCollection = {
  name: "posts",
  vocabulary: {
    fields: { title: "title", text: "body", author: "author" },
    hasTags: true,
    hasSites: false,
  },

  async records(sql, ids) {
    const posts = await sql<IndexedPostRow>`
      select p.id, p.title, p.content, p.created_at, coalesce(a.display_name, a.username) as author
      from posts p left join accounts a on a.id = p.created_by where p.id in ${ids}`;
    const comments = await commentsOf(sql, ids);
    const tags = await tagsOf(sql, ids);
    return posts.map((post) => {
      const id = Number(post.id);
      return toRecord(post, comments.get(id) ?? [], tags.get(id) ?? []);
    });
  },
};

async function commentsOf(sql: Sql, ids: readonly number[]): Promise<Map<number, CommentRow[]>> {
  const rows = await sql<CommentRow>`
    select post_id, author, text from comments where post_id in ${ids} and status = 'shown'
    order by post_id, created_at, id`;
  return Map.groupBy(rows, ({ post_id }) => Number(post_id));
}

async function tagsOf(sql: Sql, ids: readonly number[]): Promise<Map<number, TagRow[]>> {
  const rows = await sql<TagRow>`
    select post_id, key, name from post_tags where post_id in ${ids} order by post_id, position`;
  return Map.groupBy(rows, ({ post_id }) => Number(post_id));
}

function toRecord(
  post: IndexedPostRow,
  comments: readonly CommentRow[],
  tags: readonly TagRow[],
): IndexedRecord {
  const { id, title, content, created_at, author } = post;
  return indexedPost({
    id: Number(id),
    title,
    content,
    createdAt: new Date(created_at),
    authors: [...(author === null ? [] : [author]), ...comments.map(({ author }) => author)],
    comments: comments.map(({ text }) => text),
    tags: tags.map(({ name, key }) => ({ name, key })),
  });
}

/** A post as the index takes it. */
export function indexedPost({
  id,
  title,
  content,
  createdAt,
  authors,
  comments = [],
  tags = [],
}: {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly createdAt: Date;
  /** Of the post and its comments. */
  readonly authors: readonly string[];
  /** The texts of the comments that it shows. */
  readonly comments?: readonly string[];
  readonly tags?: IndexedRecord["tags"];
}): IndexedRecord {
  return {
    id,
    createdAt: Number(createdAt),
    title,
    fields: { body: [content, ...comments].join("\n\n"), author: [...new Set(authors)].join("\n") },
    tags,
    page: "",
    linked: linkedPages(content),
    host: "",
  };
}

/** The names by which the posts of an account are found. */
export async function authorNames(sql: Sql, accountId: number): Promise<string[]> {
  const rows = await sql<{ author: string }>`
    select coalesce(display_name, username) as author from accounts where id = ${accountId}`;
  return rows.map(({ author }) => author);
}

/**
 * Finds the posts of an account under its new name, or no longer by one that is gone, in the transaction that changes it;
 * those of very many, a job does. What searches find changes, and so do their lists.
 */
export async function indexPostsOfAccount(sql: Sql, accountId: number): Promise<void> {
  const rows = await sql<{ id: number; published: boolean | number }>`
    select id, published from posts where created_by = ${accountId}`;
  const hasWords = rows.length <= NEW_POSTS_MAX;
  for (const batch of inBatchesOfFewSizes(rows, POSTS_AT_ONCE)) {
    const ids = batch.map(({ id }) => Number(id));
    await writeEntries(sql, indexedPosts, await indexedPosts.records(sql, ids), { isNew: false, hasWords });
  }
  if (!hasWords) await requestIndexing(sql, indexedPosts);
  const collections = new Set(rows.map(({ published }) => collectionOf(Boolean(published))));
  for (const collection of [...collections].toSorted()) await countChanged(sql, collection);
}

/** Brings the entries of posts in the search index up to date, in the transaction that changes them. */
export async function indexPosts(sql: Sql, ids: readonly number[]): Promise<void> {
  for (const batch of inBatchesOfFewSizes(ids, POSTS_AT_ONCE))
    await writeEntries(sql, indexedPosts, await indexedPosts.records(sql, batch), { isNew: false });
}

/** Adds posts whose words wait for {@link indexNewPosts}, since comments and tags follow. */
export async function addUnindexedPosts(
  sql: Sql,
  posts: readonly Pick<IndexedRecord, "id" | "title" | "createdAt">[],
): Promise<void> {
  const records = posts.map((post) => ({ ...post, fields: {}, tags: [], page: "", host: "" }));
  await writeEntries(sql, indexedPosts, records, { isNew: true, hasWords: false });
}

/** The words of the posts that a transaction has added, with those of their comments. */
export class NewPostWords {
  /** Before all counters. */
  readonly name = "";

  store(sql: Sql): Promise<void> {
    return indexNewPosts(sql);
  }
}

/** Indexes the posts that a transaction has added; of very many, a job does. */
async function indexNewPosts(sql: Sql): Promise<void> {
  const rows = await sql<{ id: number }>`
    select id from search_posts where version = 0 limit ${NEW_POSTS_MAX + 1}`;
  if (rows.length > NEW_POSTS_MAX) return requestIndexing(sql, indexedPosts);
  await indexPosts(
    sql,
    rows.map(({ id }) => Number(id)),
  );
}
