/** @jsxImportSource #jsx */

import { BackField } from "../../web/forms/back.tsx";
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { local, segment } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { readBulkNotice } from "../bulk-notice.ts";
import { inverseOf, readAct } from "../later/acts.ts";

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
  const act = notice.code === "link-dealt-with" ? readAct(notice.about) : undefined;
  const bulk = notice.code === "links-changed" ? readBulkNotice(notice.about) : undefined;
  const labels = messages.library.bulk;
  const said = bulk
    ? labels.done[bulk.action](labels.some(bulk.changed, bulk.selected))
    : act === undefined
      ? messages.notices[notice.code]
      : messages.library.later.done[act.action];
  const key = bulk ? bulk.undo : UNDOABLE.has(notice.code) ? notice.about : null;
  if (key === null && !act) return bulk ? { ...view, notice: <>{said}</> } : view;
  return {
    ...view,
    notice: (
      <>
        {said}{" "}
        <button
          class="link-button"
          type="submit"
          form={FORM}
          name={act && "act"}
          value={act && inverseOf(act)}
        >
          {messages.library.undo}
        </button>
      </>
    ),
    body: (
      <>
        {view.body}
        <form
          id={FORM}
          method="post"
          action={key === null ? local("/library/later") : local(`/library/undo/${segment(key)}`)}
          hidden
        >
          <BackField back={path + search} />
        </form>
      </>
    ),
  };
}
