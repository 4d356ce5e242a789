import { makeTagName, TAG_NAME_MAX } from "../../../tags/tag-name.ts";
import { countCodePoints } from "../../../text.ts";

// Every bookmark repeats its path, so without a limit a file of n folders in each other would take n² room.
/** The most characters that the names of a path may have together, each counted with its separator. */
const PATH_MAX = 2_000;

/** The folders that exist before a reader has made one, as English browsers name them at the top level. */
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

/** Safari marks its two in no way but their names, which are in the reader's language. */
const SAFARI_CONTAINERS = new Set([
  ...["favorites", "favourites", "bookmarks menu"],
  ...["favoris", "menu signets", "menu des signets"],
  ...["favoriten", "lesezeichenmenü", "lesezeichen-menü"],
  ...["favoritos", "menú favoritos", "menu favoritos"],
  ...["preferiti", "menu preferiti"],
  ...["お気に入り", "ブックマークメニュー"],
]);

/** A folder of a bookmark file. All bookmarks in it share one. */
export class Folder {
  /** The root, outside any folder. */
  static readonly root = new Folder([], { name: null, isFull: false }, [], false);

  /** The folders' names from the outermost in, as the file has them. */
  readonly path: readonly string[];
  /** The names that left nothing in the tag. */
  readonly unfitNames: readonly string[];
  /** Whether `path` leaves off the innermost names, since it would be longer than 2,000 characters. */
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

  /** The path as a tag name, without the browsers' own containers; null where none can be made. */
  get tag(): string | null {
    return this.#tag.name;
  }

  /** Whether the tag leaves off the innermost names, since a tag name has 200 characters at most. */
  get hasShortenedTag(): boolean {
    return this.#tag.isFull;
  }

  /** A folder inside this one; `isContainer` when the browser made it, not its user. */
  inner(name: string, isContainer: boolean): Folder {
    if (this.isShortened) return this;
    const length = this.path.reduce((sum, outer) => sum + outer.length + 1, name.length + 1);
    if (length > PATH_MAX) return new Folder(this.path, this.#tag, this.unfitNames, true);
    const path = [...this.path, name];
    if (isContainer) return new Folder(path, this.#tag, this.unfitNames, false);
    // A `/` inside a name does not nest, and a comma would separate.
    const segment = makeTagName(name.replace(/[/,]/g, " - "));
    if (segment === null) return new Folder(path, this.#tag, [...this.unfitNames, name], false);
    return new Folder(path, nested(this.#tag, segment), this.unfitNames, false);
  }
}

interface NestedTag {
  readonly name: string | null;
  /** Whether the names of inner folders are left off. */
  readonly isFull: boolean;
}

function nested(outer: NestedTag, segment: string): NestedTag {
  if (outer.name === null) return { name: segment, isFull: false };
  const name = `${outer.name}/${segment}`;
  const isFull = outer.isFull || countCodePoints(name) > TAG_NAME_MAX;
  return isFull ? { name: outer.name, isFull } : { name, isFull };
}

/** Whether a name at the top level is one of the browsers' own. `isSafari`: the file has Safari's shape. */
export function isContainerName(name: string, isSafari: boolean): boolean {
  const key = name.toLowerCase();
  return CONTAINERS.has(key) || (isSafari && SAFARI_CONTAINERS.has(key));
}
