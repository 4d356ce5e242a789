import { makeHashtag } from "./hashtags.ts";
import type { Note } from "./import-ledger.ts";
import { changedTagNote, unfitFolderNote, unfitTagNote } from "./import-notes.ts";
import { ARCHIVED_TAG, type BookmarkFile, type FileRow } from "./netscape.ts";

/** A tag or a folder of the file, and where it stands. */
interface Seen {
  readonly hashtag: string | null;
  /** The line of the first bookmark that has it. */
  readonly line: number;
  /** How many have it. */
  count: number;
}

/** Makes hashtags of a file's tags and folders, each spelling once, since files repeat them often. */
export class TagReader {
  readonly #separator: "," | RegExp;
  readonly #tags = new Map<string, Seen>();
  readonly #unfitFolders = new Map<string, Seen>();

  constructor(separator: BookmarkFile["tagSeparator"]) {
    this.#separator = separator === "comma" ? "," : /\s/;
  }

  /** The hashtags of a row's tags and folder. */
  hashtags({ tags, folder, line }: FileRow): string[] {
    const own = (tags ?? "").split(this.#separator).map((tag) => this.#hashtag(tag.trim(), line));
    for (const name of folder.unfitNames) count(this.#unfitFolders, name, line, () => null);
    return [...own, folder.hashtag].filter((hashtag) => hashtag !== null);
  }

  /** What no hashtag can hold as it is: told once, however many bookmarks have it. */
  notes(): Note[] {
    const tags = [...this.#tags].flatMap(([tag, { hashtag, line, count }]) => {
      if (hashtag === null) return [unfitTagNote(line, tag, count)];
      return isSame(tag, hashtag) ? [] : [changedTagNote(line, tag, hashtag, count)];
    });
    const folders = [...this.#unfitFolders].map(([name, { line, count }]) =>
      unfitFolderNote(line, name, count),
    );
    return [...tags, ...folders];
  }

  #hashtag(tag: string, line: number): string | null {
    if (tag === "" || tag === ARCHIVED_TAG) return null;
    return count(this.#tags, tag, line, () => makeHashtag(tag)).hashtag;
  }
}

function count(seen: Map<string, Seen>, name: string, line: number, make: () => string | null): Seen {
  const known = seen.get(name) ?? { hashtag: make(), line, count: 0 };
  known.count++;
  seen.set(name, known);
  return known;
}

/** Whether a hashtag is its tag in all but white space. */
function isSame(tag: string, hashtag: string): boolean {
  return `#${tag.replace(/^#/, "").replace(/\s+/g, "-")}` === hashtag;
}
