import type { Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { countCodePoints, isReadable } from "../../text.ts";
import { deleteEdit, findEditOf, replaceEdit } from "../editing/edit-store.ts";
import { currentVersionNumber } from "../editing/post-versions.ts";
import { POST_TITLE_MAX, type TaggedPost } from "../post.ts";
import { findPostOrDraft, lockPost, updatePost, withTags } from "../post-store.ts";
import { changePublication } from "../publication/change-publication.ts";
import { isScheduling, type PublicationPatch } from "../publication/publication.ts";
import { EditorForm, publicationFromForm, textTyped } from "./editor-form.ts";

/**
 * Publishes a scheduled draft that is due, with the text and the details that its author saved last. Details that are
 * not valid stay in the working copy, and so does a text that was made from an earlier version of the draft.
 */
export async function publishDueDraft(
  sql: Sql,
  id: number,
  { dueAt, now, timeZone }: { readonly dueAt: Date; readonly now: Date; readonly timeZone: string },
): Promise<void> {
  await lockPost(sql, id);
  const draft = await findPostOrDraft(sql, id);
  if (draft === undefined || draft.published) return;
  const publish = async (text: { title: string; content: string }) => {
    const current = (await findPostOrDraft(sql, id)) ?? draft;
    await updatePost(sql, current, { ...text, published: true }, dueAt, { publishedAt: dueAt });
  };
  const edit = await findEditOf(sql, id);
  const form =
    edit &&
    EditorForm.safeParse({
      ...edit.fields,
      title: edit.title,
      content: edit.content,
      action: "publish-anyway",
    });
  if (edit === undefined || !form?.success || edit.base_version !== (await currentVersionNumber(sql, id)))
    return publish(draft);
  const details = detailsIn(form.data, timeZone, await withTags(sql, draft));
  const publish_at = details?.publish_at;
  if (isScheduling(publish_at, now)) {
    // The author has chosen a later time.
    if (!(await takes(() => changePublication(sql, draft, { publish_at }, now))))
      // Such as a link without an address, from a file. Neither its time nor the later one can be kept.
      await sql`update posts set publish_at = null where id = ${id}`;
    return;
  }
  const isTaken =
    details !== undefined &&
    (await takes(() => {
      const { publish_at: _, ...others } = details;
      return changePublication(sql, draft, others, now);
    }));
  const { title, content } = textTyped(form.data, draft);
  const hasTitle = isReadable(title) && countCodePoints(title) <= POST_TITLE_MAX;
  await publish({ title: hasTitle ? title : draft.title, content });
  if (isTaken) await deleteEdit(sql, edit.key);
  else await replaceEdit(sql, edit, { ...edit, base_version: await currentVersionNumber(sql, id) }, now);
}

/** The details that were typed; undefined if they are not valid. */
function detailsIn(form: EditorForm, timeZone: string, draft: TaggedPost): PublicationPatch | undefined {
  try {
    return publicationFromForm(form, timeZone, draft);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

/** Whether a change is not refused, such as for an address that another post has. */
async function takes(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}
