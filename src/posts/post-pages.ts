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
}

type PostRow = Parameters<typeof toPost>[0];

/** The posts of a page. Titles are in the order of code points. */
export async function listPosts(sql: Sql, collection: Collection, page: PageOfPosts): Promise<Post[]> {
  const rows = await rowsOf(sql, collection === "posts", page, collection);
  return rows.map(toPost);
}

function rowsOf(sql: Sql, published: boolean, page: PageOfPosts, collection: Collection) {
  const { ordering, offset, limit } = page;
  switch (ordering) {
    case "-created_at":
      return newestFirst(sql, collection, offset, limit);
    case "created_at":
      return sql<PostRow>`
        select id, title, content, published, created_at, version from posts where published = ${published}
        order by created_at, id limit ${limit} offset ${offset}`;
    case "-id":
      return sql<PostRow>`
        select id, title, content, published, created_at, version from posts where published = ${published}
        order by id desc limit ${limit} offset ${offset}`;
    case "id":
      return sql<PostRow>`
        select id, title, content, published, created_at, version from posts where published = ${published}
        order by id limit ${limit} offset ${offset}`;
    case "-title":
      return sql<PostRow>`
        select id, title, content, published, created_at, version from posts where published = ${published}
        order by title desc, id desc limit ${limit} offset ${offset}`;
    case "title":
      return sql<PostRow>`
        select id, title, content, published, created_at, version from posts where published = ${published}
        order by title, id limit ${limit} offset ${offset}`;
  }
}

/**
 * A deep page starts at the day on which its first post stands, so that it costs what the posts of that one
 * day cost, not all that are newer.
 */
async function newestFirst(
  sql: Sql,
  collection: Collection,
  offset: number,
  limit: number,
): Promise<PostRow[]> {
  const published = collection === "posts";
  const day = offset === 0 ? undefined : await findDay(sql, collection, offset);
  if (day === undefined) {
    return sql<PostRow>`
      select id, title, content, published, created_at, version from posts where published = ${published}
      order by created_at desc, id desc limit ${limit} offset ${offset}`;
  }
  // The ids first: skipping over them stays within the index, skipping over whole rows would read each.
  return sql<PostRow>`
    select id, title, content, published, created_at, version from posts where id in (
      select id from posts where published = ${published} and created_at < ${day.end}
      order by created_at desc, id desc limit ${limit} offset ${offset - day.later})
    order by created_at desc, id desc`;
}
