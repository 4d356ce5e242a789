import { z } from "zod";
import { TITLE_MAX, webUrl } from "../../bookmarks/bookmark.ts";
import type { BookmarkStates } from "../../bookmarks/bookmark-states.ts";
import type { BookmarkFields } from "../../bookmarks/bookmark-writer.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { editedDescription, parseTagList } from "../../tags/retag.ts";
import { countCodePoints, text } from "../../text.ts";

const flag = z.boolean().optional();
const instant = z.iso
  .datetime({ offset: true })
  .transform((given) => new Date(given))
  .nullish();

/** A change of a bookmark: absent members stay unchanged, with PUT, too. */
export const LinkdingChange = z.object({
  url: webUrl.optional(),
  title: text().nullish(),
  description: text().nullish(),
  notes: text().nullish(),
  is_archived: flag,
  unread: flag,
  shared: flag,
  tag_names: z.array(text()).optional(),
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

/**
 * The fields of a bookmark after a change.
 *
 * A title that is longer than a bookmark's may be is shortened, and the whole of it begins the description, as
 * imports do it. Notes follow the description after an empty line.
 *
 * @param before undefined for a new bookmark
 */
export function mergeFields(before: BookmarkFields | undefined, change: LinkdingChange): BookmarkFields {
  const title = change.title ?? before?.title ?? "";
  const isLong = countCodePoints(title) > TITLE_MAX;
  const written = change.description ?? (before ? textOf(before.description) : "");
  // linkding's tags have no commas or spaces: commas separate, spaces become dashes.
  const names = change.tag_names?.flatMap(parseTagList) ?? tagsOf(before?.description ?? "");
  const texts = [isLong ? title : "", written, change.notes ?? ""].filter((part) => part !== "");
  return {
    title: isLong ? shortened(title) : title,
    url: change.url ?? before?.url ?? "",
    description: editedDescription(texts.join("\n\n"), names, before?.description ?? ""),
  };
}

/** Applies a change to the states of a bookmark. */
export function mergeStates(before: BookmarkStates, change: LinkdingChange): BookmarkStates {
  return {
    unread: change.unread ?? before.unread,
    archived: change.is_archived ?? before.archived,
    shared: change.shared ?? before.shared,
  };
}

function shortened(title: string): string {
  const kept = Array.from(title).slice(0, TITLE_MAX - 1);
  return `${kept.join("").trimEnd()}…`;
}
