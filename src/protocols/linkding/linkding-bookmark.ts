import { z } from "zod";
import { webUrl } from "../../bookmarks/bookmark.ts";
import type { BookmarkStates } from "../../bookmarks/bookmark-states.ts";
import type { BookmarkFields } from "../../bookmarks/bookmark-writer.ts";
import { tagsOf, textOf } from "../../tags/description-tags.ts";
import { text } from "../../text.ts";

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
