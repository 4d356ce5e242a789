/** @jsxImportSource #jsx */
import { z } from "zod";
import { asIssue, text } from "../text.ts";
import { isTimeZone } from "../web/date-formatter.ts";
import type { FormState } from "../web/forms/form-state.ts";
import { RadioGroup, TextField } from "../web/forms/forms.tsx";
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import { CodeInText } from "../web/sections.tsx";

/** The form fields that the welcome page and the settings share. */
export const SiteFields = z.object({
  site_name: checked(text({ min: 1, max: 80 }), blankError),
  time_zone: text(),
  bookmarks_access: z.enum(["private", "read", "open"]).optional(),
});

/** The value of `BOOKMARKS_ACCESS`, if it is set: then the owner does not decide who may use the bookmarks. */
export type FixedAccess = "open" | "read" | "private" | undefined;

/** Choices that settings of the environment may fix. */
export interface FixedSettings {
  readonly bookmarksAccess: FixedAccess;
  readonly comments: "accounts" | "moderated" | "open" | "off" | undefined;
}

/** The maximum length of the links in the page header, in characters, as the form has them. */
export const MENU_MAX = 5_000;

/** A text with a further check, so that its error is reported with those of the other fields. */
export function checked(schema: z.ZodString, errorOf: (value: string) => string | undefined) {
  return schema.check((context) => {
    const detail = errorOf(context.value);
    if (detail !== undefined) context.issues.push(asIssue({ code: "unknown_value", detail }, context.value));
  });
}

/** The error of a text that is not empty, and has nothing to read. */
export function blankError(value: string): string | undefined {
  return value !== "" && value.trim() === "" ? "May not be blank." : undefined;
}

/** The error of a language that has no tag. */
export function languageError(tag: string): string | undefined {
  return isLanguage(tag) ? undefined : "Unknown language.";
}

export function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** The error of a time zone that does not exist. */
export function timeZoneError(name: string): string | undefined {
  return isTimeZone(name) ? undefined : "Unknown time zone.";
}

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
  readonly fixed: FixedAccess;
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
