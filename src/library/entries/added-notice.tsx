/** @jsxImportSource #jsx */
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { findEntry } from "../library-store.ts";
import { displayTitle } from "./shown-text.ts";

/** A view whose notice about a new bookmark names it, with a link to edit it. */
export async function withAdded(
  { request, messages, read }: Pick<PageContext, "request" | "messages" | "read">,
  view: View,
): Promise<View> {
  const { code, about = "" } = noticeOf(request, messages.notices) ?? {};
  if (code !== "link-added" || !/^\d{1,15}$/.test(about)) return view;
  const entry = await findEntry(read, Number(about));
  if (entry === undefined) return view;
  return {
    ...view,
    notice: (
      <>
        “<bdi>{displayTitle(entry)}</bdi>” {messages.library.form.wasAdded}{" "}
        <a href={local(`/library/${entry.id}/edit`)}>{messages.library.edit}</a>
      </>
    ),
  };
}
