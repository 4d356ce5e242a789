import { makeTagName } from "../../../tags/tag-name.ts";
import type { FileRow, TagSeparator } from "../formats/file-row.ts";
import { ARCHIVED_TAG } from "../formats/netscape/netscape.ts";
import { changedTagNote, unfitFolderNote, unfitTagNote } from "../import-notes.ts";
import type { Note } from "../import-report.ts";

/** How many bookmarks have something, and the line of the first of them. */
interface Seen {
  readonly line: number;
  count: number;
}

/** Makes tag names of a file's tags and folders, each spelling once, since files repeat them often. */
export class TagReader {
  readonly #separator: "," | RegExp;
  readonly #tags = new Map<string, Seen & { readonly name: string | null }>();
  readonly #unfitFolders = new Map<string, Seen>();

  constructor(separator: TagSeparator) {
    this.#separator = separator === "comma" ? "," : /\s/;
  }

  /** The names of a row's tags and folder; of an export of our own, those of its tags that stand beside the description. */
  names({ tags, tagNames, folder, line, isOurs }: FileRow): string[] {
    const written = tagNames ?? (isOurs ? [] : (tags ?? "").split(this.#separator));
    const own = new Set(written.map((tag) => tag.trim()));
    if (isOurs) return [...own].flatMap((tag) => this.#name(tag, line) ?? []);
    for (const name of new Set(folder.unfitNames))
      count(this.#unfitFolders, name, () => ({ line, count: 0 }));
    return [...[...own].map((tag) => this.#name(tag, line)), folder.tag].filter((name) => name !== null);
  }

  /** What no tag can hold as it is: noted once, however many bookmarks have it. */
  notes(): Note[] {
    const tags = [...this.#tags].flatMap(([tag, { name, line, count }]) => {
      if (name === null) return [unfitTagNote(line, tag, count)];
      return isSame(tag, name) ? [] : [changedTagNote(line, tag, name, count)];
    });
    const folders = [...this.#unfitFolders].map(([name, { line, count }]) =>
      unfitFolderNote(line, name, count),
    );
    return [...tags, ...folders];
  }

  #name(tag: string, line: number): string | null {
    if (tag === "" || tag === ARCHIVED_TAG) return null;
    return count(this.#tags, tag, () => ({ name: makeTagName(tag), line, count: 0 })).name;
  }
}

function count<S extends Seen>(seen: Map<string, S>, key: string, first: () => S): S {
  const known = seen.get(key) ?? first();
  known.count++;
  seen.set(key, known);
  return known;
}

/** Whether a name is its tag in all but white space and a leading `#`. */
function isSame(tag: string, name: string): boolean {
  return tag.replace(/^#+/, "").replace(/\s+/g, "-") === name;
}
