import { type BookmarkFormat, makeRow, plainText } from "../file-row.ts";
import { notKeptNote } from "../import-notes.ts";
import { dateOf, textOf, textsOf } from "./json-members.ts";
import type { JsonObject, JsonValue } from "./json-walk.ts";
import { readList } from "./listed-items.ts";

/**
 * wallabag's JSON (tests/fixtures/Import in its source). Its first version had no dates, `is_read` instead of
 * `is_archived`, and its tags in one text. What it kept of the pages themselves is counted.
 */
export const wallabag: BookmarkFormat = {
  name: "wallabag",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    let [texts, highlights] = [0, 0];
    const summary = await readList(reading, [], (entry) => {
      if (textOf(entry.content) !== "") texts++;
      if (Array.isArray(entry.annotations)) highlights += entry.annotations.length;
      return toRow(entry);
    });
    if (texts + highlights > 0) reading.onNote(notKeptNote({ texts, highlights }));
    return summary;
  },
};

function toRow(entry: JsonObject) {
  const tags = (typeof entry.tags === "string" ? entry.tags.split(",") : textsOf(entry.tags))
    .map((tag) => plainText(tag).trim())
    .filter((tag) => tag !== "");
  const isArchived = isSet(entry.is_archived ?? entry.is_read);
  return makeRow({
    url: plainText(textOf(entry.url)),
    title: plainText(textOf(entry.title)),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(entry.created_at),
    isImportant: isSet(entry.is_starred ?? entry.is_fav),
    states: { unread: !isArchived, archived: isArchived, shared: false },
  });
}

/** A flag of any of its versions. */
function isSet(value: JsonValue | undefined): boolean {
  return value === true || value === 1 || value === "1";
}
