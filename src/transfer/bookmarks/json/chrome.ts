import { type BookmarkFormat, type FileRow, makeRow, plainText } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import { trashNote } from "../import-notes.ts";
import { readTree, type Tree } from "./browser-tree.ts";
import { dateOf, objectOf, textOf } from "./json-members.ts";
import type { JsonItem, JsonObject, JsonPosition, Treatment } from "./json-walk.ts";

/** The built-in folders, by the names of their members. */
const TOOLBAR = "bookmark_bar";
const UNFILED = "other";
const MOBILE = "synced";
/** Vivaldi and Opera keep deleted bookmarks. */
const TRASH = "trash";

/**
 * The file `Bookmarks` in a profile of Chrome, Edge, Brave, Vivaldi or Opera
 * (components/bookmarks/browser/bookmark_codec.cc in Chromium's source). Dates are microseconds since 1601.
 */
export const chrome: BookmarkFormat = {
  name: "chrome",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const tree = new ChromeTree();
    const summary = await readTree(reading, tree);
    if (tree.deleted > 0) reading.onNote(trashNote(tree.deleted));
    return { ...summary, toolbar: tree.toolbar };
  },
};

class ChromeTree implements Tree {
  toolbar: readonly string[] | null = null;
  /** The number of bookmarks in the trash. */
  deleted = 0;

  treat({ within, outer, isArray, name }: JsonPosition): Treatment {
    if (within === null) return isArray ? "skip" : "walk";
    if (within === "item") return isArray && name === "children" ? "walk" : "keep";
    if (outer?.isArray) return "item";
    if (outer?.within === null) return name === "roots" ? "walk" : "skip";
    // Opera has some of its top folders one level further in.
    return name === "custom_root" ? "walk" : "item";
  }

  notice(item: JsonItem): void {
    if (item.members.type === "url" && topOf(item).name === TRASH) this.deleted++;
  }

  folder({ members, name: top }: JsonItem, outer: Folder): Folder | null {
    const name = plainText(textOf(members.name)).trim();
    if (top === TRASH) return null;
    if (top === UNFILED) return Folder.root;
    const folder = outer.inner(name, top === TOOLBAR || top === MOBILE);
    if (top === TOOLBAR) this.toolbar = folder.path;
    return folder;
  }

  row(members: JsonObject, folder: Folder): FileRow | null {
    if (members.type !== "url" && members.url === undefined) return null;
    const more = objectOf(members.meta_info);
    return makeRow({
      url: plainText(textOf(members.url)),
      title: plainText(textOf(members.name)),
      // Vivaldi has descriptions and nicknames.
      description: plainText(textOf(more.Description)).trim(),
      keyword: textOf(more.Nickname) || null,
      date: dateOf(members.date_added),
      dateRule: "webkit",
      folder,
    });
  }
}

function topOf(item: JsonItem): JsonItem {
  let top = item;
  while (top.parent !== null) top = top.parent;
  return top;
}
