import type { Label } from "../../decoding/encodings.ts";
import { fileOf } from "../files/file-bytes.ts";
import type { RandomBytes } from "../files/file-tree.ts";
import { openArchive } from "../files/open-archive.ts";
import { singleFile } from "../files/single-file.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import type { Note } from "../import/import-report.ts";
import { type StagedBookmarks, stagedFile } from "../import/staged-file.ts";
import { StagedRecords } from "../import/staged-records.ts";
import type { WantedRows } from "../import/staged-rows.ts";
import { notABookmarkFile, openFiles, type SourceFiles } from "./bookmark-files.ts";
import type { FileRow } from "./bookmark-format.ts";
import { cutOff, stageRow } from "./check-row.ts";
import { TagReader } from "./tag-reader.ts";

export interface StagingOptions extends WantedRows {
  /** The encoding of the file, whatever it states; by default what it states. */
  readonly encoding?: Label | undefined;
  /** The path of a named file for the rows; by default they are in an unnamed one. */
  readonly scratch?: string;
  /** Called from time to time with the number of staged bytes. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Reads and checks a file of any supported format, or an archive of such files, in constant memory. The format is
 * detected from the content. The caller disposes of the result.
 *
 * @throws UnreadableFile when it has no bookmarks in such a format
 * @throws Refusal `storage_full` without room for temporary files
 */
export async function stageImport(
  fileName: string,
  file: Uint8Array | RandomBytes,
  options: StagingOptions,
): Promise<StagedBookmarks> {
  const bytes = file instanceof Uint8Array ? fileOf(file) : file;
  const archive = await openArchive(bytes);
  await using tree = archive ?? singleFile(bytes, fileName);
  const files = await openFiles(tree, archive !== undefined, options.encoding);
  const records = await stageFiles(files, options);
  return stagedFile(records, { fileName, now: options.now, tags: options.tags }) as StagedBookmarks;
}

async function stageFiles(files: SourceFiles, options: StagingOptions): Promise<StagedRecords> {
  const staging = await new Staging(files, options).read();
  return staging.finish();
}

/** The maximum number of remarks on the files, besides one that there are more. */
const NOTES_MAX = 10_000;

/** Progress is told after so many rows. */
const TELL_EVERY = 1_000;

/** One reading of a file, or of the files of an archive. */
class Staging {
  readonly records: StagedRecords;
  readonly #source: SourceFiles;
  readonly #options: StagingOptions;
  readonly #tags = new TagReader();
  readonly #notes: Note[];
  #toolbar: readonly string[] | null = null;
  #position = 0;
  /** Whether none of the files has anything to read. */
  #isEmpty = true;

  constructor(source: SourceFiles, options: StagingOptions) {
    this.records = new StagedRecords({ scratch: options.scratch });
    this.#source = source;
    this.#options = options;
    this.#notes = [...source.notes];
  }

  async read(): Promise<this> {
    try {
      for (const file of this.#source.files) await this.#readFile(file);
      if (this.#position === 0 && !this.#isEmpty) throw new UnreadableFile("has no bookmarks in it");
      return this;
    } catch (error) {
      this.records[Symbol.dispose]();
      throw error;
    }
  }

  async #readFile({ format, text, notes }: SourceFiles["files"][number]): Promise<void> {
    const { progress } = this.#source;
    this.#notes.push(...notes);
    const summary = await format.read({
      text,
      onRow: (row) => {
        this.#add(row);
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
    this.records.addRow(cutOff(position, line, unreadDetail));
  }

  #note(note: Note): void {
    if (this.#notes.length < NOTES_MAX) this.#notes.push(note);
    else if (this.#notes.length === NOTES_MAX)
      this.#notes.push({ ...note, detail: "There are more remarks of this kind from here on." });
  }

  #add(fileRow: FileRow): void {
    const { now } = this.#options;
    const position = ++this.#position;
    const line = this.#source.rowUnit === "line" ? fileRow.line : position;
    const row = { ...fileRow, position, line };
    this.records.addRow(stageRow(row, this.#tags.names(row), now));
  }

  finish(): StagedRecords {
    const { records } = this;
    const { format, rowUnit, encoding } = this.#source;
    records.bookmarkRows.index();
    const [notes, tagNotes, toolbar] = [this.#notes, this.#tags.notes(), this.#toolbar];
    records.about = { format, rowUnit, encoding, notes, tagNotes, toolbar };
    return records;
  }
}
