import type { BookmarkFormat } from "../bookmark-format.ts";
import { chrome, firefox } from "./browsers.ts";
import { commonplaceJson } from "./commonplace-json.ts";
import { type JsonPosition, JsonWalk, type Treatment } from "./json-walk.ts";
import {
  delicious,
  elcurator,
  karakeep,
  linkding,
  linkwarden,
  omnivore,
  pinboard,
  readability,
  wallabag,
} from "./services.ts";

/** Members of the outermost object that identify a format. */
const OUTER_NAMES: Readonly<Record<string, BookmarkFormat>> = {
  roots: chrome,
  typeCode: firefox,
  children: firefox,
  collections: linkwarden,
};

/** Lists of bookmarks in the outermost object. */
const LISTS = ["bookmarks", "results", "posts"];

/** Members of bookmarks that identify a format. */
const BOOKMARK_NAMES: readonly (readonly [readonly string[], BookmarkFormat])[] = [
  [["href"], pinboard],
  [["url", "tag_names"], linkding],
  [["createdAt", "content"], karakeep],
  [["url", "tags", "is_saved"], elcurator],
  [["url", "savedAt", "labels"], omnivore],
  [["url", "created", "owner"], delicious],
  [["url", "is_archived", "is_starred"], wallabag],
  [["url", "is_read", "is_fav"], wallabag],
  [["article__url"], readability],
  [["id", "url", "title", "description", "created_at"], commonplaceJson],
];

/**
 * The format of a JSON file, by the names of its outermost object or of its first bookmark, whatever their order.
 * @param beginning the first characters of the file, possibly incomplete
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
  /** The member names of bookmarks, by the name of their list; empty for an array without a name. */
  readonly #bookmarks = new Map<string, Set<string>>();

  /** Only names matter: everything is visited, nothing is kept. */
  treat({ within, isArray, name, outer }: JsonPosition): Treatment {
    if (within === null || outer?.isArray) return "walk";
    return isArray && outer?.within === null && name !== null && LISTS.includes(name) ? "walk" : "skip";
  }

  onItem(): void {}

  onName(name: string, { within, outer }: JsonPosition): void {
    if (within === null) this.#outer.add(name);
    else if (outer?.isArray) {
      const list = outer.name ?? "";
      const names = this.#bookmarks.get(list) ?? new Set();
      this.#bookmarks.set(list, names.add(name));
    }
  }

  format(): BookmarkFormat | undefined {
    const outer = Object.entries(OUTER_NAMES).find(([name]) => this.#outer.has(name));
    if (outer !== undefined) return outer[1];
    const lists = LISTS.filter((name) => this.#outer.has(name));
    if (this.#outer.has("program") && lists.length > 0) return commonplaceJson;
    for (const list of [...lists, ""]) {
      const seen = this.#bookmarks.get(list);
      const found = BOOKMARK_NAMES.find(([names]) => names.every((name) => seen?.has(name)));
      if (found !== undefined) return found[1];
    }
    // An empty list.
    if (this.#bookmarks.size > 0) return undefined;
    if (this.#outer.has("results")) return linkding;
    return this.#outer.has("bookmarks") ? karakeep : undefined;
  }
}
