import type { Database } from "../../database/database.ts";
import { checkPreconditions, entityTag } from "../../http/caching/etags.ts";
import { type Edit, type EditReplace, hasSameContent } from "./edit.ts";
import { insertEdit, lockEdit, replaceEdit } from "./edit-store.ts";

/** A stored edit, and whether it is new. */
export interface SavedEdit {
  readonly edit: Edit;
  readonly isNew: boolean;
}

/**
 * Stores a working copy under its key. Repeating the stored text succeeds whatever `If-Match` says, so that a
 * client can retry after a lost response (RFC 9110, section 13.1.1).
 *
 * @throws Refusal `precondition_failed` when another text has been stored since
 */
export function saveEdit(
  database: Database,
  request: Request,
  key: string,
  wanted: EditReplace,
  accountId: number | undefined,
): Promise<SavedEdit> {
  return database.write(async (sql) => {
    const now = database.clock.now();
    while (true) {
      const locked = await lockEdit(sql, key);
      if (locked !== undefined && hasSameContent(locked, wanted)) return { edit: locked, isNew: false };
      checkPreconditions(request, locked && editEtag(database.epoch, locked));
      if (locked !== undefined) return { edit: await replaceEdit(sql, locked, wanted, now), isNew: false };
      const edit = await insertEdit(sql, key, wanted, accountId, now);
      if (edit !== undefined) return { edit, isNew: true };
    }
  });
}

/** The strong entity tag of an edit. */
export function editEtag(epoch: string, { version }: Pick<Edit, "version">): string {
  return entityTag(epoch, version);
}
