import { pages } from "../../batches.ts";
import { type Change, type ChangeRow, changeRowsAfter } from "../../changes/change-store.ts";
import type { KeptRecord, Reverted, Undoer, Undone } from "../../changes/undo.ts";
import type { Sql } from "../../database/database.ts";
import { showMedia } from "../../media/media-store.ts";
import { countCommentChanges } from "../comments/comment-store.ts";
import {
  type ImportedEdit,
  insertImportedComments,
  insertImportedEdits,
  insertImportedPosts,
  insertImportedVersions,
} from "../import/insert-imported-posts.ts";
import { indexPosts } from "../indexed-posts.ts";
import { collectionOf, pathOf } from "../post.ts";
import { countAdded } from "../post-counters.ts";
import { findPostOrDraft } from "../post-store.ts";
import { giveSlug, isTaken } from "../publication/slug-store.ts";
import type { RemovedComment } from "./remove-comments.ts";
import type { RemovedPost, RemovedVersion, Stored } from "./remove-post.ts";
import { toComment } from "./restore-comments.ts";
import { revertDraft, whyDraftStays } from "./undo-drafts.ts";

const VERSIONS_AT_ONCE = 20;
const COMMENTS_AT_ONCE = 200;

/**
 * A removed post comes back as it was, under its own id. What another post has taken meanwhile stays there: a slug, a
 * former slug, a redirect. A draft that an agent added goes, one that it revised has its earlier text again.
 */
export const postUndoer: Undoer = { revert, preview };

/** Nothing is in the way of a removed post: an id is never used twice. */
async function preview(sql: Sql, rows: readonly ChangeRow[], change: Pick<Change, "id">): Promise<Undone> {
  const undone = new Outcome();
  for (const row of rows) {
    const post = row.outcome === "deleted" ? undefined : await findPostOrDraft(sql, row.id);
    const why = post && (await whyDraftStays(sql, post, row, change));
    undone.add(row, row.outcome !== "deleted" && post === undefined ? "gone" : post && why && { post, why });
  }
  return undone;
}

async function revert(
  sql: Sql,
  rows: readonly ChangeRow[],
  change: Pick<Change, "id">,
  now: Date,
): Promise<Reverted> {
  const undone = new Outcome();
  for (const row of rows) {
    if (row.outcome !== "deleted") undone.add(row, await revertDraft(sql, row, change, now));
    else undone.add(row, await restore(sql, row as ChangeRow<RemovedPost>, change.id, now));
  }
  return undone;
}

class Outcome implements Reverted {
  changed = 0;
  readonly kept: KeptRecord[] = [];
  readonly gone: number[] = [];
  readonly left: ChangeRow[] = [];
  readonly missing: ChangeRow[] = [];

  add(row: ChangeRow, stays: Awaited<ReturnType<typeof revertDraft>>): void {
    if (stays === undefined) this.changed++;
    else if (stays === "gone") {
      this.gone.push(row.id);
      this.missing.push(row);
    } else {
      const { post, why } = stays;
      this.kept.push({ id: row.id, title: post.title, url: pathOf(post), why });
      this.left.push(row);
    }
  }
}

async function restore(
  sql: Sql,
  { id, before }: ChangeRow<RemovedPost>,
  changeId: number,
  now: Date,
): Promise<undefined> {
  const { published, title, edit, images = [], commentsVersion } = before;
  const createdAt = new Date(before.createdAt);
  // What should have been published meanwhile waits for its author.
  const publishAt = before.publishAt !== null && new Date(before.publishAt) > now ? before.publishAt : null;
  const slug = before.slug === null || (await isFree(sql, before.slug, id)) ? before.slug : null;
  const isSame = slug === before.slug && publishAt === before.publishAt;
  await insertImportedPosts(sql, [
    {
      ...before,
      ...{ slug, createdAt, updatedAt: new Date(before.updatedAt), publishedAt: dateOf(before.publishedAt) },
      publishAt: dateOf(publishAt),
      publicationVersion: before.publicationVersion + (isSame ? 0 : 1),
    },
  ]);
  await sql`update posts set comments_version = ${commentsVersion} where id = ${id}`;
  if (published && slug === null) await giveSlug(sql, { id, title });
  await restoreVersions(sql, id, changeId);
  await restoreComments(sql, changeId);
  await sql`delete from change_rows where change_id = ${changeId} and record in ('version', 'comment')`;
  if (edit !== undefined) await restoreEdit(sql, edit);
  await showMedia(sql, images);
  await indexPosts(sql, [id]);
  await countCommentChanges(sql, 1);
  await countAdded(sql, collectionOf(published), createdAt);
}

async function isFree(sql: Sql, slug: string, id: number): Promise<boolean> {
  return (await sql`select 1 as n where ${isTaken(slug, id)}`).length === 0;
}

async function restoreVersions(sql: Sql, postId: number, changeId: number): Promise<void> {
  const after = (last?: ChangeRow<RemovedVersion>) =>
    changeRowsAfter<RemovedVersion>(sql, changeId, "version", last?.id ?? 0, VERSIONS_AT_ONCE);
  for await (const rows of pages(after))
    await insertImportedVersions(
      sql,
      rows.map(({ id, before }) => ({
        ...before,
        ...{ postId, number: id, replacedAt: new Date(before.replacedAt) },
      })),
    );
}

async function restoreComments(sql: Sql, changeId: number): Promise<void> {
  const after = (last?: ChangeRow<RemovedComment>) =>
    changeRowsAfter<RemovedComment>(sql, changeId, "comment", last?.id ?? 0, COMMENTS_AT_ONCE);
  for await (const rows of pages(after)) await insertImportedComments(sql, rows.map(toComment));
}

/** Unless its author has gone on with it. */
async function restoreEdit(sql: Sql, edit: Stored<ImportedEdit>): Promise<void> {
  if ((await sql`select 1 as n from edits where key = ${edit.key}`).length > 0) return;
  const dates = { createdAt: new Date(edit.createdAt), updatedAt: new Date(edit.updatedAt) };
  await insertImportedEdits(sql, [{ ...edit, ...dates }]);
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
