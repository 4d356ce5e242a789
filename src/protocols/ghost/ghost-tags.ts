import type { Sql } from "../../database/database.ts";
import { tagUrl } from "../../posts/pages/site-links.ts";
import { slugFrom } from "../../records/slug.ts";

/** A tag of published posts. */
export interface GhostTag {
  readonly id: string;
  /** For finding posts. */
  readonly key: string;
  readonly name: string;
  readonly slug: string;
  /** The number of published posts with it, without pages. */
  readonly posts: number;
}

/** The tags of all published posts and pages, by name. */
export async function listGhostTags(sql: Sql): Promise<GhostTag[]> {
  const rows = await sql<{ key: string; name: string; posts: number }>`
    select key, (select name from post_tags first where first.key = post_tags.key
        order by post_id, position limit 1) as name,
      sum(case when kind = 'page' then 0 else 1 end) as posts
    from post_tags join posts on posts.id = post_tags.post_id
    where published = ${true} group by key order by key`;
  const slugs = new Set<string>();
  const plain = new Set(rows.map(({ key }) => key));
  return rows.map(({ key, name, posts }) => {
    const slug = ownSlug(
      key,
      (candidate) => slugs.has(candidate) || (candidate !== key && plain.has(candidate)),
    );
    slugs.add(slug);
    return { id: idOf(key), key, name, slug, posts: Number(posts) };
  });
}

/** A tag in the form of Ghost's API. */
export function toGhostTag({ id, name, slug, posts }: GhostTag, origin: string, withCount: boolean) {
  return {
    id,
    name,
    slug,
    description: null,
    feature_image: null,
    visibility: "public",
    og_image: null,
    og_title: null,
    og_description: null,
    twitter_image: null,
    twitter_title: null,
    twitter_description: null,
    meta_title: null,
    meta_description: null,
    codeinjection_head: null,
    codeinjection_foot: null,
    canonical_url: null,
    accent_color: null,
    url: origin + tagUrl(name),
    ...(withCount && { count: { posts } }),
  };
}

/** Tags may have characters that Ghost's slugs cannot: `C#` and `C++` would both become `c`. */
function ownSlug(key: string, isTaken: (slug: string) => boolean): string {
  const slug = slugFrom(key);
  return slug === "" || isTaken(slug) ? `${slug || "tag"}-${idOf(key).slice(0, 6)}` : slug;
}

/** 24 hexadecimal digits, like Ghost's ids. */
function idOf(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 24);
}
