import type { Instant, Sql } from "../database/database.ts";
import { type Fragment, fragment, joined } from "../database/fragment.ts";
import type { PostKind } from "../records/publication-members.ts";
import type { Post, PostVersions } from "./post.ts";
import { COLUMNS, LISTED, type PostRow, toPost, WITHOUT_CONTENT } from "./post-row.ts";
import { shownTitle } from "./shown-title.ts";

/** A published post, as the site shows it. */
export interface SitePost
  extends Omit<Post, keyof PostVersions | "published" | "publishAt" | "publicationVersion"> {
  readonly publishedAt: Date;
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
}

/** The posts of the stream, newest first. */
export const listStream = listing(COLUMNS);

/** The posts of the stream without their contents. */
export const listTitles = listing(WITHOUT_CONTENT);

function listing(columns: Fragment) {
  return async (
    sql: Sql,
    filter: StreamFilter,
    { limit, offset }: { limit: number; offset: number },
  ): Promise<SitePost[]> => {
    const rows = await sql<PostRow>`
      select ${columns} from posts where ${conditionOf(filter)}
      order by published_at desc, id desc limit ${limit} offset ${offset}`;
    return rows.map(toSitePost);
  };
}

/** Posts of the stream in any of some ranges, newest first, without their contents. Each range is a look-up in the index. */
export async function listTitlesWithin(
  sql: Sql,
  ranges: readonly { readonly from: Date; readonly before: Date }[],
  limit: number,
): Promise<SitePost[]> {
  const newest = fragment`order by published_at desc, id desc limit ${limit}`;
  const ofRanges = ranges.map(
    ({ from, before }) => fragment`
      select id, published_at from (
        select id, published_at from posts
        where ${LISTED} and published_at >= ${from} and published_at < ${before} ${newest}) r`,
  );
  const rows = await sql<PostRow>`
    select ${WITHOUT_CONTENT} from posts
    where id in (select id from (${joined(ofRanges, fragment` union all `)}) found ${newest}) ${newest}`;
  return rows.map(toSitePost);
}

export async function countStream(sql: Sql, filter: StreamFilter): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from posts where ${conditionOf(filter)}`;
  return Number(row?.n);
}

/** The dates of the oldest and the newest post of the stream. */
export async function streamRange(sql: Sql): Promise<{ first: Date; last: Date } | undefined> {
  const [row] = await sql<{ first: Instant | null; last: Instant | null }>`
    select min(published_at) as first, max(published_at) as last from posts where ${LISTED}`;
  if (row?.first == null || row.last === null) return undefined;
  return { first: new Date(row.first), last: new Date(row.last) };
}

/** A published post or page by its slug. */
export async function findBySlug(sql: Sql, slug: string): Promise<SitePost | undefined> {
  const [row] = await sql<PostRow>`
    select ${COLUMNS} from posts
    where slug = ${slug} and published = ${true}`;
  return row && toSitePost(row);
}

/** A published post or page. */
export async function findSitePost(sql: Sql, id: number): Promise<SitePost | undefined> {
  const [row] = await sql<PostRow>`
    select ${COLUMNS} from posts
    where posts.id = ${id} and published = ${true}`;
  return row && toSitePost(row);
}

/** Published posts and pages in the order of the given ids; missing ones are left out. */
export async function listByIds(sql: Sql, ids: readonly number[]): Promise<SitePost[]> {
  if (ids.length === 0) return [];
  const rows = await sql<PostRow>`
    select ${COLUMNS} from posts
    where posts.id in ${ids} and published = ${true}`;
  const byId = new Map(rows.map((row) => [Number(row.id), row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [toSitePost(row)];
  });
}

/** The newest published ones of the given posts, without their texts, and how many of them are published. */
export async function listNewestOf(
  sql: Sql,
  ids: readonly number[],
  limit: number,
): Promise<{ posts: SitePost[]; total: number }> {
  if (ids.length === 0) return { posts: [], total: 0 };
  const rows = await sql<PostRow & { total: number }>`
    select ${WITHOUT_CONTENT}, count(*) over () as total from posts
    where posts.id in ${ids} and published = ${true} order by published_at desc, posts.id desc limit ${limit}`;
  return { posts: rows.map(toSitePost), total: Number(rows[0]?.total ?? 0) };
}

/** The posts of the stream before and after one, by date; the one after without its content. */
export async function neighborsOf(
  sql: Sql,
  { id, publishedAt }: Pick<SitePost, "id" | "publishedAt">,
): Promise<{ before: SitePost | undefined; after: SitePost | undefined }> {
  const [before] = await sql<PostRow>`
    select ${COLUMNS} from posts
    where ${LISTED} and (published_at, id) < (${publishedAt}, ${id})
    order by published_at desc, id desc limit 1`;
  const [after] = await sql<PostRow>`
    select ${WITHOUT_CONTENT} from posts
    where ${LISTED} and (published_at, id) > (${publishedAt}, ${id})
    order by published_at, id limit 1`;
  return { before: before && toSitePost(before), after: after && toSitePost(after) };
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

function conditionOf({ kind, tag, author, from, before }: StreamFilter): Fragment {
  return joined(
    [
      LISTED,
      ...(kind === undefined ? [] : [fragment`kind = ${kind}`]),
      ...(from === undefined ? [] : [fragment`published_at >= ${from}`]),
      ...(before === undefined ? [] : [fragment`published_at < ${before}`]),
      ...(author === undefined ? [] : [fragment`created_by = ${author}`]),
      ...(tag === undefined
        ? []
        : [
            fragment`id in (select post_id from post_tags where key = ${tag} or key like ${below(tag)} escape '~')`,
          ]),
    ],
    fragment` and `,
  );
}

/** A pattern for the keys of tags below a tag. */
function below(key: string): string {
  return `${key.replace(/[~%_]/g, "~$&")}/%`;
}

/** A published post, with a title that people see. @param row without its content where that is not shown */
export function toSitePost(row: PostRow): SitePost {
  const post = toPost(row);
  return { ...post, title: shownTitle(post.title), publishedAt: post.publishedAt ?? post.createdAt };
}

/** A tag of published posts. */
export interface TagCount {
  /** As it was written in the newest post that has it. */
  readonly name: string;
  /** The number of posts with it or a tag below it: those of its page. */
  readonly count: number;
}

/** The tags of the posts of the stream. */
export async function listTagCounts(sql: Sql): Promise<TagCount[]> {
  const rows = await sql<{ key: string; name: string; n: number }>`
    select key, n,
      (select name from post_tags where post_tags.key = used.key and post_id = used.newest limit 1) as name
    from (select key, count(distinct post_tags.post_id) as n, max(post_tags.post_id) as newest
      from post_tags join posts on posts.id = post_id where ${LISTED} group by key) as used order by key`;
  const above = new Set(rows.flatMap(({ key }) => tagsAbove(key)));
  const counts: TagCount[] = [];
  for (const { key, name, n } of rows)
    counts.push({ name, count: above.has(key) ? await countStream(sql, { tag: key }) : Number(n) });
  return counts;
}

/** `a/b` has `a` above it. */
function tagsAbove(key: string): string[] {
  return [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index));
}
