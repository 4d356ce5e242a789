/** @jsxImportSource #jsx */
import { z } from "zod";
import { withScheme } from "../../bookmarks/bookmark.ts";
import type { BookmarkFields as Fields } from "../../bookmarks/bookmark-writer.ts";
import { parseWebUrl, TITLE_MAX } from "../../records/bookmark-members.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { editedDescription, parseTagList } from "../../tags/retag.ts";
import { asIssue, text } from "../../text.ts";
import { asList, FormState } from "../../web/forms/form-state.ts";
import { TextArea, TextField } from "../../web/forms/forms.tsx";
import { BOOKMARK_TAGS, TagField } from "../../web/forms/tag-field.tsx";
import { asLine, linesTyped, lineTyped } from "../../web/forms/untouched.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { LibraryBookmark } from "../library-store.ts";
import { displayHost } from "./shown-text.ts";

const typedUrl = z.string().transform((typed, context) => {
  const parsed = parseWebUrl(withScheme(typed));
  if ("href" in parsed) return parsed.href;
  context.issues.push(asIssue(parsed.error, typed));
  return z.NEVER;
});

/** A checkbox; browsers send its value only if it is checked. */
const ticked = z
  .string()
  .optional()
  .transform((value) => value !== undefined);

const list = z.preprocess(asList, z.array(text()));

/** The fields of a bookmark in a form. */
export const BookmarkForm = z.object({
  url: typedUrl,
  title: text({ max: TITLE_MAX }).default(""),
  note: text().default(""),
  tags: text().default(""),
  /** Suggested tags that were selected. */
  suggested: list,
  unread: ticked,
  archived: ticked,
});
export type BookmarkForm = z.output<typeof BookmarkForm>;

/** The title, URL and description from the typed values. @param before the bookmark; undefined for a new one */
export function fieldsOf(
  { url, title, note, tags, suggested }: BookmarkForm,
  before?: Pick<LibraryBookmark, "title" | "description">,
): Fields {
  const { description = "" } = before ?? {};
  const text = linesTyped(note, textOf(description));
  const present = tagsOf(description);
  const names = asLine(tags) === tagLineOf(present) ? present : parseTagList(tags, present);
  return {
    url,
    title: before === undefined ? title : lineTyped(title, before.title),
    description: editedDescription(
      text === textOf(description) ? text : text.trimEnd(),
      [...names, ...suggested.flatMap((one) => parseTagList(one, [one]))],
      description,
    ),
  };
}

/** Tags as a field has them. */
function tagLineOf(names: readonly string[]): string {
  return names.join(", ");
}

/** A form that shows a bookmark. @param back the page to return to */
export function formOf(
  { url, title, description, unread, archived, version }: LibraryBookmark,
  back?: string,
): FormState {
  return FormState.of({
    ...(back !== undefined && { back }),
    url,
    title,
    note: textOf(description),
    tags: tagLineOf(tagsOf(description)),
    version: String(version),
    ...(unread && { unread: "1" }),
    ...(archived && { archived: "1" }),
  });
}

/** The labels of the fields, for the error summary. */
export function fieldLabels({ library: { form } }: Messages): Record<string, string> {
  return { url: form.url, title: form.title, note: form.note, tags: form.tags };
}

/** The fields of a form that adds or edits. */
export function BookmarkFields({
  form,
  messages,
  suggestions,
}: {
  readonly form: FormState;
  readonly messages: Messages;
  /** Tags that bookmarks of the same site have. */
  readonly suggestions: readonly string[];
}): Markup {
  const labels = messages.library.form;
  // Of a stored bookmark the title is corrected most; after a bookmarklet or a share, tags are left to type.
  const first = form.has("version") ? "title" : form.text("url") === "" ? "url" : "tags";
  const focused = form.isRefused ? undefined : first;
  const chosen = form.texts("suggested");
  const typed = parseTagList(form.text("tags"));
  const offered = suggestions.filter((name) => chosen.includes(name) || !typed.includes(name));
  return (
    <>
      <TextField
        form={form}
        name="url"
        label={labels.url}
        required
        inputmode="url"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        autofocus={focused === "url"}
      />
      <TextField
        form={form}
        name="title"
        label={labels.title}
        dir="auto"
        autocomplete="off"
        autofocus={focused === "title"}
      />
      <p class="hint" id="read-hint" role="status" hidden>
        {labels.readFromPage}
      </p>
      <TextArea form={form} name="note" label={labels.note} prose rows={3} dir="auto" />
      <TagField
        messages={messages}
        form={form}
        name="tags"
        label={labels.tags}
        hint={
          <>
            {labels.tagsHint}
            <kbd>dev/web</kbd>.
          </>
        }
        suggest={BOOKMARK_TAGS}
        autofocus={focused === "tags"}
      />
      <div id="suggestions">
        {offered.length > 0 && (
          <fieldset>
            <legend class="hint">
              <bdi>{labels.suggested(displayHost(form.text("url")))}</bdi>
            </legend>
            <div class="picks">
              {offered.map((name) => (
                <label>
                  <input type="checkbox" name="suggested" value={name} checked={chosen.includes(name)} />{" "}
                  <bdi>{name}</bdi>
                </label>
              ))}
            </div>
          </fieldset>
        )}
      </div>
    </>
  );
}

/** The states of a bookmark, as boxes. */
export function StateBoxes({
  form,
  messages,
  withArchived = false,
}: {
  readonly form: FormState;
  readonly messages: Messages;
  readonly withArchived?: boolean;
}): Markup {
  const labels = messages.library.form;
  return (
    <div class="picks">
      <label>
        <input type="checkbox" name="unread" value="1" checked={form.has("unread")} /> {labels.unread}
      </label>
      {withArchived && (
        <label>
          <input type="checkbox" name="archived" value="1" checked={form.has("archived")} /> {labels.archived}
        </label>
      )}
    </div>
  );
}
