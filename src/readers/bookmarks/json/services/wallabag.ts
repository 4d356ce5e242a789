import { htmlText, makeRow } from "../../bookmark-format.ts";
import { marksIn } from "../../marks.ts";
import { dateOf, isSet, lineOf, listFormat, textOf } from "../json-lists.ts";
import { tagsIn } from "../tags.ts";

/**
 * wallabag's JSON (tests/fixtures/Import in its source), also of its API. Its first version had no dates, `is_read` instead
 * of `is_archived`, and its tags in one text. The texts of pages come along, with the words that are marked in them.
 */
export const wallabag = listFormat("wallabag", {
  lists: ["_embedded.items"],
  members: [
    ...["id", "uid", "url", "hashed_url", "given_url", "hashed_given_url", "origin_url", "title", "tags"],
    ...["content", "annotations", "is_archived", "is_starred", "is_read", "is_fav", "created_at"],
    ...["updated_at", "archived_at", "starred_at", "user_id", "user_name", "user_email", "domain_name"],
    ...["reading_time", "mimetype", "language", "preview_picture", "http_status", "headers", "_links"],
    // The first version has each column a second time, by its number.
    ...Array.from({ length: 20 }, (_, number) => String(number)),
  ],
  toRow: (entry) => {
    const isArchived = isSet(entry.is_archived ?? entry.is_read);
    return makeRow({
      url: lineOf(entry.url),
      title: lineOf(entry.title),
      ...tagsIn(entry.tags),
      date: dateOf(entry.created_at),
      isImportant: isSet(entry.is_starred ?? entry.is_fav),
      states: { unread: !isArchived, archived: isArchived, shared: false },
      page: htmlText(textOf(entry.content)),
      marks: marksIn(entry.annotations),
    });
  },
});
