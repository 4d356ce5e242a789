import type { Instant, Sql } from "../../database/database.ts";
import { type Fragment, fragment } from "../../database/fragment.ts";
import type { PostKind } from "../../posts/publication/publication.ts";

/** A published post or page, without its content. */
export interface StoredPost {
  readonly id: number;
  readonly title: string;
  readonly kind: PostKind;
  readonly link: string | null;
  readonly slug: string | null;
  readonly summary: string | null;
  readonly image: string | null;
  readonly canonicalUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date;
  /** The id of an account, which may be deleted. */
  readonly createdBy: number | null;
}

interface PostRow {
  readonly id: number;
  readonly title: string;
  readonly kind: PostKind;
  readonly link: string | null;
  readonly slug: string | null;
  readonly summary: string | null;
  readonly image: string | null;
  readonly canonical_url: string | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly published_at: Instant;
  readonly created_by: number | null;
}

/** Ghost's two resources that are posts here. */
export type GhostResource = "posts" | "pages";

export async function listStoredPosts(
  sql: Sql,
  kind: GhostResource,
  condition: Fragment,
  { order, limit, offset }: { readonly order: Fragment; readonly limit: number; readonly offset: number },
): Promise<StoredPost[]> {
  const rows = await sql<PostRow>`
    select posts.id, title, kind, link, slug, summary, image, canonical_url, posts.created_at, posts.updated_at,
      posts.published_at, created_by
    from publications join posts on posts.id = post_id
    where ${OF_KIND[kind]} and ${condition}
    order by ${order} limit ${limit} offset ${offset}`;
  return rows.map(fromRow);
}

export async function countStoredPosts(sql: Sql, kind: GhostResource, condition: Fragment): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from publications join posts on posts.id = post_id
    where ${OF_KIND[kind]} and ${condition}`;
  return Number(row?.n);
}

/** The contents of posts by their ids: Markdown. */
export async function findContents(sql: Sql, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ id: number; content: string }>`
    select id, content from posts where id in ${ids} and published = ${true}`;
  return new Map(rows.map(({ id, content }) => [Number(id), content]));
}

const OF_KIND: Readonly<Record<GhostResource, Fragment>> = {
  // Published posts without pages: this condition uses the index on listed_at.
  posts: fragment`listed_at is not null`,
  pages: fragment`published = ${true} and kind = 'page'`,
};

function fromRow(row: PostRow): StoredPost {
  return {
    id: Number(row.id),
    title: row.title,
    kind: row.kind,
    link: row.link,
    slug: row.slug,
    summary: row.summary,
    image: row.image,
    canonicalUrl: row.canonical_url,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    publishedAt: new Date(row.published_at),
    createdBy: row.created_by === null ? null : Number(row.created_by),
  };
}
