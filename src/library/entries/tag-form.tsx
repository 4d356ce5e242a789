/** @jsxImportSource #jsx */
import { BackField } from "../../web/forms/back.tsx";
import type { FormState } from "../../web/forms/form-state.ts";
import { BOOKMARK_TAGS, TagField } from "../../web/forms/tag-field.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { local, withFragment } from "../../web/urls.ts";
import type { LibraryQuery } from "../library-query.ts";
import { entryId, viewUrl } from "../search/view-url.ts";

/** The field in the list that adds tags to one entry. */
export function TagForm({
  id,
  name,
  form,
  messages,
  view,
}: {
  readonly id: number;
  /** The title of the entry. */
  readonly name: string;
  readonly form: FormState;
  readonly messages: Messages;
  /** The request for the list. */
  readonly view: LibraryQuery;
}): Markup {
  const labels = messages.library;
  return (
    <form class="bar" method="post" action={local("/library/bulk")} aria-label={labels.addTags(name)}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="action" value="add" />
      <BackField back={viewUrl(view, { tag: String(id) })} />
      <TagField
        messages={messages}
        form={form}
        name="tags"
        label={labels.form.tags}
        short
        suggest={BOOKMARK_TAGS}
        autofocus
      />
      <button class="button plain" type="submit">
        {labels.bulk.add}
      </button>
      <a class="link-button" href={withFragment(viewUrl(view, {}), entryId(id))}>
        {labels.form.cancel}
      </a>
    </form>
  );
}
