import { type BookmarkFormat, htmlText, makeRow, paragraphs, plainText } from "../../bookmark-format.ts";
import { Folder } from "../../folder.ts";
import { dateOf, lineOf, objectOf, readList, textOf, textsOf, treatListed } from "../json-lists.ts";
import { type JsonObject, type JsonPosition, walkJson } from "../json-walk.ts";
import { folders, type List } from "../nested-lists.ts";
import { tagsIn } from "../tags.ts";

/**
 * Karakeep's export (packages/shared/import-export in its source), or responses of its API. A bookmark in several lists
 * gets a tag for each; the first list is its folder. Since the lists follow the bookmarks, the file is read twice.
 */
export const karakeep: BookmarkFormat = {
  name: "karakeep",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const lists = new Map<string, List>();
    const onItem = ({ members: { id, name, parentId } }: { readonly members: JsonObject }) => {
      if (typeof id === "string")
        lists.set(id, { name: lineOf(name).trim(), parentId: textOf(parentId) || null });
    };
    const treat = (place: JsonPosition) => treatListed(place, ["lists"]);
    await walkJson(reading.text, { treat, onItem });
    const folderOf = folders(lists);
    return readList(reading, {
      lists: ["bookmarks"],
      members: [
        ...["id", "url", "title", "content", "note", "tags", "lists", "createdAt", "modifiedAt", "archived"],
        ...["favourited", "summary", "taggingStatus", "summarizationStatus", "userId", "source", "assets"],
      ],
      toRow: (bookmark) => rowOfKarakeep(bookmark, folderOf),
    });
  },
};

function rowOfKarakeep(bookmark: JsonObject, folderOf: (id: string) => Folder) {
  const content = objectOf(bookmark.content);
  const title = textOf(bookmark.title) || textOf(content.title);
  const { tagNames, ...tags } = tagsIn(bookmark.tags);
  const [folder = Folder.root, ...others] = textsOf(bookmark.lists).map(folderOf);
  return makeRow({
    // A text note has no URL: it is refused, with its text in the record. A file has one if it was saved from a page.
    url: lineOf(content.url) || lineOf(content.sourceUrl),
    title: plainText(title || textOf(content.text)),
    // Only its API has the last two.
    description: paragraphs(textOf(bookmark.note), textOf(bookmark.summary), textOf(content.description)),
    ...tags,
    tagNames: [...tagNames, ...others.flatMap(({ tag }) => tag ?? [])],
    date: dateOf(bookmark.createdAt),
    folder,
    // Only its API has it.
    page: htmlText(textOf(content.htmlContent)),
    isImportant: bookmark.favourited === true,
    states: { unread: false, archived: bookmark.archived === true, shared: false },
  });
}
