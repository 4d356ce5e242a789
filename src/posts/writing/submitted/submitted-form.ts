import type { PageCall } from "../../../web/page.tsx";
import type { View } from "../../../web/view.ts";
import { type Edit, type EditReplace, hasSameContent } from "../../editing/edit.ts";
import { insertEdit, lockEdit, replaceEdit } from "../../editing/edit-store.ts";
import { conflictView } from "../conflict-view.tsx";
import type { EditorForm } from "../editor-form.ts";
import type { KeyParams } from "../editor-page.ts";
import type { EditorDependencies } from "../editor-state.ts";

/** A submitted form of the editor. */
export type Submitted = PageCall<KeyParams, undefined, typeof EditorForm>;

/**
 * Stores a text as the working copy.
 * @returns the other text if another one has been stored since the form was shown
 */
export function storeText(
  { database }: EditorDependencies,
  { body, caller }: Submitted,
  key: string,
  wanted: EditReplace,
): Promise<Edit | undefined> {
  return database.write(async (sql) => {
    const locked = await lockEdit(sql, key);
    if (locked === undefined) {
      await insertEdit(sql, key, wanted, caller.account?.id, database.clock.now());
      return undefined;
    }
    if (hasSameContent(locked, wanted)) return undefined;
    if (locked.version !== body.version) return locked;
    await replaceEdit(sql, locked, wanted, database.clock.now());
    return undefined;
  });
}

/** The typed text and the stored one, after {@link storeText} found that one. */
export async function showStoredConflict(
  call: Submitted,
  key: string,
  mine: EditReplace,
  stored: Edit,
): Promise<View> {
  return conflictView(call, {
    key,
    with: "stored",
    mine,
    theirs: stored,
    current: { version: stored.version, baseVersion: mine.base_version },
  });
}
