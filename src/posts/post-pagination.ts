import type { Awaitable } from "../awaitable.ts";
import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import type { Post, PostCollection, PostVersions } from "./post.ts";
import { findDay } from "./post-counters.ts";
import { toPost } from "./post-store.ts";

/** Orders in which a collection can be listed; `-` is descending. Ties are broken by id. */
export const ORDERINGS = ["-created_at", "created_at", "-id", "id", "-title", "title"] as const;
export type Ordering = (typeof ORDERINGS)[number];

export interface PageOfPosts {
  readonly ordering: Ordering;
  readonly offset: number;
  readonly limit: number;
  /** The maximum number of bytes of contents read with a page, divided equally among its posts. */
  readonly bytes: number;
}

/** A post of a page, without its content if that exceeds its share. */
export interface ListedPost extends Omit<Post, "content"> {
  readonly content: string | undefined;
}

type PostRow = Parameters<typeof toPost>[0];
type ListedRow = Omit<PostRow, "content"> & { readonly content: string | null };

/** The posts of a page. Titles are in the order of code points. */
export async function listPosts(
  sql: Sql,
  collection: PostCollection,
  page: PageOfPosts,
): Promise<ListedPost[]> {
  const rows = await rowsOf<ListedRow>(sql, collection, page, selectFrom(page));
  return rows.map((row) => ({ ...toPost({ ...row, content: "" }), content: row.content ?? undefined }));
}

/** A post of a page by its versions. */
export interface ListedVersions extends PostVersions {
  readonly id: number;
}

type VersionsRow = Pick<PostRow, "id" | "version" | "comments_version">;

/** The versions of the posts of a page. */
export async function listVersions(
  sql: Sql,
  collection: PostCollection,
  page: PageOfPosts,
): Promise<ListedVersions[]> {
  const rows = await rowsOf<VersionsRow>(sql, collection, page, VERSIONS);
  return rows.map(({ id, version, comments_version }) => ({
    id: Number(id),
    version: Number(version),
    commentsVersion: Number(comments_version),
  }));
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

const VERSIONS = fragment`select id, version, comments_version from posts`;

function rowsOf<Row>(
  sql: Sql,
  collection: PostCollection,
  page: PageOfPosts,
  select: Fragment,
): Awaitable<Row[]> {
  const { ordering, offset, limit } = page;
  if (ordering === "-created_at") return newestFirst(sql, collection, page, select);
  return sql<Row>`
    ${select} where published = ${collection === "posts"}
    order by ${ORDERS[ordering]} limit ${limit} offset ${offset}`;
}

/**
 * A deep page starts at the day of its first post, so that its cost depends on the posts of that day, not on all
 * newer ones.
 */
async function newestFirst<Row>(
  sql: Sql,
  collection: PostCollection,
  page: PageOfPosts,
  select: Fragment,
): Promise<Row[]> {
  const { offset, limit } = page;
  const published = collection === "posts";
  const day = offset === 0 ? undefined : await findDay(sql, collection, offset);
  if (day === undefined) {
    return sql<Row>`
      ${select} where published = ${published}
      order by created_at desc, id desc limit ${limit} offset ${offset}`;
  }
  // Ids first: skipping ids needs only the index, skipping rows would read each row.
  return sql<Row>`
    ${select} where id in (
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
