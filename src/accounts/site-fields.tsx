/** @jsxImportSource #jsx */
import { z } from "zod";
import { text } from "../text.ts";
import { isTimeZone } from "../web/date-formatter.ts";
import type { FormState } from "../web/forms/form-state.ts";
import { RadioGroup, TextField } from "../web/forms/forms.tsx";
import type { Markup } from "../web/jsx/preact.js";
import type { Words } from "../web/words/en.ts";

/** The members that the welcome page and the settings have in common. */
export const SiteFields = z.object({
  site_name: text({ min: 1, max: 80 }),
  time_zone: text(),
  bookmarks_access: z.enum(["private", "read", "open"]).optional(),
});

/** The error of a time zone that does not exist. */
export function timeZoneError(name: string): string | undefined {
  return isTimeZone(name) ? undefined : "There is no time zone of that name.";
}

/** The name of the site. */
export function SiteNameField({ form, label }: { readonly form: FormState; readonly label: string }): Markup {
  return <TextField form={form} name="site_name" label={label} required maxlength={80} dir="auto" />;
}

/** Who may read and write bookmarks. @param isFixed whether `BOOKMARKS_ACCESS` decides it */
export function BookmarksAccessField({
  form,
  words,
  isFixed,
}: {
  readonly form: FormState;
  readonly words: Words;
  readonly isFixed: boolean;
}): Markup {
  const say = words.gettingIn.bookmarksAccess;
  if (isFixed) return <p class="quiet">{say.isFixed}</p>;
  return <RadioGroup form={form} name="bookmarks_access" label={say.label} choices={say.choices} />;
}
