import type { ResponseData } from "../../../http/response-data.ts";
import { local } from "../../../web/urls.ts";
import { seeOther, type View } from "../../../web/view.ts";
import { hasSameContent } from "../../editing/edit.ts";
import { insertEdit, lockEdit, replaceEdit } from "../../editing/edit-store.ts";
import { editFromForm } from "../editor-form.ts";
import { startOf } from "../editor-page.ts";
import type { EditorDependencies } from "../editor-state.ts";
import { type Submitted, showStoredConflict } from "./submitted-form.ts";

/** Continues with the typed text; the stored one becomes a separate working copy. Publishes nothing. */
export async function keepMine(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<View | ResponseData> {
  const { body, caller, client } = call;
  const mine = editFromForm(body);
  const accountId = caller.account?.id;
  const changed = await dependencies.database.write(async (sql) => {
    const locked = await lockEdit(sql, key);
    const now = dependencies.database.clock.now();
    if (locked === undefined) await insertEdit(sql, key, mine, accountId, now);
    else if (!hasSameContent(locked, mine)) {
      if (locked.version !== body.version) return locked;
      await insertEdit(sql, crypto.randomUUID(), locked, accountId, locked.updatedAt);
      await replaceEdit(sql, locked, mine, now);
    }
    return undefined;
  });
  if (changed !== undefined) return showStoredConflict(call, key, mine, changed);
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "text-kept" } });
}

/** Continues with the stored text; the typed text becomes a separate working copy. */
export async function useTheirs(
  { database }: EditorDependencies,
  { body, caller, client }: Submitted,
  key: string,
): Promise<ResponseData> {
  await database.write((sql) =>
    insertEdit(sql, crypto.randomUUID(), editFromForm(body), caller.account?.id, database.clock.now()),
  );
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "text-kept" } });
}

/**
 * Starts again from the post, which has changed since; the typed text becomes a separate working copy. That one belongs to
 * the earlier version, so that publishing it shows both texts again.
 */
export async function usePost(
  dependencies: EditorDependencies,
  call: Submitted,
  key: string,
): Promise<ResponseData> {
  const { body, caller, client } = call;
  const accountId = caller.account?.id;
  const now = dependencies.database.clock.now();
  await dependencies.database.write(async (sql) => {
    const locked = await lockEdit(sql, key);
    const mine = { ...editFromForm(body), base_version: locked?.base_version ?? null };
    await insertEdit(sql, crypto.randomUUID(), mine, accountId, now);
    // A text of another window, which the form did not show, stays.
    if (locked === undefined || locked.version !== body.version) return;
    const theirs = await startOf(sql, call, String(body.post));
    await replaceEdit(sql, locked, theirs, now);
  });
  return seeOther(local(`/write/${key}`), { scheme: client.scheme, notice: { code: "text-kept" } });
}
