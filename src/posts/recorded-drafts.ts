import { type ChangeAuthor, startChange } from "../changes/change-store.ts";
import type { Sql } from "../database/database.ts";
import type { Post, TaggedPost } from "./post.ts";
import { toPublicationResponse } from "./publication/publication.ts";
import { addDraftRow, type DraftBefore } from "./removal/undo-drafts.ts";

/**
 * Records that a draft was added, in the transaction that did it; undoing it removes the draft, unless somebody else has changed it
 * since.
 * @returns the key that undoes it
 */
export function recordDraftAdded(sql: Sql, post: Post, by: ChangeAuthor, now: Date): Promise<string> {
  return record(sql, "create", post, by, now);
}

/**
 * Records that a draft was revised, in the transaction that did it and has locked it. Neither its slug nor its dates were changed.
 * @returns the key that undoes it; null when nothing was changed
 */
export async function recordDraftRevised(
  sql: Sql,
  before: TaggedPost,
  after: Post,
  by: ChangeAuthor,
  now: Date,
): Promise<string | null> {
  const hasText = before.version !== after.version;
  const hasMembers = before.publicationVersion !== after.publicationVersion;
  if (!hasText && !hasMembers) return null;
  const { kind, link, summary, tags, language, image, canonical_url } = toPublicationResponse(before);
  return record(sql, "update", after, by, now, {
    ...(hasText && { title: before.title, content: before.content }),
    ...(hasMembers && {
      publication: { kind, link, summary, tags, language, image, canonical_url },
      stamp: String(before.publicationVersion),
    }),
  });
}

async function record(
  sql: Sql,
  kind: "create" | "update",
  post: Post,
  by: ChangeAuthor,
  now: Date,
  before?: DraftBefore,
): Promise<string> {
  const { id, title } = post;
  const change = await startChange(sql, { record: "post", kind, details: { id, title }, ...by }, now);
  await addDraftRow(sql, change.id, post, before);
  return change.key;
}
