import type { Sql } from "../../database/database.ts";
import { redirectPath } from "../../records/redirect-path.ts";
import { isSlug } from "../../records/slug.ts";
import { findFormerSlug } from "./slug-store.ts";

/** The id of the post, published or not, that has or had a path, here or on another site. @param path in any form */
export async function findPostOfPath(sql: Sql, path: string): Promise<number | undefined> {
  const found = await findRedirect(sql, path);
  const slug = /^\/(?:posts\/)?([^/]+)$/.exec(redirectPath(path) ?? "")?.[1] ?? "";
  if (found !== undefined || !isSlug(slug)) return found;
  const [row] = await sql<{ id: number }>`select id from posts where slug = ${slug}`;
  return row === undefined ? findFormerSlug(sql, slug) : Number(row.id);
}

/** The id of the post to which a path of another site redirects. @param path in any form */
export async function findRedirect(sql: Sql, path: string): Promise<number | undefined> {
  const stored = redirectPath(path);
  if (stored === undefined) return undefined;
  const [row] = await sql<{ post_id: number }>`select post_id from redirects where path = ${stored}`;
  return row && Number(row.post_id);
}
