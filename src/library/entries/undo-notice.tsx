/** @jsxImportSource #jsx */
import { type Change, findChange } from "../../changes/change-store.ts";
import type { Messages } from "../../web/messages/en.ts";
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { undoByKey, withUndoButton } from "../../web/undo-notice.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { type BulkDone, readBulkNotice } from "../bulk-notice.ts";
import type { LibraryParts } from "../library-parts.ts";
import { inverseOf, readAction } from "./actions.ts";
import { changeSentence, namedTags } from "./change-sentence.ts";

/** The codes of notices that carry an undo key. */
const UNDOABLE: ReadonlySet<string> = new Set([
  ...["link-removed", "tags-changed", "links-merged", "mark-removed", "mark-changed"],
]);

/** A view whose notice says what was done to how many links, and has an *Undo* button if that is undoable. */
export async function withUndoOfLinks(
  { database }: Pick<LibraryParts, "database">,
  context: Pick<PageContext, "request" | "messages" | "path" | "search" | "read">,
  view: View,
): Promise<View> {
  const { request, messages } = context;
  const notice = noticeOf(request, messages.notices);
  if (notice?.about === undefined) return view;
  const act = notice.code === "link-dealt-with" ? readAction(notice.about) : undefined;
  const bulk = notice.code === "links-changed" ? readBulkNotice(notice.about) : undefined;
  if (act)
    return withUndoButton(context, view, messages.library.next.done[act.action], {
      action: local("/library/later"),
      act: inverseOf(act),
    });
  const key = bulk ? bulk.undo : UNDOABLE.has(notice.code) ? notice.about : null;
  const change = key === null ? undefined : await findChange(context.read, key, database.clock.now());
  const said = bulk
    ? saidBulk(bulk, change, messages)
    : change !== undefined && notice.code === "tags-changed"
      ? `${changeSentence(change, messages)}.`
      : messages.notices[notice.code];
  if (key !== null) return withUndoButton(context, view, said, undoByKey(key));
  return bulk ? { ...view, notice: <>{said}</> } : view;
}

function saidBulk(
  { action, changed, selected }: BulkDone,
  change: Pick<Change, "details"> | undefined,
  messages: Messages,
): string {
  if (action === "copy") return messages.copies.selected.done(changed);
  const labels = messages.library.bulk;
  const some = labels.some(changed, selected);
  if (action !== "add" && action !== "take") return labels.done[action](some);
  const { add_tags, remove_tags } = change?.details ?? {};
  const tags = namedTags(action === "add" ? add_tags : remove_tags, messages);
  return labels.done[action](some, tags || labels.tags);
}
