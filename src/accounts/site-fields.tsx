/** @jsxImportSource #jsx */
import type { FormState } from "../web/forms/form-state.ts";
import { RadioGroup, TextField } from "../web/forms/forms.tsx";
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import { CodeInText } from "../web/sections.tsx";
import type { SiteSettings } from "../web/site/site-settings.ts";

/** Choices that settings of the environment may fix. */
export type FixedSettings = {
  readonly [N in "bookmarksAccess" | "comments"]: SiteSettings[N] | undefined;
};

/** The name of the site. */
export function SiteNameField({ form, label }: { readonly form: FormState; readonly label: string }): Markup {
  return <TextField form={form} name="site_name" label={label} required maxlength={80} dir="auto" />;
}

/** Who may read and write bookmarks. */
export function BookmarksAccessField({
  form,
  messages,
  fixed,
}: {
  readonly form: FormState;
  readonly messages: Messages;
  readonly fixed: FixedSettings["bookmarksAccess"];
}): Markup {
  const labels = messages.gettingIn.bookmarksAccess;
  if (fixed !== undefined) {
    const choice = labels.choices.find(({ value }) => value === fixed);
    return (
      <>
        <p class="label">{labels.label}</p>
        <p class="quiet">
          <CodeInText text={labels.isFixed(choice?.text ?? fixed)} />
        </p>
      </>
    );
  }
  // Nothing is preselected before the owner has chosen: saving the other settings would store it.
  const isChosen = form.text("bookmarks_access") !== "";
  return (
    <RadioGroup
      form={form}
      name="bookmarks_access"
      label={labels.label}
      hint={isChosen ? undefined : labels.notChosen}
      choices={labels.choices}
    />
  );
}
