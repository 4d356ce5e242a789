import type { BookmarkFormat, UnreadFormat } from "../bookmark-format.ts";
import { chrome, firefox } from "./browsers.ts";
import { commonplaceJson } from "./commonplace-json.ts";
import { pathOf } from "./json-lists.ts";
import { type JsonPosition, JsonWalk, type Treatment } from "./json-walk.ts";
import { delicious } from "./services/delicious.ts";
import { elcurator } from "./services/elcurator.ts";
import { goodlinks } from "./services/goodlinks.ts";
import { karakeep } from "./services/karakeep.ts";
import { linkaceApi } from "./services/linkace.ts";
import { linkding } from "./services/linkding.ts";
import { linkwarden, linkwardenApi } from "./services/linkwarden.ts";
import { omnivore } from "./services/omnivore.ts";
import { pinboard } from "./services/pinboard.ts";
import { pocketMarks } from "./services/pocket.ts";
import { raindropApi } from "./services/raindrop.ts";
import { readability } from "./services/readability.ts";
import { readeck, readeckArchive, readeckMarks } from "./services/readeck.ts";
import { readwiseApi } from "./services/readwise.ts";
import { shaarli } from "./services/shaarli.ts";
import { shiori } from "./services/shiori.ts";
import { toby } from "./services/toby.ts";
import { wallabag } from "./services/wallabag.ts";
import { xbrowsersync } from "./services/xbrowsersync.ts";

type Known = BookmarkFormat | UnreadFormat;

/** The names that identify a format: together, only it has them. */
interface Mark {
  /** Where the objects are that have the names: an array, as in `ListReader`; undefined for the outermost object itself. */
  readonly of?: readonly string[];
  readonly has: readonly string[];
  /** Whether they have no other names. */
  readonly isAll?: boolean;
  readonly format: Known;
}

/** An array that is the outermost value. */
const ARRAY = "";

const unread = (program: string, instead: string): UnreadFormat => ({
  unread: `is an export of ${program} that is not read: ${instead}`,
});

/** Files of one program after another; the first that fits counts. A name that others use, too, does not suffice. */
const MARKS: readonly Mark[] = [
  { has: ["roots", "checksum"], format: chrome },
  { has: ["roots", "version"], format: chrome },
  { has: ["children", "typeCode"], format: firefox },
  { has: ["children", "guid"], format: firefox },
  { has: ["children", "root"], format: firefox },
  { has: ["xbrowsersync"], format: xbrowsersync },
  { has: ["xBrowserSync"], format: xbrowsersync },
  { of: ["collections"], has: ["links"], format: linkwarden },
  { of: ["response", "data.links", ARRAY], has: ["url", "collectionId"], format: linkwardenApi },
  { of: ["lists"], has: ["cards"], format: toby },
  { of: ["bookmarks"], has: ["createdAt", "content", "tags"], format: karakeep },
  { of: ["bookmarks"], has: ["article__url"], format: readability },
  { of: ["bookmarks", ARRAY], has: ["url", "excerpt", "public"], format: shiori },
  { of: ["items", ARRAY], has: ["link", "excerpt", "created"], format: raindropApi },
  { of: ["posts", ARRAY], has: ["href", "description", "time"], format: pinboard },
  { of: ["posts", ARRAY], has: ["href", "extended"], format: pinboard },
  { of: ["results", ARRAY], has: ["url", "tag_names"], format: linkding },
  { of: ["_embedded.items", ARRAY], has: ["url", "is_archived", "is_starred"], format: wallabag },
  { of: [ARRAY], has: ["url", "is_read", "is_fav"], format: wallabag },
  { has: ["UID", "URL", "InitialURL", "Labels"], format: readeckArchive },
  { of: [ARRAY], has: ["url", "is_marked", "is_archived", "labels"], format: readeck },
  { of: [ARRAY], has: ["bookmark_url", "bookmark_href", "text"], format: readeckMarks },
  { of: ["results", ARRAY], has: ["user_book_id", "highlights"], format: readwiseApi },
  { of: [ARRAY], has: ["url", "title", "highlights"], isAll: true, format: pocketMarks },
  { of: [ARRAY], has: ["url", "tags", "is_saved"], format: elcurator },
  { of: [ARRAY], has: ["url", "savedAt", "labels"], format: omnivore },
  { of: [ARRAY], has: ["url", "created", "owner"], format: delicious },
  { of: [ARRAY], has: ["url", "shorturl", "private"], format: shaarli },
  { of: [ARRAY], has: ["url", "addedAt", "starred"], format: goodlinks },
  { of: ["data", ARRAY], has: ["url", "user_id", "check_disabled"], format: linkaceApi },
  {
    of: ["collections"],
    has: ["alias", "posts"],
    format: { unread: "is a blog of WriteFreely, not a list of bookmarks: import it as a blog" },
  },
  {
    has: ["orderedItems"],
    format: unread("Mastodon", "take bookmarks.csv from Preferences, Import and export, Data export"),
  },
  {
    of: ["items"],
    has: ["id", "content_html", "date_published"],
    format: { unread: "is a JSON Feed, which is not read: save the RSS or Atom feed of the site" },
  },
  {
    of: [ARRAY],
    has: ["id", "type", "title", "URL", "accessed"],
    format: { unread: "is a bibliography (CSL JSON), which is not read: in Zotero, choose CSV" },
  },
  {
    has: ["sidebar", "sidebarSyncState"],
    format: unread("Arc", "open its pages in another browser, and export the bookmarks there as HTML"),
  },
  {
    of: [ARRAY],
    has: ["windows", "tabsNumber"],
    format: unread("Tab Session Manager", "copy the addresses of its session, one a line, into a text file"),
  },
  {
    of: ["bookmarks", ARRAY],
    has: ["id", "url", "title", "description", "created_at"],
    format: commonplaceJson,
  },
];

/** Our own documents, which say so, and empty exports, by the name of their list. */
const LISTS: readonly (readonly [list: string, format: BookmarkFormat])[] = [
  ["results", linkding],
  ["bookmarks", karakeep],
];

/**
 * The format of a JSON file, by the names of its outermost object and of its first bookmarks, whatever their order.
 * @param beginning the first characters of the file, possibly incomplete
 */
export function recognizeJson(beginning: string): Known | undefined {
  const seen = new SeenNames();
  const walk = new JsonWalk(seen);
  walk.write(beginning);
  return seen.format();
}

/** The names at the beginning of a file. */
class SeenNames {
  readonly #outer = new Set<string>();
  /** The names of the objects in arrays, by the paths of these. */
  readonly #inArrays = new Map<string, Set<string>>();

  /** Only names matter: arrays at most two members deep and the objects in them are visited, nothing is kept. */
  treat({ within, isArray, outer }: JsonPosition): Treatment {
    if (within === null || outer === null) return "walk";
    const isMember = outer.within === null && !outer.isArray;
    const isInMember = !outer.isArray && outer.outer?.within === null && !outer.outer.isArray;
    if (outer.isArray) return isArray ? "skip" : "walk";
    return isMember || (isArray && isInMember) ? "walk" : "skip";
  }

  onItem(): void {}

  onName(name: string, place: JsonPosition): void {
    const { within, outer } = place;
    if (within === null) this.#outer.add(name);
    else if (outer?.isArray) {
      const path = pathOf(outer);
      const names = this.#inArrays.get(path) ?? new Set();
      this.#inArrays.set(path, names.add(name));
    }
  }

  format(): Known | undefined {
    if (this.#outer.has("program") && (this.#outer.has("bookmarks") || this.#outer.has("posts")))
      return commonplaceJson;
    const found = MARKS.find(({ of, has, isAll = false }) =>
      (of ?? [undefined]).some((path) => {
        const seen = path === undefined ? this.#outer : this.#inArrays.get(path);
        return hasAll(seen, has) && (!isAll || seen?.size === has.length);
      }),
    );
    if (found !== undefined) return found.format;
    // An empty list.
    if (this.#inArrays.size > 0) return undefined;
    return LISTS.find(([list]) => this.#outer.has(list))?.[1];
  }
}

function hasAll(seen: ReadonlySet<string> | undefined, names: readonly string[]): boolean {
  return seen !== undefined && names.every((name) => seen.has(name));
}
