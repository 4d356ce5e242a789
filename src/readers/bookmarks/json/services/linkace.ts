import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { dateOf, isSet, lineOf, listFormat, textOf } from "../json-lists.ts";
import type { JsonValue } from "../json-walk.ts";
import { tagsIn } from "../tags.ts";

/** Whether a link of LinkAce is for its owner alone or for other users, but not public: since version 2 a number says it. */
export function isPrivateAtLinkace(visibility: JsonValue | undefined): boolean {
  const level = typeof visibility === "string" ? visibility.trim() : visibility;
  return level === 2 || level === 3 || level === "2" || level === "3";
}

/** Links of LinkAce's API. A link in several lists gets a tag for each. */
export const linkaceApi = listFormat("linkace", {
  lists: ["data"],
  members: [
    ...[
      "id",
      "user_id",
      "url",
      "title",
      "description",
      "icon",
      "thumbnail",
      "is_private",
      "visibility",
      "status",
    ],
    ...["check_disabled", "created_at", "updated_at", "deleted_at", "tags", "lists"],
  ],
  toRow: (link) => {
    const { tagNames, hasUnreadTags, tags } = tagsIn(link.tags);
    const lists = tagsIn(link.lists);
    return makeRow({
      url: lineOf(link.url),
      title: lineOf(link.title),
      description: paragraphs(textOf(link.description)),
      tags,
      tagNames: [...tagNames, ...lists.tagNames],
      hasUnreadTags: hasUnreadTags || lists.hasUnreadTags,
      date: dateOf(link.created_at),
      isPrivate: isSet(link.is_private) || isPrivateAtLinkace(link.visibility),
      isTrashed: lineOf(link.deleted_at).trim() !== "",
    });
  },
});
