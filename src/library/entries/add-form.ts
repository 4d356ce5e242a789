import { z } from "zod";
import { BackQuery } from "../../web/forms/back.tsx";
import { FormState } from "../../web/forms/form-state.ts";
import { BookmarkForm } from "./bookmark-form.tsx";
import { withAddress } from "./shared-address.ts";

const prefilled = z.string().optional();

/** Values from a bookmarklet, a phone's share sheet or another page. */
export const AddQuery = z.object({
  url: prefilled,
  title: prefilled,
  text: prefilled,
  tags: prefilled,
  unread: prefilled,
  /** Whether the form is in a small window that closes itself. */
  window: prefilled,
  auto_close: prefilled,
  saved: prefilled,
  /** The id of the link that was saved, whose page the script keeps, and whether that has failed. */
  link: z.coerce.number().int().positive().optional().catch(undefined),
  unkept: prefilled,
  back: BackQuery.shape.back,
});
type AddQuery = z.output<typeof AddQuery>;

export const AddForm = BookmarkForm.extend({
  /** The choice for a page that is already saved. */
  choice: z.enum(["merge", "both"]).optional().catch(undefined),
  /** Only reads the page's title. */
  look: z.string().optional(),
  window: z.string().optional(),
  /** Whether the script keeps the page as the browser shows it, once the link is saved. */
  page: z.string().optional(),
  back: BackQuery.shape.back,
});
export type AddForm = z.output<typeof AddForm>;

/** The form that a link or a share opens. */
export function prefilledForm(query: AddQuery): FormState {
  const shared = { url: query.url ?? "", title: query.title ?? "", text: query.text ?? "" };
  const { url, title, text } = withAddress(shared);
  const isWindow = (query.window ?? query.auto_close) !== undefined;
  return FormState.of({
    url,
    title,
    note: text,
    tags: query.tags ?? "",
    ...(query.unread !== undefined && { unread: "1" }),
    ...(query.back !== undefined && { back: query.back }),
    ...(isWindow && { window: "1" }),
  });
}

/** The form as it was sent. */
export function typedForm(form: AddForm): FormState {
  const { url, title, note, tags, suggested, unread, window, page, back } = form;
  return FormState.of({
    url,
    title,
    note,
    tags,
    suggested,
    ...(unread && { unread: "1" }),
    ...(window !== undefined && { window: "1" }),
    ...(page !== undefined && { page: "1" }),
    ...(back !== undefined && { back }),
  });
}
