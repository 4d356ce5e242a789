import type { Sql } from "../../database/database.ts";
import { authorSlug } from "../../posts/authors.ts";
import { slugFrom } from "../../records/slug.ts";
import type { SiteSettings } from "../../web/site/site-settings.ts";

/** An author of published posts: an account, or the site itself for posts without an existing account. */
export interface GhostAuthor {
  /** The id of the account; undefined for the site itself. */
  readonly accountId: number | undefined;
  readonly name: string;
  readonly slug: string;
  /** The number of the author's published posts, not counting pages. */
  readonly posts: number;
}

/** The authors of published posts, accounts first. */
export async function listGhostAuthors(sql: Sql, site: SiteSettings): Promise<GhostAuthor[]> {
  const rows = await sql<{
    id: number | null;
    username: string | null;
    display_name: string | null;
    posts: number;
  }>`
    select accounts.id, username, display_name, sum(case when kind = 'page' then 0 else 1 end) as posts
    from posts left join accounts on accounts.id = posts.created_by
    where published = ${true} group by accounts.id, display_name, username order by accounts.id`;
  const authors: GhostAuthor[] = [];
  for (const { id, username, display_name, posts } of rows) {
    if (id === null || username === null) continue;
    const name = display_name ?? username;
    const slug = authorSlug(username, display_name);
    const isTaken = authors.some((author) => author.slug === slug);
    authors.push({
      accountId: Number(id),
      name,
      slug: isTaken ? `${slug}-${id}` : slug,
      posts: Number(posts),
    });
  }
  const without = rows.find(({ id }) => id === null);
  if (without === undefined) return authors;
  const siteSlug = slugFrom(site.name) || "site";
  const slug = authors.some((author) => author.slug === siteSlug) ? `${siteSlug}-site` : siteSlug;
  return [...authors, { accountId: undefined, name: site.name, slug, posts: Number(without.posts) }];
}

/** The author of a post. @param createdBy the id of an account, which may be deleted */
export function findAuthor(
  authors: readonly GhostAuthor[],
  createdBy: number | null,
): GhostAuthor | undefined {
  return (
    authors.find(({ accountId }) => accountId !== undefined && accountId === createdBy) ??
    authors.find(({ accountId }) => accountId === undefined)
  );
}

export function ghostAuthorId({ accountId }: GhostAuthor): string {
  return String(accountId ?? 0);
}

/** An author in the form of Ghost's API. */
export function toGhostAuthor(author: GhostAuthor, origin: string, withCount: boolean) {
  return {
    id: ghostAuthorId(author),
    name: author.name,
    slug: author.slug,
    profile_image: null,
    cover_image: null,
    bio: null,
    website: null,
    location: null,
    facebook: null,
    twitter: null,
    meta_title: null,
    meta_description: null,
    url: `${origin}/`,
    ...(withCount && { count: { posts: author.posts } }),
  };
}
