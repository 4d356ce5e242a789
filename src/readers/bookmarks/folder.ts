import { makeTagName, TAG_NAME_MAX } from "../../tags/tag-name.ts";
import { countCodePoints } from "../../text.ts";

// Every bookmark repeats its path, so without a limit n nested folders would take n² space.
/** The maximum length of a path, including separators. */
const PATH_MAX = 2_000;

/** The browsers' built-in top-level folders, by their English names. */
const CONTAINERS = new Set([
  "bookmarks bar",
  "bookmarks menu",
  "bookmarks toolbar",
  "bookmarks toolbar folder",
  "favorites bar",
  "favourites bar",
  "mobile bookmarks",
  "mobile favorites",
  "other bookmarks",
  "other favorites",
  "other favourites",
  "personal toolbar folder",
  "synced bookmarks",
  "unfiled bookmarks",
  "unsorted bookmarks",
]);

/** Safari's two built-in folders can only be recognized by their localized names. */
const SAFARI_CONTAINERS = new Set([
  ...["favorites", "favourites", "bookmarks menu"],
  ...["favoris", "menu signets", "menu des signets"],
  ...["favoriten", "lesezeichenmenü", "lesezeichen-menü"],
  ...["favoritos", "menú favoritos", "menu favoritos"],
  ...["preferiti", "menu preferiti"],
  ...["お気に入り", "ブックマークメニュー"],
]);

/** Safari's list of pages to read, which in older files has no mark. */
const READING_LISTS = new Set([
  ...["reading list", "liste de lecture", "leseliste", "lista de lectura", "elenco lettura"],
  ...["lista de leitura", "leeslijst", "リーディングリスト"],
]);

/** A folder of a bookmark file. All bookmarks in it share one. */
export class Folder {
  /** The root, outside any folder. */
  static readonly root = new Folder([], { name: null, isFull: false }, [], false);

  /** The names of its folders, outermost first, as in the file. */
  readonly path: readonly string[];
  /** The names that are missing from the tag. */
  readonly unfitNames: readonly string[];
  /** Whether `path` omits the innermost names because of the limit of 2,000 characters. */
  readonly isShortened: boolean;
  readonly #tag: NestedTag;

  private constructor(
    path: readonly string[],
    tag: NestedTag,
    unfitNames: readonly string[],
    isShortened: boolean,
  ) {
    this.path = path;
    this.unfitNames = unfitNames;
    this.isShortened = isShortened;
    this.#tag = tag;
  }

  /** The path as a tag name, without the browsers' built-in folders; null if none can be made. */
  get tag(): string | null {
    return this.#tag.name;
  }

  /** Whether the tag omits the innermost names because of the limit of 200 characters. */
  get hasShortenedTag(): boolean {
    return this.#tag.isFull;
  }

  /** A folder inside this one. @param isContainer whether it is built in, not the user's */
  inner(name: string, isContainer: boolean): Folder {
    if (this.isShortened) return this;
    const length = this.path.reduce((sum, outer) => sum + outer.length + 1, name.length + 1);
    if (length > PATH_MAX) return new Folder(this.path, this.#tag, this.unfitNames, true);
    const path = [...this.path, name];
    if (isContainer) return new Folder(path, this.#tag, this.unfitNames, false);
    // A `/` inside a name must not nest, and a comma must not separate.
    const segment = makeTagName(name.replace(/[/,]/g, " - "));
    if (segment === null) return new Folder(path, this.#tag, [...this.unfitNames, name], false);
    return new Folder(path, nested(this.#tag, segment), this.unfitNames, false);
  }
}

interface NestedTag {
  readonly name: string | null;
  /** Whether the names of inner folders are omitted. */
  readonly isFull: boolean;
}

function nested(outer: NestedTag, segment: string): NestedTag {
  if (outer.name === null) return { name: segment, isFull: false };
  const name = `${outer.name}/${segment}`;
  const isFull = outer.isFull || countCodePoints(name) > TAG_NAME_MAX;
  return isFull ? { name: outer.name, isFull } : { name, isFull };
}

/** Whether a top-level name is a browser's built-in folder. @param isSafari whether the file has Safari's structure */
export function isContainerName(name: string, isSafari: boolean): boolean {
  const key = name.toLowerCase();
  return CONTAINERS.has(key) || (isSafari && SAFARI_CONTAINERS.has(key));
}

/** Whether a top-level name in a file with Safari's structure is its list of pages to read. */
export function isReadingListName(name: string): boolean {
  return READING_LISTS.has(name.toLowerCase());
}
