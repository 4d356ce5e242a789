import { type BookmarkFormat, type FileRow, makeRow, plainText } from "../file-row.ts";
import { Folder } from "../import-folder.ts";
import { readTree, type Tree } from "./browser-tree.ts";
import { dateOf, objectOf, textOf } from "./json-members.ts";
import type { JsonItem, JsonObject, JsonPosition, JsonValue, Treatment } from "./json-walk.ts";

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
    const tags = [...splitTags(members.tags), ...(this.#tags.get(url) ?? [])].map(plainText);
    return makeRow({
      url: plainText(url),
      title: plainText(textOf(members.title)),
      description: descriptionOf(members),
      tags: tags.join(","),
      tagNames: tags,
      date: dateOf(members.dateAdded),
      folder,
      keyword: textOf(members.keyword) || null,
    });
  }
}

function isTagRoot(members: JsonObject | undefined): boolean {
  return TAG_ROOTS.includes(members?.root ?? null) || TAG_ROOTS.includes(members?.guid ?? null);
}

function splitTags(tags: JsonValue | undefined): string[] {
  return textOf(tags).split(",");
}

/** Firefox had descriptions until version 61. */
function descriptionOf({ annos }: JsonObject): string {
  const all: readonly JsonValue[] = Array.isArray(annos) ? annos : [];
  const found = all.map(objectOf).find(({ name }) => name === DESCRIPTION);
  return plainText(textOf(found?.value)).trim();
}
