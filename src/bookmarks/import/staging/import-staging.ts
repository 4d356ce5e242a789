import { setImmediate } from "node:timers/promises";
import { countCodePoints } from "../../../text.ts";
import { TITLE_MAX } from "../../bookmark.ts";
import { parseWebUrl } from "../../web-url.ts";
import { type FileBytes, fileOf } from "../file-bytes.ts";
import {
  type FileRow,
  type FileSummary,
  hasTerms,
  NetscapeReader,
  type TagSeparator,
} from "../formats/netscape.ts";
import { folderNote, rowNotes, shortenedTitleNote, strayLineNote } from "../import-notes.ts";
import type { Note } from "../import-report.ts";
import { decodeBookmarkFile, type FileText } from "../import-text.ts";
import { readDate } from "./import-date.ts";
import { TagReader } from "./import-tags.ts";
import {
  DESCRIPTION_MAX,
  describeBookmark,
  isTooLong,
  type SourceRow,
  type StagedRow,
} from "./staged-row.ts";
import { StagedRows } from "./staged-rows.ts";

/** A whole file, read and checked: all that an import can do before it needs the database. */
export interface StagedImport extends Disposable {
  readonly fileName: string;
  readonly encoding: string;
  /** The time of the import. */
  readonly now: Date;
  readonly rows: StagedRows;
  /** What is to be told of the file besides its rows. */
  readonly notes: readonly Note[];
}

export interface StagingOptions {
  readonly now: Date;
  /** Whether tags and folders go on the tag line of the description; those of our own exports never do. */
  readonly tags: boolean;
  /** Told now and then how many of the file's bytes are staged. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Reads and checks a bookmark file, in memory that does not grow with it. The caller disposes of the result.
 * @returns null when it is none
 */
export async function stageImport(
  fileName: string,
  file: Uint8Array | FileBytes,
  options: StagingOptions,
): Promise<StagedImport | null> {
  const counted = new CountedFile(file instanceof Uint8Array ? fileOf(file) : file);
  const text = decodeBookmarkFile(counted.file);
  const separator = likelySeparator(text.pieces());
  const staging = new Staging(text, options, separator);
  const summary = await staging.read(counted);
  if (!summary.isBookmarkFile) {
    staging.rows[Symbol.dispose]();
    return null;
  }
  if (summary.tagSeparator === separator || !options.tags) return staging.finish(fileName);
  staging.rows[Symbol.dispose]();
  // Which one it is shows only at the end of the file.
  const again = new Staging(text, options, summary.tagSeparator);
  await again.read(counted);
  return again.finish(fileName);
}

/** How much of a file is looked at to guess what separates its tags. */
const GUESS_FROM = 256 * 1024;

function likelySeparator(pieces: Iterable<string>): TagSeparator {
  let length = 0;
  for (const piece of pieces) {
    if (/\stags\s*=\s*(?:"[^"]*,|'[^']*,)/i.test(piece)) return "comma";
    length += piece.length;
    if (length > GUESS_FROM) break;
  }
  return "space";
}

/** A file that tells how far it was read. */
class CountedFile {
  readonly file: FileBytes;
  read = 0;

  constructor(file: FileBytes) {
    const start = () => {
      this.read = 0;
    };
    const count = (length: number) => {
      this.read += length;
    };
    this.file = {
      size: file.size,
      *pieces() {
        start();
        for (const piece of file.pieces()) {
          count(piece.length);
          yield piece;
        }
      },
    };
  }
}

/** One reading of a file. */
class Staging {
  readonly rows = new StagedRows();
  readonly #text: FileText;
  readonly #options: StagingOptions;
  readonly #tags: TagReader;
  readonly #notes: Note[];
  #position = 0;

  constructor(text: FileText, options: StagingOptions, separator: TagSeparator) {
    this.#text = text;
    this.#options = options;
    this.#tags = new TagReader(separator);
    this.#notes = text.strayLines.map(strayLineNote);
  }

  async read(counted: CountedFile): Promise<FileSummary> {
    const { now, tags, onProgress } = this.#options;
    const reader = new NetscapeReader(hasTerms(this.#text.pieces()), {
      onRow: (row) => {
        const names = tags && !row.isOurs ? this.#tags.names(row) : [];
        this.rows.add(stageRow(row, names, now));
        this.#position = row.position;
      },
      onDescribedFolder: (folder) => this.#notes.push(folderNote(folder)),
    });
    for (const piece of this.#text.pieces()) {
      reader.write(piece);
      onProgress?.(counted.read, counted.file.size);
      await setImmediate();
    }
    const summary = reader.end();
    if (summary.unreadFrom !== null) this.rows.add(cutOff(this.#position + 1, summary.unreadFrom));
    return summary;
  }

  finish(fileName: string): StagedImport {
    const { rows } = this;
    rows.index();
    return {
      fileName,
      encoding: this.#text.encoding,
      now: this.#options.now,
      rows,
      notes: [...this.#notes, ...this.#tags.notes()],
      [Symbol.dispose]: () => rows[Symbol.dispose](),
    };
  }
}

function stageRow(fileRow: FileRow, tags: readonly string[], now: Date): StagedRow {
  const row = sourceOf(fileRow);
  const url = row.url.trim() === "" ? { error: NO_ADDRESS } : parseWebUrl(row.url);
  if ("error" in url) return { row, refusal: url.error };
  const wholeTitle = oneLine(row.title);
  const title = shortTitle(wholeTitle);
  const text = title === wholeTitle ? fileRow.description : `${wholeTitle}\n${fileRow.description}`.trimEnd();
  const date = readDate(row.date, now);
  const [createdAt, dateNote] = typeof date === "string" ? [now, date] : [date, null];
  const bookmark = describeBookmark({ url: url.href, title, text, tags, states: fileRow.states, createdAt });
  if (isTooLong(bookmark)) {
    const bytes = Buffer.byteLength(bookmark.description);
    const detail = `The description may have at most ${DESCRIPTION_MAX} bytes; this has ${bytes}.`;
    return { row, refusal: { code: "too_long", detail } };
  }
  const notes = rowNotes(fileRow, dateNote);
  if (title !== wholeTitle) notes.push(shortenedTitleNote(row.line, TITLE_MAX));
  return { row, bookmark, notes };
}

function sourceOf({ position, line, url, title, tags, date, folder }: FileRow): SourceRow {
  return { position, line, url, title, tags, date, folders: folder.path };
}

const NO_ADDRESS = { code: "missing", detail: "No address." } as const;

/** A title is one line: line breaks in it come from the file's layout. */
function oneLine(text: string): string {
  if (!text.includes("\n")) return text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** A title as it can be stored; of a longer one the beginning, and an ellipsis. */
function shortTitle(title: string): string {
  if (countCodePoints(title) <= TITLE_MAX) return title;
  const start = Array.from(title).slice(0, TITLE_MAX - 1);
  return `${start.join("").trimEnd()}…`;
}

/** The part of a file that cannot be read, as a row of its own, so that it counts as refused. */
function cutOff(position: number, line: number): StagedRow {
  const row: SourceRow = { position, line, url: "", title: "", tags: null, date: null, folders: [] };
  const detail = "An HTML tag or comment that starts here never ends: nothing after it was read.";
  return { row, refusal: { code: "cut_off", detail } };
}
