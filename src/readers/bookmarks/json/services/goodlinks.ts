import { makeRow, paragraphs } from "../../bookmark-format.ts";
import { dateOf, isSet, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/** GoodLinks' JSON: what was read is archived. */
export const goodlinks = listFormat("goodlinks", {
  members: ["id", "url", "originalURL", "title", "summary", "tags", "starred", "addedAt", "readAt"],
  toRow: (link) => {
    const isRead = dateOf(link.readAt) !== null && link.readAt !== 0;
    return makeRow({
      url: lineOf(link.url),
      title: lineOf(link.title),
      description: paragraphs(textOf(link.summary)),
      ...tagsIn(link.tags),
      date: dateOf(link.addedAt),
      isImportant: isSet(link.starred),
      states: { unread: !isRead, archived: isRead, shared: false },
    });
  },
});
