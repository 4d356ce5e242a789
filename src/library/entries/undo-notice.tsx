/** @jsxImportSource #jsx */
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { undoByKey, withUndoButton } from "../../web/undo-notice.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { readBulkNotice } from "../bulk-notice.ts";
import { inverseOf, readAct } from "../later/acts.ts";

/** The codes of notices that carry an undo key. */
const UNDOABLE: ReadonlySet<string> = new Set(["link-removed", "tags-changed", "links-merged"]);

/** A view whose notice says what was done to how many links, and has an *Undo* button if that is undoable. */
export function withUndo(
  context: Pick<PageContext, "request" | "messages" | "path" | "search">,
  view: View,
): View {
  const { request, messages } = context;
  const notice = noticeOf(request, messages.notices);
  if (notice?.about === undefined) return view;
  const act = notice.code === "link-dealt-with" ? readAct(notice.about) : undefined;
  const bulk = notice.code === "links-changed" ? readBulkNotice(notice.about) : undefined;
  const labels = messages.library.bulk;
  const said = bulk
    ? labels.done[bulk.action](labels.some(bulk.changed, bulk.selected))
    : act === undefined
      ? messages.notices[notice.code]
      : messages.library.later.done[act.action];
  if (act)
    return withUndoButton(context, view, said, { action: local("/library/later"), act: inverseOf(act) });
  const key = bulk ? bulk.undo : UNDOABLE.has(notice.code) ? notice.about : null;
  if (key !== null) return withUndoButton(context, view, said, undoByKey(key));
  return bulk ? { ...view, notice: <>{said}</> } : view;
}
