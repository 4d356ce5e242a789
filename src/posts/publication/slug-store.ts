import type { Sql } from "../../database/database.ts";
import { type Fragment, fragment } from "../../database/fragment.ts";
import { RESERVED_SLUGS, slugFrom } from "../../records/slug.ts";
import type { Post } from "../post.ts";

/** The slug that a title makes; null if it makes none, or one that the server uses itself. */
export function slugOfTitle(title: string): string | null {
  const slug = slugFrom(title) || "post";
  return slug === "post" || RESERVED_SLUGS.has(slug) ? null : slug;
}

/**
 * Whether another post has a slug or had it, so that links to it lead there. Both count: a slug moves from one to the
 * other.
 */
export function isTaken(slug: string | null, byOtherThan = 0): Fragment {
  return fragment`(exists (select 1 from posts other where other.slug = ${slug} and other.id <> ${byOtherThan})
    or exists (select 1 from former_slugs where slug = ${slug} and post_id <> ${byOtherThan}))`;
}

/**
 * Gives a post without a slug the one of its title or, if another post has or had that, one with its id.
 * @returns the post with it
 */
export async function giveSlug<P extends Pick<Post, "id" | "title">>(
  sql: Sql,
  post: P,
): Promise<P & Pick<Post, "slug" | "publicationVersion">> {
  const { id, title } = post;
  const numbered = `${slugFrom(title) || "post"}-${id}`;
  let slug = slugOfTitle(title) ?? numbered;
  // Even that one may be taken, though hardly twice.
  for (;;) {
    const [row] = await sql<{ version: number }>`
      update posts set slug = ${slug}, publication_version = publication_version + 1
      where id = ${id} and not ${isTaken(slug, id)} returning publication_version as version`;
    if (row !== undefined) return { ...post, slug, publicationVersion: Number(row.version) };
    slug = slug.startsWith(numbered) ? `${slug}-again` : numbered;
  }
}

/** The id of the post with this former slug. */
export async function findFormerSlug(sql: Sql, slug: string): Promise<number | undefined> {
  const [row] = await sql<{ post_id: number }>`select post_id from former_slugs where slug = ${slug}`;
  return row && Number(row.post_id);
}

export async function keepFormerSlug(sql: Sql, postId: number, slug: string): Promise<void> {
  await sql`
    insert into former_slugs (slug, post_id) values (${slug}, ${postId})
    on conflict (slug) do update set post_id = excluded.post_id`;
}
