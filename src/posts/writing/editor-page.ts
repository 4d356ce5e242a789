import { z } from "zod";
import type { Sql } from "../../database/database.ts";
import { parseEditKey } from "../../records/edit-key.ts";
import { FormState } from "../../web/forms/form-state.ts";
import type { PageContext, RefusedForm } from "../../web/page.tsx";
import type { View } from "../../web/view.ts";
import type { EditReplace } from "../editing/edit.ts";
import { findEdit } from "../editing/edit-store.ts";
import { currentVersionNumber } from "../editing/post-versions.ts";
import { findPostOrDraft, withTags } from "../post-store.ts";
import { DETAILS, formFieldsOf } from "./editor-form.ts";
import { type EditorDependencies, readEditorState } from "./editor-state.ts";
import { editorView } from "./editor-view.tsx";

export const KeyParams = z.object({
  key: z.string().refine((key) => parseEditKey(key) !== undefined, "Not a key."),
});
export type KeyParams = typeof KeyParams;

/** The editor with a form. @param shared a new link to the draft, shown once */
export async function editor(
  dependencies: EditorDependencies,
  context: PageContext,
  key: string,
  form: FormState,
  postId: number | null,
  shared?: string,
): Promise<View> {
  const state = await readEditorState(dependencies, context.read, key, postId, shared);
  return editorView(context, form, state);
}

/** The initial form, for a new text or for an existing post. @param kind that of a new text; pages are in the menu */
export async function startOf(
  sql: Sql,
  { dates }: Pick<PageContext, "dates">,
  typed: string | undefined,
  kind?: "page",
): Promise<EditReplace> {
  const post = typed === undefined ? undefined : await findPostOrDraft(sql, Number(typed));
  if (post === undefined) {
    const fields = kind === undefined ? {} : { kind, menu: "on" };
    return { post: null, base_version: null, title: "", content: "", fields };
  }
  return {
    post: post.id,
    base_version: await currentVersionNumber(sql, post.id),
    title: post.title,
    content: post.content,
    fields: formFieldsOf(await withTags(sql, post), (date) => `${dates.isoDay(date)}T${dates.time(date)}`),
  };
}

/** A refused form with the typed values. */
export async function again(
  dependencies: EditorDependencies,
  { form, pathParams, ...context }: RefusedForm,
): Promise<View> {
  const { database } = dependencies;
  const key = parseEditKey(pathParams.key ?? "") ?? crypto.randomUUID();
  const edit = await findEdit(database.read, key);
  const fields = Object.fromEntries(
    ["title", "content", ...DETAILS, "post", "base_version", "action"].map((name) => [name, form.text(name)]),
  );
  const errors = [...form.errors].map(([name, detail]) => ({
    pointer: `/${name}`,
    code: "wrong_type" as const,
    detail,
  }));
  const shown = FormState.refused(
    { ...fields, version: String(edit?.version ?? form.text("version")) },
    form.detail ?? "",
    errors,
  );
  return editor(dependencies, context, key, shown, Number(form.text("post")) || null);
}
