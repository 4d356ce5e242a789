import type { Sql } from "../../database/database.ts";
import { isSlug } from "../../records/slug.ts";
import { findRedirect } from "../publication/redirects.ts";
import { findFormerSlug } from "../publication/slug-store.ts";
import { findBySlug, findSitePost, type SitePost } from "../site-posts.ts";
import { nothingAtPath } from "./refusals.ts";

/**
 * A published post by its slug, a former slug, its id, or its path on another site.
 * @throws Refusal `not_found`
 */
export async function postAt(read: Sql, slug: string, path = `/posts/${slug}`): Promise<SitePost> {
  const found = /^\d{1,15}$/.test(slug)
    ? await findSitePost(read, Number(slug))
    : await postBySlug(read, slug);
  const post = found ?? (await postByFormerPath(read, path));
  if (post === undefined) throw nothingAtPath();
  return post;
}

/** A published post or static page by its slug or a former slug. */
export async function postBySlug(read: Sql, slug: string): Promise<SitePost | undefined> {
  if (!isSlug(slug)) return undefined;
  const found = await findBySlug(read, slug);
  if (found !== undefined) return found;
  const id = await findFormerSlug(read, slug);
  return id === undefined ? undefined : findSitePost(read, id);
}

/** The published post that had a path on another site. */
export async function postByFormerPath(read: Sql, path: string): Promise<SitePost | undefined> {
  const id = await findRedirect(read, path);
  return id === undefined ? undefined : findSitePost(read, id);
}
