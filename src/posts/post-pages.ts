import type { Sql } from "../database/database.ts";
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
  const rows = await rowsOf(sql, collection === "posts", page, collection);
  return rows.map((row) => ({ ...toPost({ ...row, content: "" }), content: row.content ?? undefined }));
}

function rowsOf(sql: Sql, published: boolean, page: PageOfPosts, collection: Collection) {
  const { ordering, offset, limit } = page;
  const share = shareOf(page);
  switch (ordering) {
    case "-created_at":
      return newestFirst(sql, collection, page);
    case "created_at":
      return sql<ListedRow>`
        select id, title, case when octet_length(content) <= ${share} then content end as content,
          published, created_at, version from posts where published = ${published}
        order by created_at, id limit ${limit} offset ${offset}`;
    case "-id":
      return sql<ListedRow>`
        select id, title, case when octet_length(content) <= ${share} then content end as content,
          published, created_at, version from posts where published = ${published}
        order by id desc limit ${limit} offset ${offset}`;
    case "id":
      return sql<ListedRow>`
        select id, title, case when octet_length(content) <= ${share} then content end as content,
          published, created_at, version from posts where published = ${published}
        order by id limit ${limit} offset ${offset}`;
    case "-title":
      return sql<ListedRow>`
        select id, title, case when octet_length(content) <= ${share} then content end as content,
          published, created_at, version from posts where published = ${published}
        order by title desc, id desc limit ${limit} offset ${offset}`;
    case "title":
      return sql<ListedRow>`
        select id, title, case when octet_length(content) <= ${share} then content end as content,
          published, created_at, version from posts where published = ${published}
        order by title, id limit ${limit} offset ${offset}`;
  }
}

/**
 * A deep page starts at the day on which its first post stands, so that it costs what the posts of that one
 * day cost, not all that are newer.
 */
async function newestFirst(sql: Sql, collection: Collection, page: PageOfPosts): Promise<ListedRow[]> {
  const { offset, limit } = page;
  const share = shareOf(page);
  const published = collection === "posts";
  const day = offset === 0 ? undefined : await findDay(sql, collection, offset);
  if (day === undefined) {
    return sql<ListedRow>`
      select id, title, case when octet_length(content) <= ${share} then content end as content,
        published, created_at, version from posts where published = ${published}
      order by created_at desc, id desc limit ${limit} offset ${offset}`;
  }
  // The ids first: skipping over them stays within the index, skipping over whole rows would read each.
  return sql<ListedRow>`
    select id, title, case when octet_length(content) <= ${share} then content end as content,
      published, created_at, version from posts where id in (
      select id from posts where published = ${published} and created_at < ${day.end}
      order by created_at desc, id desc limit ${limit} offset ${offset - day.later})
    order by created_at desc, id desc`;
}

/** A content beyond this many bytes is read by itself. Its length is known without reading it. */
function shareOf({ bytes, limit }: PageOfPosts): number {
  return Math.floor(bytes / limit);
}
