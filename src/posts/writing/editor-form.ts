import { z } from "zod";
import { invalid, type ValidationError } from "../../errors.ts";
import { validate } from "../../http/validation.ts";
import { isSlug, slugFrom } from "../../records/slug.ts";
import { partsOfTagList } from "../../tags/retag.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import { countCodePoints, isReadable, text } from "../../text.ts";
import { FormState } from "../../web/forms/form-state.ts";
import { asLines, linesTyped } from "../../web/forms/untouched.ts";
import { existingInstantOf } from "../../zoned-time.ts";
import type { Edit, EditReplace } from "../editing/edit.ts";
import type { TaggedPost } from "../post.ts";
import { POST_TITLE_MAX } from "../post.ts";
import { PublicationPatch } from "../publication/publication.ts";
import { countUndescribed } from "./undescribed-images.ts";

/** The maximum length of a post written in the browser. */
const CONTENT_MAX = 1_000_000;

const number = z
  .string()
  .regex(/^\d{0,15}$/)
  .default("")
  .transform((digits) => (digits === "" ? null : Number(digits)));
const line = text({ max: 10_000 }).default("");

/** The fields of the form that belong to the publication, as they are typed. */
export const DETAILS = [
  "kind",
  "link",
  "slug",
  "publish_at",
  "tags",
  "summary",
  "language",
  "image",
  "menu",
] as const;

const details = Object.fromEntries(DETAILS.map((name) => [name, line])) as Record<
  (typeof DETAILS)[number],
  typeof line
>;

/** What the error is about that asks for the descriptions of images. */
export const UNDESCRIBED = "descriptions";

/** The editor's form. */
export const EditorForm = z.object({
  title: text({ max: 5_000 }).default("").transform(inOneLine),
  content: text({ max: CONTENT_MAX }).default(""),
  ...details,
  /** The post, and the version that the text was made from. */
  post: number,
  base_version: number,
  /** The version of the working copy that the form shows; 0 for none. */
  version: number,
  action: z
    .enum([
      "save",
      "publish",
      "publish-anyway",
      "publish-now",
      "preview",
      "picture",
      "cover",
      "remove-cover",
      "mine",
      "keep-mine",
      "theirs",
      "use-post",
      "share",
      "unshare",
      "discard",
      "discard-now",
      "unpublish",
      "delete",
      "delete-now",
    ])
    .default("save"),
  picture: z.file().optional(),
  cover: z.file().optional(),
  /** Whether the images of a deleted draft that nothing else uses are deleted, too. */
  images: z.literal("delete").optional(),
});
export type EditorForm = z.output<typeof EditorForm>;

/** A typed title as it is stored, in one line; `kept-texts.js` does the same. */
function inOneLine(typed: string): string {
  const parts = typed.split(/[\r\n]/).map((part) => part.trim());
  return parts.filter((part) => part !== "").join(" ");
}

/** The content of a form as a working copy. */
export function editFromForm(form: EditorForm): EditReplace {
  const fields = Object.fromEntries(
    DETAILS.map((name) => [name, form[name]]).filter(([, value]) => value !== ""),
  );
  return {
    post: form.post,
    base_version: form.base_version,
    title: form.title,
    content: form.content,
    fields,
  };
}

/** The form for a working copy. */
export function formFromEdit(edit: EditReplace & Partial<Pick<Edit, "version">>): FormState {
  return FormState.of({
    ...edit.fields,
    title: edit.title,
    content: edit.content,
    post: edit.post === null ? "" : String(edit.post),
    base_version: edit.base_version === null ? "" : String(edit.base_version),
    version: String(edit.version ?? 0),
  });
}

/** The fields of a publication in the editor's form. */
export function formFieldsOf(post: TaggedPost, localTime: (date: Date) => string): Record<string, string> {
  const { kind, link, slug, publishAt, publishedAt, tags, summary, language, image } = post;
  const date = publishAt ?? publishedAt;
  return {
    ...(kind !== "post" && { kind }),
    ...(link !== null && { link }),
    ...(slug !== null && { slug }),
    ...(date !== null && { publish_at: localTime(date) }),
    ...(tags.length > 0 && { tags: tags.join(", ") }),
    ...(summary !== null && { summary }),
    ...(language !== null && { language }),
    ...(image !== null && { image }),
  };
}

/** The title and the text to store: those of the post, where the form still shows them. */
export function textTyped(
  typed: Pick<EditorForm, "title" | "content">,
  stored: Pick<EditorForm, "title" | "content">,
): Pick<EditorForm, "title" | "content"> {
  return {
    title: inOneLine(typed.title) === inOneLine(stored.title) ? stored.title : typed.title,
    content: linesTyped(typed.content, stored.content),
  };
}

/**
 * The publication that the typed details make.
 * @param before the post; what its fields still show is left out, but for the date
 * @throws Refusal `invalid` with every error at its field
 */
export function publicationFromForm(
  form: EditorForm,
  timeZone: string,
  before: TaggedPost | undefined,
): PublicationPatch {
  const { title, content, action, kind, link, slug, publish_at, tags, summary, language, image } = form;
  const shown = before && formFieldsOf(before, () => "");
  const isTouched = (name: (typeof DETAILS)[number]) =>
    shown === undefined || asLines(form[name]) !== asLines(shown[name] ?? "");
  const errors: ValidationError[] = [];
  if (!isReadable(title))
    errors.push({ pointer: "/title", code: "too_short", detail: "A post needs a title." });
  if (countCodePoints(title) > POST_TITLE_MAX)
    errors.push({
      pointer: "/title",
      code: "too_long",
      detail: `A title may have at most ${POST_TITLE_MAX} characters.`,
    });
  const undescribed = action === "publish" ? countUndescribed(content) : 0;
  if (undescribed > 0)
    errors.push({
      pointer: `/${UNDESCRIBED}`,
      code: "missing",
      detail:
        undescribed === 1 ? "A picture has no description." : `${undescribed} pictures have no description.`,
    });
  const value = {
    ...((isTouched("kind") || isTouched("link")) && {
      kind: kind === "" ? "post" : kind,
      link: kind === "link" ? link : null,
    }),
    ...(isTouched("slug") && slug.trim() !== "" && { slug: asSlug(slug.trim()) }),
    publish_at: instantTyped(publish_at, timeZone, errors),
    ...(isTouched("tags") && { tags: tagNames(tags, before?.tags) }),
    ...(isTouched("summary") && { summary: orNull(summary) }),
    ...(isTouched("language") && { language: orNull(language) }),
    ...(isTouched("image") && { image: orNull(image) }),
  };
  const publication = validate(PublicationPatch, value, "body", errors);
  if (publication === undefined || errors.length > 0) throw invalid(errors);
  return publication;
}

function orNull(typed: string): string | null {
  return typed.trim() === "" ? null : typed.trim();
}

/** A typed address as it is stored: `River Map!` is `river-map`. */
function asSlug(typed: string): string {
  return isSlug(typed) ? typed : slugFrom(typed) || typed;
}

/** The names of typed tags, as they are stored. @param present those that were there */
export function tagNames(typed: string, present?: readonly string[]): string[] {
  return partsOfTagList(typed, present)
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => makeTagName(name) ?? name);
}

/** A local date and time as browsers send it; RFC 3339 for the rest of the program. */
function instantTyped(typed: string, timeZone: string, errors: ValidationError[]): string | null {
  if (typed.trim() === "") return null;
  const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::[\d.]+)?$/.exec(typed.trim()) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.map(Number);
  const instant = existingInstantOf({ year, month, day, hour, minute }, timeZone);
  if (instant !== undefined) return instant.toISOString();
  errors.push({
    pointer: "/publish_at",
    code: "datetime_invalid",
    detail: "Enter a date and a time of the years 1970 to 9999, such as 2026-11-21 09:30.",
  });
  return null;
}
