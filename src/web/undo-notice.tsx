/** @jsxImportSource #jsx */
import { BackField } from "./forms/back.tsx";
import type { NoticeCode } from "./messages/en.ts";
import { noticeOf } from "./notices.ts";
import type { PageContext } from "./page.tsx";
import { local, type SafeUrl, segment } from "./urls.ts";
import type { View } from "./view.ts";

/** Also named in `library.js`. */
const FORM = "undo";
/** The key of the button where lists have keys: `library/keys.ts`. */
const KEY = "z";

/** Where a change is undone. */
export interface UndoForm {
  readonly action: SafeUrl;
  /** What the button sends, if anything. */
  readonly act?: string | undefined;
}

/** The form that undoes a change by its key. */
export function undoByKey(key: string): UndoForm {
  return { action: local(`/library/undo/${segment(key)}`) };
}

/** A view whose notice has an *Undo* button if it carries the key of a change. @param codes those that do */
export function withUndo(context: PageContext, view: View, codes: readonly NoticeCode[]): View {
  const { request, messages } = context;
  const { code, about } = noticeOf(request, messages.notices) ?? {};
  if (code === undefined || about === undefined || !codes.includes(code)) return view;
  return withUndoButton(context, view, messages.notices[code], undoByKey(about));
}

/** A view whose notice has an *Undo* button. */
export function withUndoButton(
  { messages, path, search }: Pick<PageContext, "messages" | "path" | "search">,
  view: View,
  said: string,
  { action, act }: UndoForm,
): View {
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
          value={act}
          data-key={KEY}
          aria-keyshortcuts={KEY}
        >
          {messages.library.undo}
        </button>{" "}
        <span class="key" aria-hidden="true">
          {KEY}
        </span>
      </>
    ),
    body: (
      <>
        {view.body}
        <form id={FORM} method="post" action={action} hidden>
          <BackField back={path + search} />
        </form>
      </>
    ),
  };
}
