import type { Sql } from "../../database/database.ts";
import { invalid, Refusal } from "../../errors.ts";
import { isSameMinute } from "../../zoned-time.ts";
import { deleteEdit } from "../editing/edit-store.ts";
import { currentVersionNumber } from "../editing/post-versions.ts";
import type { Post } from "../post.ts";
import { findPostOrDraft, insertPost, lockPost, updatePost } from "../post-store.ts";
import { changePublication } from "../publication/change-publication.ts";
import { keepInMenu } from "../publication/menu-entry.ts";
import type { PublicationPatch } from "../publication/publication.ts";
import { isScheduling } from "../publication/publication.ts";
import { textTyped } from "./editor-form.ts";

/** A working copy to publish. */
export interface Publishing {
  readonly key: string;
  readonly post: number | null;
  /** The version of the post that it was made from; null for a new post. */
  readonly baseVersion: number | null;
  readonly title: string;
  readonly content: string;
  readonly publication: PublicationPatch;
  /** The time zone in which its date was typed. */
  readonly timeZone: string;
  readonly accountId: number | undefined;
  /** Whether the menu of the site has a link to it. */
  readonly inMenu: boolean;
}

/** A published working copy. */
export interface Published {
  readonly post: Post;
  /** Whether the post was published before. */
  readonly wasPublished: boolean;
}

/**
 * Publishes a working copy, under its date if it has one, or schedules it if that is in the future, and deletes the
 * working copy.
 *
 * @throws Refusal `precondition_failed` without any change, when the post has changed since
 */
export async function publishEdit(sql: Sql, publishing: Publishing, now: Date): Promise<Published> {
  const { key, publication, accountId } = publishing;
  const { publish_at: given, ...others } = publication;
  if (publishing.post !== null) await lockPost(sql, publishing.post);
  const existing = publishing.post === null ? undefined : await findPostOrDraft(sql, publishing.post);
  const typed = untouched(given, existing, publishing.timeZone);
  const isLater = isScheduling(typed, now);
  if (existing?.published && isLater) throw datedInTheFuture();
  const { title, content } = existing === undefined ? publishing : textTyped(publishing, existing);
  let post: Post;
  if (existing === undefined) {
    post = await insertPost(sql, { title, content, published: false }, accountId, now);
  } else {
    if (publishing.baseVersion !== (await currentVersionNumber(sql, existing.id))) throw changedMeanwhile();
    post = existing;
  }
  const date = typed == null || isLater ? undefined : typed;
  const dates = post.published
    ? { ...(date !== undefined && { published_at: date }) }
    : { publish_at: isLater ? typed : null };
  const current = await changePublication(sql, post, { ...others, ...dates }, now);
  const published = current.published || !isLater;
  const isSame = current.title === title && current.content === content && current.published === published;
  const saved = isSame
    ? current
    : await updatePost(sql, current, { title, content, published }, now, {
        accountId,
        ...(published && !current.published && { publishedAt: date ?? now }),
      });
  if (saved === undefined) throw changedMeanwhile();
  await deleteEdit(sql, key);
  await keepInMenu(sql, { post: saved, before: existing, wanted: publishing.inMenu }, now);
  return { post: saved, wasPublished: existing?.published ?? false };
}

/**
 * The typed date, which has no seconds and no offset: the date of the post, if that is what its field showed. In the hour that is
 * doubled when a clock is set back, two instants show the same.
 */
function untouched(
  typed: Date | null | undefined,
  post: Post | undefined,
  timeZone: string,
): Date | null | undefined {
  const shown = post?.publishAt ?? post?.publishedAt;
  return typed != null && shown != null && isSameMinute(typed, shown, timeZone) ? shown : typed;
}

function datedInTheFuture(): Refusal {
  const detail = "A published post has a date in the past. To schedule it, unpublish it first.";
  return invalid([{ pointer: "/publish_at", code: "out_of_range", detail }]);
}

function changedMeanwhile(): Refusal {
  return new Refusal(
    "precondition_failed",
    "This post has changed since you opened it. Compare the versions before publishing.",
  );
}
