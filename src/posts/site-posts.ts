import type { Instant, Sql } from "../database/database.ts";
import { type Fragment, fragment, joined } from "../database/fragment.ts";
import type { PostKind } from "./publication/publication.ts";

/** A published post, with what the site shows. */
export interface SitePost {
  readonly id: number;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  readonly kind: PostKind;
  readonly link: string | null;
  readonly slug: string | null;
  readonly summary: string | null;
  readonly language: string | null;
  readonly image: string | null;
  readonly canonicalUrl: string | null;
  /** The account that wrote it; null if there is none, or not any more. */
  readonly authorId: number | null;
  readonly publishedAt: Date;
  readonly updatedAt: Date;
}

interface SiteRow extends Omit<SitePost, "canonicalUrl" | "authorId" | "publishedAt" | "updatedAt"> {
  readonly canonical_url: string | null;
  readonly created_by: number | null;
  readonly published_at: Instant;
  readonly updated_at: Instant;
}

/** A filter of the stream; by default, all listed posts. */
export interface StreamFilter {
  readonly kind?: PostKind | undefined;
  /** A tag's key; includes the tags below it. */
  readonly tag?: string | undefined;
  /** The id of the account that wrote them. */
  readonly author?: number | undefined;
  readonly from?: Date | undefined;
  readonly before?: Date | undefined;
  /** Published in one of these times; at least one. */
  readonly within?: readonly { readonly from: Date; readonly before: Date }[] | undefined;
}

const MEMBERS = fragment`
  posts.id, title, kind, link, slug, summary, language, image, canonical_url, posts.created_by, published_at, updated_at`;

/** The posts of the stream, newest first. */
export async function listStream(
  sql: Sql,
  filter: StreamFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<SitePost[]> {
  const rows = await sql<SiteRow>`
    select ${MEMBERS}, content from publications join posts on posts.id = post_id where ${conditionOf(filter)}
    order by listed_at desc, post_id desc limit ${limit} offset ${offset}`;
  return rows.map(fromRow);
}

/** The posts of the stream without their contents. */
export async function listTitles(
  sql: Sql,
  filter: StreamFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<SitePost[]> {
  const rows = await sql<SiteRow>`
    select ${MEMBERS}, '' as content from publications join posts on posts.id = post_id where ${conditionOf(filter)}
    order by listed_at desc, post_id desc limit ${limit} offset ${offset}`;
  return rows.map(fromRow);
}

export async function countStream(sql: Sql, filter: StreamFilter): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from publications where ${conditionOf(filter)}`;
  return Number(row?.n);
}

/** The dates of the oldest and the newest post of the stream. */
export async function streamRange(sql: Sql): Promise<{ first: Date; last: Date } | undefined> {
  const [row] = await sql<{ first: Instant | null; last: Instant | null }>`
    select min(listed_at) as first, max(listed_at) as last from publications where listed_at is not null`;
  if (row?.first == null || row.last === null) return undefined;
  return { first: new Date(row.first), last: new Date(row.last) };
}

/** A published post or page by its slug. */
export async function findBySlug(sql: Sql, slug: string): Promise<SitePost | undefined> {
  const [row] = await sql<SiteRow>`
    select ${MEMBERS}, content from publications join posts on posts.id = post_id
    where slug = ${slug} and published = ${true}`;
  return row && fromRow(row);
}

/** A published post or page. */
export async function findSitePost(sql: Sql, id: number): Promise<SitePost | undefined> {
  const [row] = await sql<SiteRow>`
    select ${MEMBERS}, content from publications join posts on posts.id = post_id
    where posts.id = ${id} and published = ${true}`;
  return row && fromRow(row);
}

/** Published posts and pages in the order of the given ids; missing ones are left out. */
export async function listByIds(sql: Sql, ids: readonly number[]): Promise<SitePost[]> {
  if (ids.length === 0) return [];
  const rows = await sql<SiteRow>`
    select ${MEMBERS}, content from publications join posts on posts.id = post_id
    where posts.id in ${ids} and published = ${true}`;
  const byId = new Map(rows.map((row) => [Number(row.id), row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [fromRow(row)];
  });
}

/** The newest published ones of the given posts, without their texts, and how many of them are published. */
export async function listNewestOf(
  sql: Sql,
  ids: readonly number[],
  limit: number,
): Promise<{ posts: SitePost[]; total: number }> {
  if (ids.length === 0) return { posts: [], total: 0 };
  const rows = await sql<SiteRow & { total: number }>`
    select ${MEMBERS}, '' as content, count(*) over () as total
    from publications join posts on posts.id = post_id
    where posts.id in ${ids} and published = ${true} order by published_at desc, posts.id desc limit ${limit}`;
  return { posts: rows.map(fromRow), total: Number(rows[0]?.total ?? 0) };
}

/** The published pages, by title. */
export async function listPages(sql: Sql): Promise<SitePost[]> {
  const rows = await sql<SiteRow>`
    select ${MEMBERS}, '' as content from publications join posts on posts.id = post_id
    where kind = 'page' and published = ${true} order by title, posts.id limit 200`;
  return rows.map(fromRow);
}

/** The posts of the stream before and after one, by date. */
export async function neighborsOf(
  sql: Sql,
  { id, publishedAt }: Pick<SitePost, "id" | "publishedAt">,
): Promise<{ before: SitePost | undefined; after: SitePost | undefined }> {
  const [before] = await sql<SiteRow>`
    select ${MEMBERS}, '' as content from publications join posts on posts.id = post_id
    where listed_at is not null and (listed_at, post_id) < (${publishedAt}, ${id})
    order by listed_at desc, post_id desc limit 1`;
  const [after] = await sql<SiteRow>`
    select ${MEMBERS}, '' as content from publications join posts on posts.id = post_id
    where listed_at is not null and (listed_at, post_id) > (${publishedAt}, ${id})
    order by listed_at, post_id limit 1`;
  return { before: before && fromRow(before), after: after && fromRow(after) };
}

/** The tags of posts, as they were written, by the id of their post. */
export async function tagsOfPosts(sql: Sql, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ post_id: number; name: string }>`
    select post_id, name from post_tags where post_id in ${ids} order by post_id, position`;
  const groups = Map.groupBy(rows, ({ post_id }) => Number(post_id));
  return new Map([...groups].map(([id, tags]) => [id, tags.map(({ name }) => name)]));
}

/** The number of shown comments by post id, without posts that have none. */
export async function shownCommentCounts(sql: Sql, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<{ post_id: number; n: number }>`
    select post_id, count(*) as n from comments where post_id in ${ids} and status = 'shown' group by post_id`;
  return new Map(rows.map(({ post_id, n }) => [Number(post_id), Number(n)]));
}

function conditionOf({ kind, tag, author, from, before, within }: StreamFilter): Fragment {
  return joined(
    [
      fragment`listed_at is not null`,
      ...(kind === undefined ? [] : [fragment`kind = ${kind}`]),
      ...(from === undefined ? [] : [fragment`listed_at >= ${from}`]),
      ...(before === undefined ? [] : [fragment`listed_at < ${before}`]),
      ...(within === undefined
        ? []
        : [
            fragment`(${joined(
              within.map((one) => fragment`(listed_at >= ${one.from} and listed_at < ${one.before})`),
              fragment` or `,
            )})`,
          ]),
      ...(author === undefined
        ? []
        : [fragment`post_id in (select id from posts where created_by = ${author} and published = ${true})`]),
      ...(tag === undefined
        ? []
        : [
            fragment`post_id in (select post_id from post_tags where key = ${tag} or key like ${below(tag)} escape '~')`,
          ]),
    ],
    fragment` and `,
  );
}

/** A pattern for the keys of tags below a tag. */
function below(key: string): string {
  return `${key.replace(/[~%_]/g, "~$&")}/%`;
}

function fromRow(row: SiteRow): SitePost {
  return {
    id: Number(row.id),
    title: row.title,
    content: row.content,
    kind: row.kind,
    link: row.link,
    slug: row.slug,
    summary: row.summary,
    language: row.language,
    image: row.image,
    canonicalUrl: row.canonical_url,
    authorId: row.created_by === null ? null : Number(row.created_by),
    publishedAt: new Date(row.published_at),
    updatedAt: new Date(row.updated_at),
  };
}
