/** @jsxImportSource #jsx */

import { BackField } from "../../web/forms/back.tsx";
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { local, segment } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { readBulkNotice } from "../bulk-notice.ts";

const FORM = "undo";

/** The codes of notices that carry an undo key. */
const UNDOABLE: ReadonlySet<string> = new Set(["link-removed", "tags-changed", "links-merged"]);

/** A view whose notice says what was done to how many links, and has an *Undo* button if that is undoable. */
export function withUndo(
  { request, messages, path, search }: Pick<PageContext, "request" | "messages" | "path" | "search">,
  view: View,
): View {
  const notice = noticeOf(request, messages.notices);
  if (notice?.about === undefined) return view;
  const bulk = notice.code === "links-changed" ? readBulkNotice(notice.about) : undefined;
  const labels = messages.library.bulk;
  const said = bulk
    ? labels.done[bulk.action](labels.some(bulk.changed, bulk.selected))
    : messages.notices[notice.code];
  const key = bulk ? bulk.undo : UNDOABLE.has(notice.code) ? notice.about : null;
  if (key === null) return bulk ? { ...view, notice: <>{said}</> } : view;
  return {
    ...view,
    notice: (
      <>
        {said}{" "}
        <button class="link-button" type="submit" form={FORM}>
          {messages.library.undo}
        </button>
      </>
    ),
    body: (
      <>
        {view.body}
        <form id={FORM} method="post" action={local(`/library/undo/${segment(key)}`)} hidden>
          <BackField back={path + search} />
        </form>
      </>
    ),
  };
}
