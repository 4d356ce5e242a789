import { type FileRow, type FileSummary, type FormatInput, WHOLE } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import { type JsonItem, type JsonObject, type JsonPosition, type Treatment, walkJson } from "./json-walk.ts";
import { brokenOff } from "./listed-items.ts";

/** How a browser's file describes its tree of folders. */
export interface Tree {
  /** Finds the items that are folders and bookmarks. */
  treat(place: JsonPosition): Treatment;
  /** The folder of an item with children; null when its contents are not the user's bookmarks. */
  folder(item: JsonItem, outer: Folder): Folder | null;
  /** A bookmark; null for other items, such as separators. */
  row(members: JsonObject, folder: Folder): FileRow | null;
  /** Called with each leaf item before any row is made. */
  notice?(item: JsonItem): void;
}

/**
 * Reads a tree of folders and bookmarks, each an object with its children in an array. Since the name of a folder
 * may follow its contents, the file is read twice; only the folders are kept in memory.
 */
export async function readTree(reading: FormatInput, tree: Tree): Promise<FileSummary> {
  const found = await findFolders(reading, tree);
  const folders = new Map<number, Folder | null>();
  const folderOf = (item: JsonItem | null): Folder | null => {
    if (item === null) return Folder.root;
    const known = folders.get(item.number);
    if (known !== undefined) return known;
    const outer = folderOf(item.parent);
    const members = found.get(item.number) ?? item.members;
    const folder = outer && tree.folder({ ...item, members }, outer);
    folders.set(item.number, folder);
    return folder;
  };
  let rows = 0;
  const onItem = (item: JsonItem) => {
    const folder = item.hasList ? null : folderOf(item.parent);
    const row = folder && tree.row(item.members, folder);
    if (row === null) return;
    rows++;
    reading.onRow(row);
  };
  const syntaxError = await walkJson(reading.text, { treat: tree.treat, onItem }, reading.pause);
  return syntaxError === null ? WHOLE : brokenOff(rows, syntaxError);
}

/** The members of all folders, by item number. */
async function findFolders({ text, pause }: FormatInput, tree: Tree): Promise<Map<number, JsonObject>> {
  const found = new Map<number, JsonObject>();
  const onItem = (item: JsonItem) => {
    if (item.hasList) found.set(item.number, item.members);
    else tree.notice?.(item);
  };
  await walkJson(text, { treat: tree.treat, onItem }, pause);
  return found;
}
