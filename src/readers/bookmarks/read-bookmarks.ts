import { posix } from "node:path";
import { UnreadableFile } from "../files/unreadable-file.ts";
import type { Note } from "../remarks.ts";
import { notABookmarkFile, type SourceFiles } from "./bookmark-files.ts";
import type { FileRow, FormatName, PageText, RowUnit } from "./bookmark-format.ts";
import { cutOff, type StagedRow, stageRow } from "./check-row.ts";
import { trashNote } from "./notes.ts";
import { TagReader } from "./tag-reader.ts";

/** The maximum number of remarks on the files, besides one that there are more. */
const NOTES_MAX = 10_000;

/** Progress is told after so many rows. */
const TELL_EVERY = 1_000;

/** What is known of a file of bookmarks besides its rows. */
export interface BookmarkFacts {
  readonly format: FormatName;
  readonly rowUnit: RowUnit;
  readonly encoding: string;
  /** Notes on the file as a whole. */
  readonly notes: readonly Note[];
  /** Notes on tags, which matter only if they are imported. */
  readonly tagNotes: readonly Note[];
  /** The folder of the browser's toolbar, by its names from the outermost in; null when the file marks none. */
  readonly toolbar: readonly string[] | null;
}

interface ReadingOptions {
  /** The date of bookmarks without one. */
  readonly now: Date;
  /** @param page the text of its page, if the file has one, and what is marked in it; a file by its path in the archive */
  readonly onRow: (row: StagedRow, page: PageText | null, marks: FileRow["marks"]) => void;
  /** Called from time to time with the number of bytes that were read. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Reads and checks the bookmarks of a file, or of the files of an archive.
 * @throws UnreadableFile when it has none
 */
export function readBookmarks(source: SourceFiles, options: ReadingOptions): Promise<BookmarkFacts> {
  return new Reading(source, options).read();
}

class Reading {
  readonly #source: SourceFiles;
  readonly #options: ReadingOptions;
  readonly #tags = new TagReader();
  readonly #notes: Note[];
  readonly #said = new Set<string>();
  #toolbar: readonly string[] | null = null;
  #position = 0;
  /** The number of bookmarks in the trash. */
  #trashed = 0;
  /** Whether none of the files has anything to read. */
  #isEmpty = true;

  constructor(source: SourceFiles, options: ReadingOptions) {
    this.#source = source;
    this.#options = options;
    this.#notes = [...source.notes];
  }

  async read(): Promise<BookmarkFacts> {
    for (const file of this.#source.files) await this.#readFile(file);
    if (this.#trashed > 0) this.#note(trashNote(this.#trashed));
    const butTrash = this.#trashed > 0 ? ", apart from the trash" : "";
    if (this.#position === 0 && !this.#isEmpty) throw new UnreadableFile(`has no bookmarks in it${butTrash}`);
    const { format, rowUnit, encoding } = this.#source;
    const [notes, tagNotes, toolbar] = [this.#notes, this.#tags.notes(), this.#toolbar];
    return { format, rowUnit, encoding, notes, tagNotes, toolbar };
  }

  async #readFile({ path, format, text, notes }: SourceFiles["files"][number]): Promise<void> {
    const { progress } = this.#source;
    this.#notes.push(...notes);
    const summary = await format.read({
      text,
      onRow: (row) => {
        this.#add(row, path);
        if (this.#position % TELL_EVERY === 0) this.#options.onProgress?.(progress.done, progress.total);
      },
      onNote: (note) => this.#note(note),
    });
    if (!summary.isBookmarkFile) throw notABookmarkFile();
    if (!summary.isEmpty) this.#isEmpty = false;
    this.#toolbar ??= summary.toolbar;
    const { unreadFrom, unreadDetail } = summary;
    if (unreadFrom === null) return;
    const position = ++this.#position;
    const line = this.#source.rowUnit === "line" ? unreadFrom : position;
    this.#options.onRow(cutOff(position, line, unreadDetail), null, []);
  }

  #note(note: Note): void {
    // Archives have a file for each bookmark, of which all say the same.
    const said = `${note.line} ${note.code} ${note.detail}`;
    if (this.#said.has(said)) return;
    if (this.#notes.length < NOTES_MAX) this.#said.add(said);
    if (this.#notes.length < NOTES_MAX) this.#notes.push(note);
    else if (this.#notes.length === NOTES_MAX)
      this.#notes.push({ ...note, detail: "There are more remarks of this kind from here on." });
  }

  #add(fileRow: FileRow, path: string): void {
    if (fileRow.isTrashed) {
      this.#trashed++;
      return;
    }
    const { now } = this.#options;
    const position = ++this.#position;
    const line = this.#source.rowUnit === "line" ? fileRow.line : position;
    const row = { ...fileRow, position, line };
    const { page, marks } = fileRow;
    const pathOf = (file: string) => posix.join(path, "..", file);
    const placed =
      page !== null && "file" in page
        ? { file: pathOf(page.file), ...(page.marks !== undefined && { marks: pathOf(page.marks) }) }
        : page;
    this.#options.onRow(stageRow(row, this.#tags.names(row), now), placed, marks);
  }
}
