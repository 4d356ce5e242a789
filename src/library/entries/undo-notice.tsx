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
  { request, words, path, search }: Pick<PageContext, "request" | "words" | "path" | "search">,
  view: View,
): View {
  const notice = noticeOf(request, words.notices);
  if (notice?.about === undefined || !UNDOABLE.has(notice.code)) return view;
  return {
    ...view,
    notice: (
      <>
        {words.notices[notice.code]}{" "}
        <button class="link-button" type="submit" form={FORM}>
          {words.library.undo}
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
