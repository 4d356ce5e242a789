import type { Sql } from "../../database/database.ts";
import { RENDERER_VERSION, type RenderedPost } from "./rendered-post.ts";

/** What a stored text was rendered from. It is shown only while all of this is the same. */
export interface RenderedSource {
  readonly post: number;
  /** Whether the post's image is at the top of the text. */
  readonly withImage: boolean;
  /** The SHA-256 of the text and its images. */
  readonly sha256: string;
}

interface Row {
  readonly html: string;
  readonly excerpt: string;
  readonly has_more: number | boolean;
  readonly minutes: number;
  readonly image: string | null;
}

/** The stored HTML of a post's text, if this version of the renderer made it from the same text. */
export async function findRendered(
  sql: Sql,
  { post, withImage, sha256 }: RenderedSource,
): Promise<RenderedPost | undefined> {
  const [row] = await sql<Row>`
    select html, excerpt, has_more, minutes, image from rendered_posts
    where post_id = ${post} and with_image = ${withImage} and source_sha256 = ${sha256}
      and renderer = ${RENDERER_VERSION}`;
  if (row === undefined) return undefined;
  return {
    html: row.html,
    excerpt: row.excerpt,
    hasMore: Boolean(row.has_more),
    minutes: row.minutes,
    image: row.image ?? undefined,
    gaveUp: false,
  };
}

/** Stores the HTML of a post's text, unless the post is gone or a newer renderer has stored its own. */
export async function storeRendered(
  sql: Sql,
  { post, withImage, sha256 }: RenderedSource,
  { html, excerpt, hasMore, minutes, image }: RenderedPost,
): Promise<void> {
  await sql`
    insert into rendered_posts (
      post_id, with_image, renderer, source_sha256, html, excerpt, has_more, minutes, image)
    select id, ${withImage}, ${RENDERER_VERSION}, ${sha256}, ${html}, ${excerpt}, ${hasMore}, ${minutes},
      ${image ?? null}
    from posts where id = ${post}
    on conflict (post_id, with_image) do update set renderer = excluded.renderer,
      source_sha256 = excluded.source_sha256, html = excluded.html, excerpt = excluded.excerpt,
      has_more = excluded.has_more, minutes = excluded.minutes, image = excluded.image
    where rendered_posts.renderer <= excluded.renderer`;
}
