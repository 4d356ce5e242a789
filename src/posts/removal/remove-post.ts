import { pages } from "../../batches.ts";
import { addChangeRows, type ChangeRow, expiryBefore, startChange } from "../../changes/change-store.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { deleteHidden, type HiddenMedia, hideMedia, showMedia } from "../../media/media-store.ts";
import type { Edit } from "../editing/edit.ts";
import { findUsedMedia } from "../editing/shown-media.ts";
import type { ImportedEdit, ImportedVersion } from "../import/insert-imported-posts.ts";
import type { Post, TaggedPost } from "../post.ts";
import { deletePostForGood, withTags } from "../post-store.ts";
import { COMMENT_COLUMNS, type CommentColumns, removedComment } from "./remove-comments.ts";

/** Texts and comments in memory at once. */
const VERSIONS_AT_ONCE = 20;
const COMMENTS_AT_ONCE = 200;

/** As JSON: with texts for dates. */
export type Stored<T> = {
  readonly [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K];
};

/** A removed post in the record of its removal. Its versions and comments have rows of their own. */
export interface RemovedPost extends Stored<TaggedPost> {
  readonly formerSlugs: readonly string[];
  readonly redirects: readonly string[];
  readonly properties: Readonly<Record<string, readonly unknown[]>>;
  /** The working copy that was removed with it. */
  readonly edit?: Stored<ImportedEdit>;
  /** The images that nothing else uses. */
  readonly images?: readonly HiddenMedia[];
}

export type RemovedVersion = Omit<Stored<ImportedVersion>, "postId" | "number">;

interface Removal {
  readonly accountId: number | undefined;
  readonly now: Date;
  /** The working copy that goes with it. */
  readonly edit?: Edit | undefined;
  /** The names of the images that go with it, unless something else uses them. */
  readonly images?: readonly string[];
}

/**
 * Removes a post that the caller has read and locked; it can be restored for 30 days, with all that belongs to it.
 * @returns the key that undoes it
 */
export async function removePost(
  sql: Sql,
  post: Post,
  { accountId, now, edit, images = [] }: Removal,
): Promise<string> {
  const { id, title, version } = post;
  const details = { id, title };
  const change = await startChange(sql, { record: "post", kind: "remove", details, accountId }, now);
  const before = {
    ...(await withTags(sql, post)),
    ...(await addressesOf(sql, id)),
    properties: await propertiesOf(sql, id),
    ...(edit && { edit: toStoredEdit(edit, accountId) }),
    ...(images.length > 0 && { images: await hideUnused(sql, id, images) }),
  };
  await addChangeRows(sql, change.id, [{ record: "post", id, outcome: "deleted", version, before }]);
  await keepVersions(sql, id, change.id);
  await keepComments(sql, id, change.id);
  if (!(await deletePostForGood(sql, post))) throw new Error("a locked post was changed");
  return change.key;
}

async function hideUnused(sql: Sql, id: number, images: readonly string[]): Promise<HiddenMedia[]> {
  const used = await findUsedMedia(sql, id);
  return hideMedia(
    sql,
    images.filter((sha) => !used.has(sha)),
  );
}

async function addressesOf(sql: Sql, id: number): Promise<Pick<RemovedPost, "formerSlugs" | "redirects">> {
  const slugs = await sql<{
    slug: string;
  }>`select slug from former_slugs where post_id = ${id} order by slug`;
  const paths = await sql<{ path: string }>`select path from redirects where post_id = ${id} order by path`;
  return { formerSlugs: slugs.map(({ slug }) => slug), redirects: paths.map(({ path }) => path) };
}

async function propertiesOf(sql: Sql, id: number): Promise<RemovedPost["properties"]> {
  const [row] = await sql<{
    properties: string;
  }>`select properties from post_properties where post_id = ${id}`;
  return row === undefined ? {} : JSON.parse(row.properties);
}

function toStoredEdit({ post, base_version, ...edit }: Edit, accountId: number | undefined) {
  return { ...edit, postId: post, baseVersion: base_version, createdBy: accountId ?? null };
}

interface VersionColumns {
  readonly number: number;
  readonly title: string;
  readonly content: string;
  readonly published: boolean | number;
  readonly replaced_at: Instant;
  readonly replaced_by: number | null;
}

async function keepVersions(sql: Sql, postId: number, changeId: number): Promise<void> {
  const after = (last?: VersionColumns) => sql<VersionColumns>`
    select number, title, content, published, replaced_at, replaced_by from post_versions
    where post_id = ${postId} and number > ${Number(last?.number ?? 0)} order by number limit ${VERSIONS_AT_ONCE}`;
  for await (const found of pages(after)) await addChangeRows(sql, changeId, found.map(toVersionRow));
}

function toVersionRow(columns: VersionColumns): ChangeRow<RemovedVersion> {
  const { title, content, published, replaced_at, replaced_by } = columns;
  const number = Number(columns.number);
  return {
    ...{ record: "version", id: number, outcome: "deleted", version: number },
    before: {
      ...{ title, content, published: Boolean(published) },
      replacedAt: new Date(replaced_at).toISOString(),
      replacedBy: replaced_by === null ? null : Number(replaced_by),
    },
  };
}

async function keepComments(sql: Sql, postId: number, changeId: number): Promise<void> {
  const after = (last?: CommentColumns) => sql<CommentColumns>`
    select ${COMMENT_COLUMNS} from comments where post_id = ${postId} and id > ${Number(last?.id ?? 0)}
    order by id limit ${COMMENTS_AT_ONCE}`;
  for await (const found of pages(after)) await addChangeRows(sql, changeId, found.map(removedComment));
}

/** Deletes at most `limit` removed posts that can no longer be restored, and their hidden images. @returns how many */
export async function purgeRemovedPosts(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql<{ id: number; before: string | null }>`
    select changes.id, before from changes
      left join change_rows on change_id = changes.id and change_rows.record = 'post'
    where changes.record = 'post' and changes.created_at <= ${expiryBefore(now)}
    order by changes.created_at limit ${limit}`;
  if (rows.length === 0) return 0;
  await sql`delete from changes where id in ${rows.map(({ id }) => Number(id))}`;
  const images = rows.flatMap(({ before }) => {
    const removed: Pick<RemovedPost, "images"> = before === null ? {} : JSON.parse(before);
    return removed.images ?? [];
  });
  if (images.length === 0) return rows.length;
  // Something may have come to use an image by its address.
  const used = await findUsedMedia(sql);
  for (const image of images)
    if (used.has(image.sha)) await showMedia(sql, [image]);
    else await deleteHidden(sql, image.sha, now);
  return rows.length;
}
