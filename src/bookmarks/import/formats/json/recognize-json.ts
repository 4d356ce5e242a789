import type { BookmarkFormat } from "../file-row.ts";
import { chrome } from "./chrome.ts";
import { commonplaceJson } from "./commonplace-json.ts";
import { firefox } from "./firefox.ts";
import { type JsonPlace, JsonWalk, type Treatment } from "./json-walk.ts";
import { karakeep } from "./karakeep.ts";
import { linkding } from "./linkding.ts";
import { pinboard } from "./pinboard.ts";

/** Members of the outermost object that only one format has. */
const OUTER_NAMES: Readonly<Record<string, BookmarkFormat>> = {
  roots: chrome,
  typeCode: firefox,
  children: firefox,
};

/** Lists of bookmarks in the outermost object. */
const LISTS = ["bookmarks", "results", "posts"];

/** Members that all bookmarks of a format have, and no others. */
const BOOKMARK_NAMES: readonly (readonly [readonly string[], BookmarkFormat])[] = [
  [["href"], pinboard],
  [["url", "tag_names"], linkding],
  [["createdAt", "content"], karakeep],
  [["url", "title", "description", "created_at"], commonplaceJson],
];

/**
 * The format of a JSON file, by the names of its outermost object or of its first bookmark, whatever their order.
 * @param beginning the first characters of the file, which may break off anywhere
 */
export function recognizeJson(beginning: string): BookmarkFormat | undefined {
  const seen = new SeenNames();
  const walk = new JsonWalk(seen);
  walk.write(beginning);
  return seen.format();
}

/** The names at the beginning of a file. */
class SeenNames {
  readonly #outer = new Set<string>();
  readonly #bookmark = new Set<string>();
  #list: string | null = null;

  /** Only names matter here: everything is visited, and nothing is kept. */
  treat({ within, isArray, name, outer }: JsonPlace): Treatment {
    if (within === null) return "walk";
    if (!outer?.isArray && outer?.within === null && isArray && name !== null && LISTS.includes(name)) {
      this.#list ??= name;
      return this.#list === name ? "walk" : "skip";
    }
    const isBookmark = outer?.isArray && (outer.within === null || outer.name === this.#list);
    return isBookmark ? "walk" : "skip";
  }

  onItem(): void {}

  onName(name: string, place: JsonPlace): void {
    if (place.within === null) this.#outer.add(name);
    else this.#bookmark.add(name);
  }

  format(): BookmarkFormat | undefined {
    const outer = Object.entries(OUTER_NAMES).find(([name]) => this.#outer.has(name));
    if (outer !== undefined) return outer[1];
    const found = BOOKMARK_NAMES.find(([names]) => names.every((name) => this.#bookmark.has(name)));
    if (found !== undefined) return found[1];
    if (this.#bookmark.size > 0) return undefined;
    // A list without any bookmark.
    if (this.#outer.has("program") && this.#outer.has("bookmarks")) return commonplaceJson;
    if (this.#outer.has("results")) return linkding;
    return this.#outer.has("bookmarks") ? karakeep : undefined;
  }
}
