import type { Instant, Sql } from "../database/database.ts";
import type { IndexedCollection } from "../search/collection.ts";
import type { IndexedRecord } from "../search/text/document.ts";
import { linkedPages } from "./linked-pages.ts";

interface PostRow {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly created_at: Instant;
  readonly username: string | null;
}

interface CommentRow {
  readonly post_id: number;
  readonly author: string;
  readonly text: string;
}

interface TagRow {
  readonly post_id: number;
  readonly key: string;
  readonly name: string;
}

/** How posts and drafts are indexed: with their tags and shown comments. */
export const indexedPosts: IndexedCollection = {
  name: "posts",
  vocabulary: {
    fields: { title: "title", text: "body", author: "author" },
    hasTags: true,
    hasSites: false,
  },

  async records(sql, ids) {
    const posts = await sql<PostRow>`
      select p.id, p.title, p.content, p.created_at, a.username
      from posts p left join accounts a on a.id = p.created_by where p.id in ${ids}`;
    const comments = await commentsOf(sql, ids);
    const tags = await tagsOf(sql, ids);
    return posts.map((post) => {
      const id = Number(post.id);
      return toRecord(post, comments.get(id) ?? [], tags.get(id) ?? []);
    });
  },

  async idsAfter(sql, id, limit) {
    const rows = await sql<{ id: number }>`select id from posts where id > ${id} order by id limit ${limit}`;
    return rows.map((row) => Number(row.id));
  },

  async countAfter(sql, id) {
    const [row] = await sql<{ n: number }>`select count(*) as n from posts where id > ${id}`;
    return Number(row?.n);
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

function toRecord(post: PostRow, comments: readonly CommentRow[], tags: readonly TagRow[]): IndexedRecord {
  const { id, title, content, created_at, username } = post;
  const authors = new Set([
    ...(username === null ? [] : [username]),
    ...comments.map(({ author }) => author),
  ]);
  return {
    id: Number(id),
    createdAt: Number(new Date(created_at)),
    title,
    fields: {
      body: [content, ...comments.map(({ text }) => text)].join("\n\n"),
      author: [...authors].join("\n"),
    },
    tags: tags.map(({ name, key }) => ({ name, key })),
    page: "",
    linked: linkedPages(content),
    host: "",
  };
}
