import type { Instant } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { PostKind } from "../records/publication-members.ts";
import type { Post } from "./post.ts";

/** A row of `posts`, selected by {@link COLUMNS}. */
export interface PostRow {
  readonly id: number;
  readonly title: string;
  /** Absent where it was not selected. */
  readonly content?: string;
  readonly published: boolean | number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly published_at: Instant | null;
  readonly version: number;
  readonly comments_version: number;
  readonly created_by: number | null;
  readonly kind: PostKind;
  readonly link: string | null;
  readonly slug: string | null;
  readonly summary: string | null;
  readonly language: string | null;
  readonly image: string | null;
  readonly canonical_url: string | null;
  readonly publish_at: Instant | null;
  readonly publication_version: number;
}

/** All columns but the content, which may be long. */
export const WITHOUT_CONTENT = fragment`
  posts.id, posts.title, posts.published, posts.created_at, posts.updated_at, posts.published_at, posts.version,
  posts.comments_version, posts.created_by, posts.kind, posts.link, posts.slug, posts.summary, posts.language,
  posts.image, posts.canonical_url, posts.publish_at, posts.publication_version`;

/** All columns. */
export const COLUMNS = fragment`${WITHOUT_CONTENT}, posts.content`;

/** What the site lists: published posts that are no pages. Written as in its index, as is the next one. */
export const LISTED = fragment`posts.published is true and posts.kind <> 'page'`;

/** The published pages. */
export const PAGES = fragment`posts.published is true and posts.kind = 'page'`;

/** @param content if it was not selected */
export function toPost(row: PostRow, content = ""): Post {
  return {
    id: Number(row.id),
    title: row.title,
    content: row.content ?? content,
    published: Boolean(row.published),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    publishedAt: dateOrNull(row.published_at),
    version: Number(row.version),
    commentsVersion: Number(row.comments_version),
    createdBy: row.created_by === null ? null : Number(row.created_by),
    kind: row.kind,
    link: row.link,
    slug: row.slug,
    summary: row.summary,
    language: row.language,
    image: row.image,
    canonicalUrl: row.canonical_url,
    publishAt: dateOrNull(row.publish_at),
    publicationVersion: Number(row.publication_version),
  };
}

function dateOrNull(instant: Instant | null): Date | null {
  return instant === null ? null : new Date(instant);
}
