import { otherContentNote } from "../../import-notes.ts";
import { type BookmarkFormat, exactText, type FileRow, makeRow } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import { dateOf, textOf, textsOf } from "./json-members.ts";
import type { JsonObject } from "./json-walk.ts";
import { readList } from "./listed-items.ts";

/**
 * Our own JSON: the document of `commonplace export --format json`, or the response to `GET /bookmarks/`.
 * Everything is restored exactly, including dates and white space, except ids and account names.
 */
export const commonplaceJson: BookmarkFormat = {
  name: "commonplace-json",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const others = { posts: 0 };
    const summary = await readList(reading, ["bookmarks"], toRow, others);
    if (others.posts > 0) reading.onNote(otherContentNote(others.posts));
    return summary;
  },
};

function toRow(bookmark: JsonObject): FileRow {
  const folders = textsOf(bookmark.folders).map(exactText);
  return makeRow({
    url: exactText(textOf(bookmark.url)),
    title: exactText(textOf(bookmark.title)),
    description: exactText(textOf(bookmark.description)),
    tagNames: [],
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
