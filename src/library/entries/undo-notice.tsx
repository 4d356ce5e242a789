/** @jsxImportSource #jsx */

import { BackField } from "../../web/forms/back.tsx";
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { local, segment } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";

const FORM = "undo";

/** The codes of notices that carry an undo key. */
const UNDOABLE: ReadonlySet<string> = new Set([
  "link-removed",
  "links-changed",
  "tags-changed",
  "links-merged",
]);

/** A view whose notice about an undoable change has an *Undo* button. */
export function withUndo(
  { request, messages, path, search }: Pick<PageContext, "request" | "messages" | "path" | "search">,
  view: View,
): View {
  const notice = noticeOf(request, messages.notices);
  if (notice?.about === undefined || !UNDOABLE.has(notice.code)) return view;
  return {
    ...view,
    notice: (
      <>
        {messages.notices[notice.code]}{" "}
        <button class="link-button" type="submit" form={FORM}>
          {messages.library.undo}
        </button>
      </>
    ),
    body: (
      <>
        {view.body}
        <form id={FORM} method="post" action={local(`/library/undo/${segment(notice.about)}`)} hidden>
          <BackField back={path + search} />
        </form>
      </>
    ),
  };
}
