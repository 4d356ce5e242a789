import {
  type BookmarkFormat,
  type FileRow,
  type FileSummary,
  type FormatInput,
  makeRow,
  plainText,
  WHOLE,
} from "../bookmark-format.ts";
import { Folder } from "../folder.ts";
import { LeftOut } from "../left-out.ts";
import { trashNote } from "../notes.ts";
import { brokenOff, dateOf, objectOf, textOf } from "./json-lists.ts";
import {
  type JsonItem,
  type JsonObject,
  type JsonPosition,
  type JsonValue,
  type Treatment,
  walkJson,
} from "./json-walk.ts";
import { tagsIn } from "./tags.ts";

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
  readonly members = [
    ...["id", "guid", "name", "type", "url", "children", "date_added", "date_modified", "date_last_used"],
    ...["meta_info", "show_icon", "source", "sync_transaction_version", "unsynced_meta_info", "visit_count"],
  ];
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
      folder,
    });
  }
}

function topOf(item: JsonItem): JsonItem {
  let top = item;
  while (top.parent !== null) top = top.parent;
  return top;
}

/** Firefox's built-in folders, by their two internal names, with the names that its HTML files use. */
const ROOTS: Readonly<Record<string, string>> = {
  placesRoot: "",
  root________: "",
  bookmarksMenuFolder: "",
  menu________: "",
  toolbarFolder: "Bookmarks Toolbar",
  toolbar_____: "Bookmarks Toolbar",
  unfiledBookmarksFolder: "Other Bookmarks",
  unfiled_____: "Other Bookmarks",
  mobileFolder: "Mobile Bookmarks",
  mobile______: "Mobile Bookmarks",
};

/** The folder of tags in old backups: one folder for each tag, with copies of its bookmarks. */
const TAG_ROOTS: readonly JsonValue[] = ["tagsFolder", "tags________"];

const DESCRIPTION = "bookmarkProperties/description";

/** A backup of Firefox (Library, Backup…; `toolkit/components/places/BookmarkJSONUtils` in its source). */
export const firefox: BookmarkFormat = {
  name: "firefox",
  rowUnit: "bookmark",
  isUtf8: true,
  async read(reading) {
    const tree = new FirefoxTree();
    const summary = await readTree(reading, tree);
    return { ...summary, toolbar: tree.toolbar };
  },
};

class FirefoxTree implements Tree {
  readonly members = [
    ...[
      "id",
      "guid",
      "index",
      "type",
      "typeCode",
      "root",
      "parent",
      "title",
      "uri",
      "tags",
      "keyword",
      "annos",
    ],
    ...["dateAdded", "lastModified", "iconUri", "iconuri", "charset", "livemark"],
  ];
  toolbar: readonly string[] | null = null;
  /** The tags of old backups, by URL. */
  readonly #tags = new Map<string, string[]>();

  treat({ within, outer, isArray, name }: JsonPosition): Treatment {
    if (within === null || outer?.isArray) return "item";
    return within === "item" && isArray && name === "children" ? "walk" : "keep";
  }

  notice({ members, parent }: JsonItem): void {
    const tag = textOf(parent?.members.title);
    if (tag === "" || !isTagRoot(parent?.parent?.members)) return;
    const url = textOf(members.uri);
    const tags = this.#tags.get(url) ?? [];
    tags.push(tag);
    this.#tags.set(url, tags);
  }

  folder({ members }: JsonItem, outer: Folder): Folder | null {
    if (isTagRoot(members)) return null;
    const name = ROOTS[textOf(members.root)] ?? ROOTS[textOf(members.guid)];
    if (name === undefined) return outer.inner(plainText(textOf(members.title)).trim(), false);
    const folder = name === "" ? Folder.root : Folder.root.inner(name, true);
    if (name === ROOTS.toolbarFolder) this.toolbar = folder.path;
    return folder;
  }

  row(members: JsonObject, folder: Folder): FileRow | null {
    // A separator or an empty folder.
    if (members.uri === undefined && members.type !== "text/x-moz-place") return null;
    const url = textOf(members.uri);
    const { tagNames: own, hasUnreadTags } = tagsIn(members.tags);
    const tagNames = [...own, ...(this.#tags.get(url) ?? []).map(plainText)];
    return makeRow({
      url: plainText(url),
      title: plainText(textOf(members.title)),
      description: descriptionOf(members),
      ...{ tags: tagNames.join(","), tagNames, hasUnreadTags },
      date: dateOf(members.dateAdded),
      folder,
      keyword: textOf(members.keyword) || null,
    });
  }
}

function isTagRoot(members: JsonObject | undefined): boolean {
  return TAG_ROOTS.includes(members?.root ?? null) || TAG_ROOTS.includes(members?.guid ?? null);
}

/** Firefox had descriptions until version 61. */
function descriptionOf({ annos }: JsonObject): string {
  const all: readonly JsonValue[] = Array.isArray(annos) ? annos : [];
  const found = all.map(objectOf).find(({ name }) => name === DESCRIPTION);
  return plainText(textOf(found?.value)).trim();
}

/** How a browser's file describes its tree of folders. */
export interface Tree {
  /** The members of a bookmark that are read, or that say nothing to people. */
  readonly members: readonly string[];
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
  const leftOut = new LeftOut(tree.members);
  const onItem = (item: JsonItem) => {
    const folder = item.hasList ? null : folderOf(item.parent);
    const row = folder && tree.row(item.members, folder);
    if (row === null) return;
    rows++;
    leftOut.look(item.members);
    reading.onRow(row);
  };
  const syntaxError = await walkJson(reading.text, { treat: tree.treat, onItem });
  for (const note of leftOut.notes()) reading.onNote(note);
  return syntaxError === null ? WHOLE : brokenOff(rows, syntaxError);
}

/** The members of all folders, by item number. */
async function findFolders({ text }: FormatInput, tree: Tree): Promise<Map<number, JsonObject>> {
  const found = new Map<number, JsonObject>();
  const onItem = (item: JsonItem) => {
    if (item.hasList) found.set(item.number, item.members);
    else tree.notice?.(item);
  };
  await walkJson(text, { treat: tree.treat, onItem });
  return found;
}
