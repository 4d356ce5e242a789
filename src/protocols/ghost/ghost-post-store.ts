import type { Sql } from "../../database/database.ts";
import type { Fragment } from "../../database/fragment.ts";
import { LISTED, PAGES, type PostRow, WITHOUT_CONTENT } from "../../posts/post-row.ts";
import { type SitePost, toSitePost } from "../../posts/site-posts.ts";

/** Ghost's two resources that are posts here. */
export type GhostResource = "posts" | "pages";

/** Published posts or pages, without their contents. */
export async function listGhostPosts(
  sql: Sql,
  kind: GhostResource,
  condition: Fragment,
  { order, limit, offset }: { readonly order: Fragment; readonly limit: number; readonly offset: number },
): Promise<SitePost[]> {
  const rows = await sql<PostRow>`
    select ${WITHOUT_CONTENT} from posts where ${OF_KIND[kind]} and ${condition}
    order by ${order} limit ${limit} offset ${offset}`;
  return rows.map(toSitePost);
}

export async function countGhostPosts(sql: Sql, kind: GhostResource, condition: Fragment): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from posts where ${OF_KIND[kind]} and ${condition}`;
  return Number(row?.n);
}

/** The contents of posts by their ids: Markdown. */
export async function findContents(sql: Sql, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql<{ id: number; content: string }>`
    select id, content from posts where id in ${ids} and published = ${true}`;
  return new Map(rows.map(({ id, content }) => [Number(id), content]));
}

const OF_KIND: Readonly<Record<GhostResource, Fragment>> = {
  posts: LISTED,
  pages: PAGES,
};
