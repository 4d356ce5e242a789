import { addChangeRows, type Change, type ChangeRow } from "../../changes/change-store.ts";
import type { KeptReason } from "../../changes/undo.ts";
import type { Sql } from "../../database/database.ts";
import type { Post } from "../post.ts";
import { findPostOrDraft, lockPost, updatePost } from "../post-store.ts";
import { changePublication } from "../publication/change-publication.ts";
import type { PublicationPatch } from "../publication/publication.ts";
import { removePost } from "./remove-post.ts";

/** What a recorded change of a draft may set beyond its text. No dates, which could publish it, and no slug, which is unique. */
export type DraftMembers = Omit<PublicationPatch, "slug" | "published_at" | "publish_at">;

/** What a recorded change of a draft replaced. */
export interface DraftBefore {
  readonly title?: string;
  readonly content?: string;
  readonly publication?: DraftMembers;
  /** The version of the publication. */
  readonly stamp?: string;
}

/** Adds a draft that was added or revised to the record of the change. */
export function addDraftRow(
  sql: Sql,
  changeId: number,
  { id, version, publicationVersion }: Post,
  before?: DraftBefore,
): Promise<void> {
  const outcome = before === undefined ? "added" : "updated";
  const stamp = String(publicationVersion);
  return addChangeRows(sql, changeId, [
    { record: "post", id, outcome, version, before: before ?? {}, stamp },
  ]);
}

/** Why a draft stays as it is; undefined when nobody has touched it since the change. */
export async function whyDraftStays(
  sql: Sql,
  post: Post,
  { version, stamp }: ChangeRow,
  change: Pick<Change, "id">,
): Promise<KeptReason | undefined> {
  if (post.published) return "published";
  if (post.version !== version || String(post.publicationVersion) !== stamp) return "changed";
  const edits = await sql`
    select 1 from edits where post_id = ${post.id}
      and updated_at >= (select created_at from changes where id = ${change.id}) limit 1`;
  return edits.length > 0 ? "edited" : undefined;
}

/**
 * Takes back what a change did to a draft: an added one is removed, which can be undone, too; an earlier text comes back as a new
 * version.
 * @returns the draft that stays, with the reason; `gone` if there is none
 */
export async function revertDraft(
  sql: Sql,
  row: ChangeRow,
  change: Pick<Change, "id">,
  now: Date,
): Promise<{ readonly post: Post; readonly why: KeptReason } | "gone" | undefined> {
  await lockPost(sql, row.id);
  const post = await findPostOrDraft(sql, row.id);
  if (post === undefined) return "gone";
  const why = await whyDraftStays(sql, post, row, change);
  if (why !== undefined) return { post, why };
  if (row.outcome === "added") await removePost(sql, post, { accountId: undefined, now });
  else await restoreText(sql, post, row as ChangeRow<DraftBefore>, now);
  return undefined;
}

async function restoreText(sql: Sql, post: Post, { before }: ChangeRow<DraftBefore>, now: Date) {
  const { title = post.title, content = post.content, publication, stamp } = before;
  const hasText = title !== post.title || content !== post.content;
  const saved = hasText ? await updatePost(sql, post, { title, content, published: false }, now) : post;
  if (saved === undefined) throw new Error("a locked post was changed");
  // Earlier changes by agents can be undone, too, as those of bookmarks (`moveRecordedVersions`).
  if (hasText)
    await sql`
      update change_rows set version = version + 2
      where record = 'post' and record_id = ${post.id} and version < ${post.version} and outcome in ('added', 'updated')`;
  if (publication === undefined) return;
  const { publicationVersion } = await changePublication(sql, saved, publication, now);
  await sql`
    update change_rows set stamp = ${String(publicationVersion)}
    where record = 'post' and record_id = ${post.id} and stamp = ${stamp ?? ""}`;
}
