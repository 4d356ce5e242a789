import { Refusal } from "../../../errors.ts";
import type { ResponseData } from "../../../http/response-data.ts";
import { local } from "../../../web/urls.ts";
import { seeOther, type View } from "../../../web/view.ts";
import { type Edit, type EditReplace, hasSameContent } from "../../editing/edit.ts";
import { deleteEdit, lockEdit } from "../../editing/edit-store.ts";
import { currentVersionNumber } from "../../editing/post-versions.ts";
import { mediaIn } from "../../editing/shown-media.ts";
import { findPost, findPostOrDraft, lockPost } from "../../post-store.ts";
import { removePost } from "../../removal/remove-post.ts";
import { discardView } from "../discard-view.tsx";
import { editFromForm } from "../editor-form.ts";
import type { EditorDependencies } from "../editor-state.ts";
import { type Submitted, showStoredConflict } from "./submitted-form.ts";

/** The question before a text is discarded. It stores nothing: what was typed comes back with the response. */
export async function askToDiscard(
  { database }: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View> {
  const { post: id, version } = call.body;
  const post = id === null ? undefined : await findPostOrDraft(database.read, id);
  const from = post === undefined ? "nothing" : post.published ? "published" : "draft";
  return discardView(call, { key, text: editFromForm(call.body), version, from });
}

/** Discards the text that the question was about, or shows both if another one has been stored since. */
export async function discard(
  { database }: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { body, client } = call;
  const mine = editFromForm(body);
  const other = await database.write(async (sql) => {
    const locked = await lockEdit(sql, key);
    if (locked !== undefined && isAnother(locked, call, mine)) return locked;
    await deleteEdit(sql, key);
    return undefined;
  });
  if (other !== undefined) return showStoredConflict(call, key, mine, other);
  return seeOther(local("/write"), { scheme: client.scheme, notice: { code: "post-discarded" } });
}

/** The question before a draft is deleted. It stores nothing: what was typed comes back with the answer. */
export function askToDelete(call: Submitted, key: string): View {
  return discardView(call, {
    key,
    text: editFromForm(call.body),
    version: call.body.version,
    from: "whole draft",
  });
}

/**
 * Removes a draft and its working copy, which can be restored for 30 days; or shows both texts if another one has been
 * stored since.
 * @throws Refusal `conflict` if it was published or changed since the form was shown
 */
export async function deleteDraft(
  { database }: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { body, client, caller } = call;
  const { post: id } = body;
  const text = editFromForm(body);
  const now = database.clock.now();
  const { other, undo } = await database.write(async (sql) => {
    const stored = await lockEdit(sql, key);
    if (stored !== undefined && isAnother(stored, call, text)) return { other: stored };
    await deleteEdit(sql, key);
    if (id === null || (await lockPost(sql, id)) === undefined) return {};
    const draft = await findPost(sql, "drafts", id);
    if (draft === undefined)
      throw new Refusal("conflict", "This post is published. Unpublish it before you delete it.");
    if (body.base_version !== (await currentVersionNumber(sql, id)))
      throw new Refusal(
        "conflict",
        "This draft has changed since you opened it. Open it again to delete it.",
      );
    const hasEdit = stored !== undefined || text.title !== draft.title || text.content !== draft.content;
    const fresh = { key, version: 1, createdAt: now, updatedAt: now };
    const removed = await removePost(sql, draft, {
      ...{ accountId: caller.account?.id, now },
      edit: hasEdit ? { ...fresh, ...stored, ...text } : undefined,
      images:
        body.images === "delete" ? mediaIn(`${draft.content} ${text.content} ${text.fields.image}`) : [],
    });
    return { undo: removed };
  });
  if (other !== undefined) return showStoredConflict(call, key, text, other);
  return seeOther(local("/write"), { scheme: client.scheme, notice: { code: "post-deleted", about: undo } });
}

/** Whether a stored text is neither the one that the form was made from nor the one in the form. */
function isAnother(stored: Edit, { body }: Submitted, mine: EditReplace): boolean {
  return stored.version !== (body.version ?? 0) && !hasSameContent(stored, mine);
}
