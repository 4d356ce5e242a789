import { z } from "zod";
import { webUrl } from "../../bookmarks/bookmark.ts";
import type { BookmarkFields } from "../../bookmarks/bookmark-writer.ts";
import type { BookmarkStates } from "../../records/bookmark-members.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { asIssue, text } from "../../text.ts";
import { dateIn } from "./list-query.ts";

/** What Django REST framework reads as true and false. */
const BOOLEANS = new Map([
  ...["true", "t", "yes", "y", "on", "1"].map((word) => [word, true] as const),
  ...["false", "f", "no", "n", "off", "0"].map((word) => [word, false] as const),
]);

const flag = z.preprocess((given) => {
  if (typeof given !== "string" && typeof given !== "number") return given;
  return given === "" ? undefined : (BOOLEANS.get(String(given).toLowerCase()) ?? given);
}, z.boolean().optional());

/** A text, or a number, which Django REST framework takes for its digits. */
const words = z.preprocess((given) => (typeof given === "number" ? String(given) : given), text());

const instant = z
  .string()
  .transform((given, context): Date | null => {
    const date = given === "" ? null : dateIn(given);
    if (date !== undefined) return date;
    context.issues.push(asIssue({ code: "datetime_invalid", detail: NOT_A_DATE }, given));
    return z.NEVER;
  })
  .nullish();
const NOT_A_DATE = "Must be a date and time of the years 1970 to 9999, such as 2026-11-21T06:40:12Z.";

/** A change of a bookmark: absent members stay unchanged, with PUT, too. */
export const LinkdingChange = z.object({
  url: webUrl.optional(),
  title: words.nullish(),
  description: words.nullish(),
  notes: words.nullish(),
  is_archived: flag,
  unread: flag,
  shared: flag,
  tag_names: z.array(words).optional(),
});

/** A new bookmark. */
export const LinkdingCreate = LinkdingChange.extend({
  url: webUrl,
  date_added: instant,
  date_modified: instant,
});

export type LinkdingChange = z.output<typeof LinkdingChange>;

/** A bookmark with its states and dates, for linkding's API. */
export interface BookmarkWithStates extends BookmarkFields {
  readonly id: number;
  readonly version: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
  readonly states: BookmarkStates;
}

/**
 * A bookmark in the form of linkding's API. The description is without its tag line, since clients send it back
 * together with the tags. `notes` is always empty.
 */
export function toLinkding({
  id,
  url,
  title,
  description,
  createdAt,
  modifiedAt,
  states,
}: BookmarkWithStates) {
  return {
    id,
    url,
    title,
    description: textOf(description),
    notes: "",
    web_archive_snapshot_url: "",
    favicon_url: null,
    preview_image_url: null,
    is_archived: states.archived,
    unread: states.unread,
    shared: states.shared,
    tag_names: tagsOf(description),
    date_added: createdAt.toISOString(),
    date_modified: modifiedAt.toISOString(),
    website_title: null,
    website_description: null,
  };
}

/** What a caller who may not read the bookmark is told of its own write: what it has sent. */
export function toSent({ id }: { readonly id: number }, sent: LinkdingChange): object {
  return { id, ...sent };
}

/** Applies a change to the states of a bookmark. */
export function mergeStates(before: BookmarkStates, change: LinkdingChange): BookmarkStates {
  return {
    unread: change.unread ?? before.unread,
    archived: change.is_archived ?? before.archived,
    shared: change.shared ?? before.shared,
  };
}
