import type { Sql } from "../../database/database.ts";
import { rowList } from "../../database/fragment.ts";
import { Refusal } from "../../errors.ts";
import type { CommentStatus } from "../../records/comment-members.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { addUnindexedPosts } from "../indexed-posts.ts";
import type { TaggedPost } from "../post.ts";

/** A post from elsewhere, with an id that the caller has reserved. */
export interface ImportedPost extends Omit<TaggedPost, "commentsVersion"> {
  readonly formerSlugs: readonly string[];
  /** In the form of {@link redirectPath}. */
  readonly redirects: readonly string[];
  /** Properties from other programs without an equivalent here. */
  readonly properties: Readonly<Record<string, readonly unknown[]>>;
}

/**
 * Inserts imported posts, a few dozen at a time. The caller has checked that slugs and redirects are free, and
 * updates the counters.
 * @throws Refusal `conflict` when another request took a slug at the same moment
 */
export async function insertImportedPosts(sql: Sql, posts: readonly ImportedPost[]): Promise<void> {
  if (posts.length === 0) return;
  const rows = await sql`
    insert into posts (id, title, content, published, created_at, updated_at, published_at, created_by, version, kind,
      link, slug, summary, language, image, canonical_url, publish_at, publication_version)
    values ${rowList(
      posts.map((post) => [
        ...[post.id, post.title, post.content, post.published, post.createdAt, post.updatedAt],
        ...[post.publishedAt, post.createdBy, post.version, post.kind, post.link, post.slug, post.summary],
        ...[post.language, post.image, post.canonicalUrl, post.publishAt, post.publicationVersion],
      ]),
    )} on conflict (slug) do nothing returning id`;
  if (rows.length < posts.length)
    throw new Refusal(
      "conflict",
      "A slug was taken by another post in the meantime; nothing was imported. Try again.",
    );
  await addUnindexedPosts(
    sql,
    posts.map(({ id, title, createdAt }) => ({ id, title, createdAt: Number(createdAt) })),
  );
  for (const tags of inStatements(posts.flatMap(tagRows)))
    await sql`insert into post_tags (post_id, position, key, name) values ${rowList(tags)}`;
  const slugs = posts.flatMap(({ id, formerSlugs }) => formerSlugs.map((slug) => [slug, id]));
  for (const rows of inStatements(slugs))
    await sql`insert into former_slugs (slug, post_id) values ${rowList(rows)} on conflict (slug) do nothing`;
  const redirects = posts.flatMap(({ id, redirects }) => redirects.map((path) => [path, id]));
  for (const rows of inStatements(redirects))
    await sql`insert into redirects (path, post_id) values ${rowList(rows)} on conflict (path) do nothing`;
  const properties = posts
    .filter((post) => Object.keys(post.properties).length > 0)
    .map((post) => [post.id, JSON.stringify(post.properties)]);
  if (properties.length > 0)
    await sql`insert into post_properties (post_id, properties) values ${rowList(properties)}`;
}

/** Rows of one statement: a post may have a thousand of a kind, and PostgreSQL binds at most 65,535 values. */
const ROWS_MAX = 5_000;

function* inStatements<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_MAX) yield rows.slice(start, start + ROWS_MAX);
}

function tagRows({ id, tags }: ImportedPost) {
  const names = [...new Map(tags.map((name) => [tagKey(name), name])).entries()];
  return names.map(([key, name], index) => [id, index + 1, key, name]);
}

/** A previous version of a post. */
export interface ImportedVersion {
  readonly postId: number;
  readonly number: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean;
  readonly replacedAt: Date;
  readonly replacedBy: number | null;
}

/** Inserts the versions of new posts, each version number once. */
export async function insertImportedVersions(sql: Sql, versions: readonly ImportedVersion[]): Promise<void> {
  if (versions.length === 0) return;
  await sql`
    insert into post_versions (post_id, number, title, content, published, replaced_at, replaced_by)
    values ${rowList(
      versions.map((version) => [
        ...[version.postId, version.number, version.title, version.content, version.published],
        ...[version.replacedAt, version.replacedBy],
      ]),
    )} on conflict (post_id, number) do nothing`;
}

/** A comment with its date and status, with an id that the caller has reserved. */
export interface ImportedComment {
  readonly id: number;
  readonly postId: number;
  readonly author: string;
  readonly text: string;
  readonly status: CommentStatus;
  readonly createdAt: Date;
  readonly createdBy: number | null;
  readonly reasons: string | null;
  /** The comment to which it replies. */
  readonly parentId: number | null;
}

/** Inserts imported comments. The caller updates the counters. */
export async function insertImportedComments(sql: Sql, comments: readonly ImportedComment[]): Promise<void> {
  if (comments.length === 0) return;
  await sql`
    insert into comments (id, post_id, author, text, status, created_at, created_by, reasons, parent_id)
    values ${rowList(
      comments.map((comment) => [
        ...[comment.id, comment.postId, comment.author, comment.text, comment.status, comment.createdAt],
        ...[comment.createdBy, comment.reasons, comment.parentId],
      ]),
    )}`;
}

/** A working copy with its dates. */
export interface ImportedEdit {
  readonly key: string;
  readonly postId: number | null;
  readonly baseVersion: number | null;
  readonly title: string;
  readonly content: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: number | null;
}

/** Inserts working copies whose keys do not exist yet. */
export async function insertImportedEdits(sql: Sql, edits: readonly ImportedEdit[]): Promise<void> {
  if (edits.length === 0) return;
  await sql`
    insert into edits
      (key, post_id, base_version, title, content, fields, version, created_at, updated_at, created_by)
    values ${rowList(
      edits.map((edit) => [
        ...[edit.key, edit.postId, edit.baseVersion, edit.title, edit.content, JSON.stringify(edit.fields)],
        ...[edit.version, edit.createdAt, edit.updatedAt, edit.createdBy],
      ]),
    )}`;
}
