import { ARCHIVED_TAG } from "../../records/bookmark-members.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import type { Note } from "../remarks.ts";
import type { FileRow } from "./bookmark-format.ts";
import {
  changedTagNote,
  invalidFolderNote,
  invalidTagNote,
  omittedNotesNote,
  unreadTagsNote,
} from "./notes.ts";

/** The maximum number of characters of reported names; further names are only counted. */
const REPORTED_MAX = 2 * 1024 * 1024;
/** The overhead of a name, counted as characters. */
const OVERHEAD = 64;

/** Converts a file's tags and folders to tag names, in memory that does not grow with their number. */
export class TagReader {
  readonly #changed = new NoteList((tag, { line, count }) => {
    const name = makeTagName(tag);
    return name === null ? invalidTagNote(line, tag, count) : changedTagNote(line, tag, name, count);
  });
  readonly #unfitFolders = new NoteList((name, { line, count }) => invalidFolderNote(line, name, count));
  /** The rows with tags that were not read. */
  #unread: Seen | undefined;

  /** The names of a row's tags and folder; of our own exports, only the tags outside the description. */
  names({ tagNames, folder, line, isOurs, hasUnreadTags }: FileRow): string[] {
    if (hasUnreadTags) {
      this.#unread ??= { line, count: 0 };
      this.#unread.count++;
    }
    const own = new Set(tagNames.map((tag) => tag.trim()));
    if (isOurs) return [...own].flatMap((tag) => this.#name(tag, line) ?? []);
    for (const name of new Set(folder.unfitNames)) this.#unfitFolders.add(name, line);
    return [...[...own].map((tag) => this.#name(tag, line)), folder.tag].filter((name) => name !== null);
  }

  /** Names that are no valid tags, and tags that were not read: noted once for all bookmarks that have them. */
  notes(): Note[] {
    const unread = this.#unread === undefined ? [] : [unreadTagsNote(this.#unread.line, this.#unread.count)];
    return [...unread, ...this.#changed.notes("tags"), ...this.#unfitFolders.notes("folders")];
  }

  #name(tag: string, line: number): string | null {
    if (tag === "" || tag === ARCHIVED_TAG) return null;
    const name = makeTagName(tag);
    if (name === null || !isSame(tag, name)) this.#changed.add(tag, line);
    return name;
  }
}

/** The number of bookmarks with a name, and the line of the first. */
interface Seen {
  readonly line: number;
  count: number;
}

/** Names that are reported at the end, each once. */
class NoteList {
  readonly #note: (name: string, seen: Seen) => Note;
  readonly #seen = new Map<string, Seen>();
  #length = 0;
  #omitted: Seen | undefined;

  constructor(note: (name: string, seen: Seen) => Note) {
    this.#note = note;
  }

  add(name: string, line: number): void {
    const seen = this.#seen.get(name) ?? this.#first(name, line);
    seen.count++;
  }

  notes(kind: "tags" | "folders"): Note[] {
    const notes = [...this.#seen].map(([name, seen]) => this.#note(name, seen));
    const { line, count } = this.#omitted ?? { line: 0, count: 0 };
    return count === 0 ? notes : [...notes, omittedNotesNote(kind, line, count)];
  }

  #first(name: string, line: number): Seen {
    if (this.#length + name.length > REPORTED_MAX) {
      this.#omitted ??= { line, count: 0 };
      return this.#omitted;
    }
    this.#length += name.length + OVERHEAD;
    const seen = { line, count: 0 };
    this.#seen.set(name, seen);
    return seen;
  }
}

/** Whether a name equals its tag except for white space and a leading `#`. */
function isSame(tag: string, name: string): boolean {
  return tag.replace(/^#+/, "").replace(/\s+/g, "-") === name;
}
