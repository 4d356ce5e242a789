/** @jsxImportSource #jsx */
import type { Markup } from "../jsx/preact.js";
import type { Messages } from "../messages/en.ts";
import { local, type SafeUrl } from "../urls.ts";
import { described, Field, type FieldProps } from "./forms.tsx";
import { asLine } from "./untouched.ts";

/** Where the tags of bookmarks are suggested. */
export const BOOKMARK_TAGS = local("/bookmarks/suggest");
/** Where the tags of posts are suggested. */
export const POST_TAGS = local("/api/drafts/suggest/");

/**
 * A field of tags, separated by commas. With the script `tag-field.js`, it completes them.
 * @param suggest where the known tags are
 * @param isOne whether it takes a single tag
 */
export function TagField({
  messages,
  suggest,
  isOne = false,
  short = false,
  autofocus,
  ...props
}: FieldProps & {
  readonly messages: Messages;
  readonly suggest: SafeUrl;
  readonly isOne?: boolean;
  readonly short?: boolean;
  readonly autofocus?: boolean;
}): Markup {
  const { form, name, hint } = props;
  return (
    <Field {...props}>
      <tag-field data-suggest={suggest} data-label={messages.knownTags} data-one={isOne ? "" : undefined}>
        <input
          {...described(form, name, hint)}
          type="text"
          value={asLine(form.text(name))}
          class={short ? "short" : undefined}
          dir="auto"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          autofocus={autofocus}
        />
      </tag-field>
    </Field>
  );
}
