import type { Awaitable } from "../awaitable.ts";
import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import type { Collection, Post } from "./post.ts";
import { findDay } from "./post-counters.ts";
import { toPost } from "./post-store.ts";

/** Orders in which a collection can be listed; `-` is descending. Equal titles and times are in the order of ids. */
export const ORDERINGS = ["-created_at", "created_at", "-id", "id", "-title", "title"] as const;
export type Ordering = (typeof ORDERINGS)[number];

export interface PageOfPosts {
  readonly ordering: Ordering;
  readonly offset: number;
  readonly limit: number;
  /** The most bytes of UTF-8 that the contents may have which are read with their posts; each has its share. */
  readonly bytes: number;
}

/** A post of a page; without its content when that is longer than its share. */
export interface ListedPost extends Omit<Post, "content"> {
  readonly content: string | undefined;
}

type PostRow = Parameters<typeof toPost>[0];
type ListedRow = Omit<PostRow, "content"> & { readonly content: string | null };

/** The posts of a page. Titles are in the order of code points. */
export async function listPosts(sql: Sql, collection: Collection, page: PageOfPosts): Promise<ListedPost[]> {
  const rows = await rowsOf(sql, collection, page);
  return rows.map((row) => ({ ...toPost({ ...row, content: "" }), content: row.content ?? undefined }));
}

/** Posts of a collection in the order of the given ids; those no longer in it are left out. */
export async function listPostsById(
  sql: Sql,
  collection: Collection,
  ids: readonly number[],
  page: Pick<PageOfPosts, "bytes" | "limit">,
): Promise<ListedPost[]> {
  if (ids.length === 0) return [];
  const rows = await sql<ListedRow>`
    ${selectFrom(page)} where id in ${ids} and published = ${collection === "posts"}`;
  const found = new Map(rows.map((row) => [Number(row.id), row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row ? [{ ...toPost({ ...row, content: "" }), content: row.content ?? undefined }] : [];
  });
}

const ORDERS: Readonly<Record<Exclude<Ordering, "-created_at">, Fragment>> = {
  created_at: fragment`created_at, id`,
  "-id": fragment`id desc`,
  id: fragment`id`,
  "-title": fragment`title desc, id desc`,
  title: fragment`title, id`,
};

function rowsOf(sql: Sql, collection: Collection, page: PageOfPosts): Awaitable<ListedRow[]> {
  const { ordering, offset, limit } = page;
  if (ordering === "-created_at") return newestFirst(sql, collection, page);
  return sql<ListedRow>`
    ${selectFrom(page)} where published = ${collection === "posts"}
    order by ${ORDERS[ordering]} limit ${limit} offset ${offset}`;
}

/**
 * A deep page starts at the day on which its first post stands, so that it costs what the posts of that one
 * day cost, not all that are newer.
 */
async function newestFirst(sql: Sql, collection: Collection, page: PageOfPosts): Promise<ListedRow[]> {
  const { offset, limit } = page;
  const published = collection === "posts";
  const day = offset === 0 ? undefined : await findDay(sql, collection, offset);
  if (day === undefined) {
    return sql<ListedRow>`
      ${selectFrom(page)} where published = ${published}
      order by created_at desc, id desc limit ${limit} offset ${offset}`;
  }
  // The ids first: skipping over them stays within the index, skipping over whole rows would read each.
  return sql<ListedRow>`
    ${selectFrom(page)} where id in (
      select id from posts where published = ${published} and created_at < ${day.end}
      order by created_at desc, id desc limit ${limit} offset ${offset - day.later})
    order by created_at desc, id desc`;
}

/** The listed members of posts. A content beyond the share of its post is read by itself. */
function selectFrom({ bytes, limit }: Pick<PageOfPosts, "bytes" | "limit">): Fragment {
  const share = Math.floor(bytes / limit);
  return fragment`
    select id, title, case when octet_length(content) <= ${share} then content end as content,
      published, created_at, version, comments_version from posts`;
}
