import { type BookmarkFormat, type FormatInput, makeRow, plainText, WHOLE } from "../file-row.ts";
import type { Folder } from "../import-folder.ts";
import { notKeptNote } from "../import-notes.ts";
import { dateOf, objectOf, textOf } from "./json-members.ts";
import { type JsonItem, type JsonObject, type JsonPosition, type Treatment, walkJson } from "./json-walk.ts";
import { brokenOff } from "./listed-items.ts";
import { folderOfList, type List } from "./nested-lists.ts";

/** The collection of links that were put into none. */
const UNORGANIZED = "unorganized";

/**
 * Linkwarden's backup (apps/web/lib/api/controllers/migration in its source): collections with their links, each inside
 * another by its `parentId`. Since outer collections may follow inner ones, the file is read twice.
 */
export const linkwarden: BookmarkFormat = {
  name: "linkwarden",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const lists = new Map<string, List>();
    await walk(reading, ({ members, parent }) => {
      if (parent !== null) return;
      const name = plainText(textOf(members.name)).trim();
      if (members.parentId == null && name.toLowerCase() === UNORGANIZED) return;
      lists.set(String(members.id), {
        name,
        parentId: members.parentId == null ? null : String(members.parentId),
      });
    });
    const folders = new Map<string, Folder>();
    const folderOf = (id: string) => {
      const folder = folders.get(id) ?? folderOfList(lists, id);
      folders.set(id, folder);
      return folder;
    };
    let [rows, texts] = [0, 0];
    const syntaxError = await walk(reading, ({ members, parent }) => {
      if (parent === null) return;
      rows++;
      if (textOf(members.textContent) !== "") texts++;
      reading.onRow(toRow(members, folderOf(String(parent.members.id))));
    });
    if (texts > 0) reading.onNote(notKeptNote({ texts }));
    return syntaxError === null ? WHOLE : brokenOff(rows, syntaxError);
  },
};

function walk({ text, pause }: FormatInput, onItem: (item: JsonItem) => void): Promise<string | null> {
  return walkJson(text, { treat, onItem }, pause);
}

function treat({ within, outer, isArray, name }: JsonPosition): Treatment {
  if (within === null) return "walk";
  if (within === "item") return isArray && name === "links" ? "walk" : "keep";
  if (outer?.isArray) return "item";
  return isArray && name === "collections" ? "walk" : "skip";
}

function toRow(link: JsonObject, folder: Folder) {
  const tags = (Array.isArray(link.tags) ? link.tags : []).map((tag) =>
    plainText(textOf(objectOf(tag).name)),
  );
  return makeRow({
    // An uploaded image or PDF has no URL: it is refused, with its name in the record.
    url: plainText(textOf(link.url)),
    title: plainText(textOf(link.name)),
    description: plainText(textOf(link.description)).trim(),
    tags: tags.join(","),
    tagNames: tags,
    date: dateOf(link.importDate ?? link.createdAt),
    folder,
  });
}
