import { type BookmarkFormat, exactText, type FileRow, makeRow } from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { otherContentNote } from "../notes.ts";
import { dateOf, readList, textOf, textsOf } from "./json-lists.ts";
import type { JsonObject } from "./json-walk.ts";
import { tagsIn } from "./tags.ts";

/**
 * Our own JSON: the document of `commonplace export --format json`, or the response to `GET /bookmarks/`.
 * Everything is restored exactly, including dates and white space, except ids and account names.
 */
export const commonplaceJson: BookmarkFormat = {
  name: "commonplace-json",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const others = { posts: 0, marks: 0 };
    const summary = await readList(reading, { lists: ["bookmarks"], members: MEMBERS, toRow }, others);
    const { posts, marks } = others;
    if (posts + marks > 0) reading.onNote(otherContentNote({ post: posts, mark: marks }));
    return summary;
  },
};

/** The members of a bookmark in our exports and responses. */
const MEMBERS = [
  ...["id", "title", "url", "description", "created_at", "updated_at", "created_by", "folders", "tags"],
  ...["unread", "archived", "shared"],
];

function toRow(bookmark: JsonObject): FileRow {
  const folders = textsOf(bookmark.folders).map(exactText);
  const { tagNames, hasUnreadTags } = tagsIn(bookmark.tags, /\s+/);
  return makeRow({
    url: exactText(textOf(bookmark.url)),
    title: exactText(textOf(bookmark.title)),
    description: exactText(textOf(bookmark.description)),
    // Those of our own responses are in the description already.
    ...{ tagNames, hasUnreadTags },
    date: dateOf(bookmark.created_at),
    dateRule: "exact",
    updated: dateOf(bookmark.updated_at),
    folder: folders.reduce((folder, name) => folder.inner(name, false), Folder.root),
    states: {
      unread: bookmark.unread === true,
      archived: bookmark.archived === true,
      shared: bookmark.shared === true,
    },
    isOurs: true,
    isExact: true,
  });
}
