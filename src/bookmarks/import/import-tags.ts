import { makeHashtag } from "../hashtags.ts";
import type { Folder } from "./import-folder.ts";
import { changedTagNote, unfitFolderNote, unfitTagNote } from "./import-notes.ts";
import type { Note } from "./import-report.ts";
import { ARCHIVED_TAG, type BookmarkFile, type FileRow } from "./netscape.ts";

/** How many bookmarks have something, and the line of the first of them. */
interface Seen {
  readonly line: number;
  count: number;
}

/** Makes hashtags of a file's tags and folders, each spelling once, since files repeat them often. */
export class TagReader {
  readonly #separator: "," | RegExp;
  readonly #tags = new Map<string, Seen & { readonly hashtag: string | null }>();
  readonly #unfitFolders = new Map<Folder, Seen>();

  constructor(separator: BookmarkFile["tagSeparator"]) {
    this.#separator = separator === "comma" ? "," : /\s/;
  }

  /** The hashtags of a row's tags and folder. */
  hashtags({ tags, folder, line }: FileRow): string[] {
    const own = new Set((tags ?? "").split(this.#separator).map((tag) => tag.trim()));
    if (folder.unfitNames.length > 0) count(this.#unfitFolders, folder, () => ({ line, count: 0 }));
    return [...[...own].map((tag) => this.#hashtag(tag, line)), folder.hashtag].filter(
      (hashtag) => hashtag !== null,
    );
  }

  /** What no hashtag can hold as it is: told once, however many bookmarks have it. */
  notes(): Note[] {
    const tags = [...this.#tags].flatMap(([tag, { hashtag, line, count }]) => {
      if (hashtag === null) return [unfitTagNote(line, tag, count)];
      return isSame(tag, hashtag) ? [] : [changedTagNote(line, tag, hashtag, count)];
    });
    const folders = new Map<string, Seen>();
    for (const [{ unfitNames }, { line, count: inside }] of this.#unfitFolders)
      for (const name of new Set(unfitNames)) count(folders, name, () => ({ line, count: 0 }), inside);
    return [...tags, ...[...folders].map(([name, { line, count }]) => unfitFolderNote(line, name, count))];
  }

  #hashtag(tag: string, line: number): string | null {
    if (tag === "" || tag === ARCHIVED_TAG) return null;
    return count(this.#tags, tag, () => ({ hashtag: makeHashtag(tag), line, count: 0 })).hashtag;
  }
}

function count<Key, S extends Seen>(seen: Map<Key, S>, key: Key, first: () => S, more = 1): S {
  const known = seen.get(key) ?? first();
  known.count += more;
  seen.set(key, known);
  return known;
}

/** Whether a hashtag is its tag in all but white space. */
function isSame(tag: string, hashtag: string): boolean {
  return `#${tag.replace(/^#/, "").replace(/\s+/g, "-")}` === hashtag;
}
