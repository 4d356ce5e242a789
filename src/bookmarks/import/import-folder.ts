import { fitsHashtag, makeNestedHashtag } from "../hashtags.ts";

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
  /** What lies outside any folder. */
  static readonly root = new Folder([], [], false);

  /** The folders' names from the outermost in, as the file has them. */
  readonly path: readonly string[];
  /** The path as a hashtag, without the browsers' own containers; null where none can be made. */
  readonly hashtag: string | null;
  /** The names of which the hashtag has nothing. */
  readonly unfitNames: readonly string[];
  /** Whether `path` leaves off the innermost names, since it would be longer than 2,000 characters. */
  readonly isShortened: boolean;
  readonly #ownNames: readonly string[];

  private constructor(path: readonly string[], ownNames: readonly string[], isShortened: boolean) {
    this.path = path;
    this.hashtag = makeNestedHashtag(ownNames);
    this.unfitNames = this.hashtag === null ? ownNames : ownNames.filter((name) => !fitsHashtag(name));
    this.isShortened = isShortened;
    this.#ownNames = ownNames;
  }

  /** A folder inside this one; `isContainer` when the browser made it, not its user. */
  inner(name: string, isContainer: boolean): Folder {
    if (this.isShortened) return this;
    const length = this.path.reduce((sum, outer) => sum + outer.length + 1, name.length + 1);
    if (length > PATH_MAX) return new Folder(this.path, this.#ownNames, true);
    const ownNames = isContainer ? this.#ownNames : [...this.#ownNames, name];
    return new Folder([...this.path, name], ownNames, false);
  }
}

/** Whether a name at the top level is one of the browsers' own. `isSafari`: the file has Safari's shape. */
export function isContainerName(name: string, isSafari: boolean): boolean {
  const key = name.toLowerCase();
  return CONTAINERS.has(key) || (isSafari && SAFARI_CONTAINERS.has(key));
}
