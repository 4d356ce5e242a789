import { type BookmarkFormat, makeRow, paragraphs, plainText } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import { dateOf, objectOf, textOf, textsOf } from "./json-members.ts";
import { type JsonObject, walkJson } from "./json-walk.ts";
import { readList, treatListed } from "./listed-items.ts";
import { folderOfList, type List } from "./nested-lists.ts";

/**
 * Karakeep's export (packages/shared/import-export in its source). A bookmark in several lists gets a tag for each;
 * the first list is its folder. Since the lists follow the bookmarks, the file is read twice.
 */
export const karakeep: BookmarkFormat = {
  name: "karakeep",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const lists = new Map<string, List>();
    const onItem = ({ members: { id, name, parentId } }: { readonly members: JsonObject }) => {
      if (typeof id === "string")
        lists.set(id, { name: plainText(textOf(name)).trim(), parentId: textOf(parentId) || null });
    };
    const treat = (place: Parameters<typeof treatListed>[0]) => treatListed(place, ["lists"]);
    await walkJson(reading.text, { treat, onItem }, reading.pause);
    const folders = new Map<string, Folder>();
    const folderOf = (id: string) => {
      const folder = folders.get(id) ?? folderOfList(lists, id);
      folders.set(id, folder);
      return folder;
    };
    return readList(reading, ["bookmarks"], (bookmark) => toRow(bookmark, folderOf));
  },
};

function toRow(bookmark: JsonObject, folderOf: (id: string) => Folder) {
  const content = objectOf(bookmark.content);
  const title = textOf(bookmark.title) || textOf(content.title);
  const tags = textsOf(bookmark.tags).map(plainText);
  const [folder = Folder.root, ...others] = textsOf(bookmark.lists).map(folderOf);
  return makeRow({
    // A text note has no URL: it is refused, with its text in the record.
    url: plainText(textOf(content.url)),
    title: plainText(title || textOf(content.text)),
    description: paragraphs(textOf(bookmark.note)),
    tags: tags.join(","),
    tagNames: [...tags, ...others.flatMap(({ tag }) => tag ?? [])],
    date: dateOf(bookmark.createdAt),
    folder,
    states: { unread: false, archived: bookmark.archived === true, shared: false },
  });
}
