import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import type { Post, PostCollection, PostVersions } from "./post.ts";
import { findDay } from "./post-counters.ts";
import type { PostRow } from "./post-row.ts";

/** Fields by which a collection can be sorted; `-` is descending. */
export const ORDERINGS = ["-created_at", "created_at", "-id", "id", "-title", "title"] as const;
export type OrderingField = (typeof ORDERINGS)[number];

/** Fields by which a collection is sorted, the first one first. Ties are broken by id, in the direction of the last one. */
export type Ordering = readonly OrderingField[];

export const NEWEST_FIRST: Ordering = ["-created_at"];

export interface PageOfPosts {
  readonly ordering: Ordering;
  readonly offset: number;
  readonly limit: number;
  /** The maximum number of bytes of contents read with a page, divided equally among its posts. */
  readonly bytes: number;
}

/** A post of a page, without its content if that exceeds its share. Only what the API lists: a page has up to a hundred. */
export interface ListedPost extends PostVersions, Pick<Post, "id" | "title" | "published" | "createdAt"> {
  readonly content: string | undefined;
}

interface ListedRow
  extends Pick<PostRow, "id" | "title" | "published" | "created_at" | "version" | "comments_version"> {
  readonly content: string | null;
}

/** The posts of a page. Titles are in the order of code points. */
export async function listPosts(
  sql: Sql,
  collection: PostCollection,
  page: PageOfPosts,
): Promise<ListedPost[]> {
  const { ordering, offset, limit } = page;
  const isNewestFirst = ordering[0] === "-created_at" && ordering.length === 1;
  const rows = isNewestFirst
    ? await newestFirst(sql, collection, page)
    : await sql<ListedRow>`
        ${selectFrom(page)} where published = ${collection === "posts"}
        order by ${orderOf(ordering)} limit ${limit} offset ${offset}`;
  return rows.map(listed);
}

/** Posts of a collection in the order of the given ids; those no longer in it are left out. */
export async function listPostsById(
  sql: Sql,
  collection: PostCollection,
  ids: readonly number[],
  page: Pick<PageOfPosts, "bytes" | "limit">,
): Promise<ListedPost[]> {
  if (ids.length === 0) return [];
  const rows = await sql<ListedRow>`
    ${selectFrom(page)} where id in ${ids} and published = ${collection === "posts"}`;
  const found = new Map(rows.map((row) => [Number(row.id), row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row ? [listed(row)] : [];
  });
}

const ORDERS: Readonly<Record<OrderingField, Fragment>> = {
  "-created_at": fragment`created_at desc`,
  created_at: fragment`created_at`,
  "-id": fragment`id desc`,
  id: fragment`id`,
  "-title": fragment`title desc`,
  title: fragment`title`,
};

/** What `order by` needs; ids decide at last, so that every order is total. */
export function orderOf(ordering: Ordering): Fragment {
  const tie = ORDERS[ordering.at(-1)?.startsWith("-") ? "-id" : "id"];
  return ordering.reduceRight((rest, field) => fragment`${ORDERS[field]}, ${rest}`, tie);
}

/**
 * A deep page starts at the day of its first post, so that its cost depends on the posts of that day, not on all
 * newer ones.
 */
async function newestFirst(sql: Sql, collection: PostCollection, page: PageOfPosts): Promise<ListedRow[]> {
  const { offset, limit } = page;
  const published = collection === "posts";
  const day = offset === 0 ? undefined : await findDay(sql, collection, offset);
  if (day === undefined) {
    return sql<ListedRow>`
      ${selectFrom(page)} where published = ${published}
      order by created_at desc, id desc limit ${limit} offset ${offset}`;
  }
  // Ids first: skipping ids needs only the index, skipping rows would read each row.
  return sql<ListedRow>`
    ${selectFrom(page)} where id in (
      select id from posts where published = ${published} and created_at < ${day.end}
      order by created_at desc, id desc limit ${limit} offset ${offset - day.later})
    order by created_at desc, id desc`;
}

/** The listed members of posts. Longer contents are read one by one. */
function selectFrom({ bytes, limit }: Pick<PageOfPosts, "bytes" | "limit">): Fragment {
  const share = Math.floor(bytes / limit);
  return fragment`
    select id, title, case when octet_length(content) <= ${share} then content end as content,
      published, created_at, version, comments_version from posts`;
}

function listed(row: ListedRow): ListedPost {
  return {
    id: Number(row.id),
    title: row.title,
    content: row.content ?? undefined,
    published: Boolean(row.published),
    createdAt: new Date(row.created_at),
    version: Number(row.version),
    commentsVersion: Number(row.comments_version),
  };
}
