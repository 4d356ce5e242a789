import { printable } from "../../printable.ts";
import { type FileBytes, fileOf, watchedFile } from "../files/file-bytes.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import type { Note } from "../import/import-report.ts";
import type { Label } from "../reading/encodings.ts";
import type { Archive, NamedFile } from "./archive.ts";
import type { BookmarkFormat, FormatName, RowUnit } from "./bookmark-format.ts";
import { decodeBookmarkFile, decodeUtf8, type FileText } from "./file-text.ts";
import { badBytesNote, encodingNote, otherEncodingNote, otherFileNote, otherFilesNote } from "./notes.ts";
import { BEGINNING, FORMATS_READ, hasBookmarkList, recognize } from "./recognize.ts";

/** A file whose format is known. */
export interface SourceFile {
  /** The format, with details of this file such as the order of its columns. */
  readonly format: BookmarkFormat;
  readonly text: FileText;
  readonly notes: readonly Note[];
  /** The number of bytes read of this file and those before it. */
  readonly progress: { readonly done: number };
}

/** All files of an import: one, or those of an archive, in one format. */
export interface SourceFiles {
  readonly format: FormatName;
  readonly rowUnit: RowUnit;
  readonly encoding: string;
  /** Their total number of bytes. */
  readonly total: number;
  readonly files: readonly SourceFile[];
}

/**
 * @param encoding the chosen one, whatever the file states
 * @throws UnreadableFile when its format is not supported
 */
export function openFile({ bytes }: NamedFile, encoding?: Label): SourceFiles {
  refuseBinary(bytes);
  const { bytes: watched, progress } = counted(bytes, 0);
  const { format, text, notes } = recognizeFile(watched, encoding);
  return {
    ...{ format: format.name, rowUnit: format.rowUnit, encoding: text.encoding, total: bytes.size },
    files: [{ format, text, notes, progress }],
  };
}

/**
 * The files of an archive that have bookmarks in the format of the first one, and notes about the others.
 * @throws UnreadableFile when none has
 */
export function openFiles(
  { files, others }: Archive,
  encoding?: Label,
): {
  readonly files: SourceFiles;
  readonly notes: Note[];
} {
  const [first] = files;
  if (first === undefined && others.archive !== undefined)
    throw new UnreadableFile(`has another archive in it, ${printable(others.archive)}: unpack it first`);
  if (first === undefined && others.first === "commonplace.json")
    throw new UnreadableFile("is an archive of everything, with posts: import it as a blog", {
      formats: FORMATS_READ,
    });
  if (first === undefined)
    throw new UnreadableFile("is an archive without bookmarks", { formats: FORMATS_READ });
  const { format, text } = recognizeFile(first.bytes, encoding);
  const opened: SourceFile[] = [];
  const notes: Note[] = [];
  let total = 0;
  for (const { name, bytes } of files) {
    const { bytes: watched, progress } = counted(bytes, total);
    const found = recognizeFile(watched, encoding);
    if (found.format.name !== format.name) {
      notes.push(otherFileNote(name));
      continue;
    }
    opened.push({ ...found, progress });
    total += bytes.size;
  }
  if (others.count > 0) notes.push(otherFilesNote(others));
  const about = { format: format.name, rowUnit: "bookmark", encoding: text.encoding } as const;
  return { files: { ...about, total, files: opened }, notes };
}

/** Whether the first bytes of a file in an archive are those of a bookmark file. */
export function isBookmarkFile(beginning: Uint8Array): boolean {
  const text = beginningOf(decodeBookmarkFile(fileOf(beginning)));
  const format = recognize(text);
  return format !== undefined && (format.name !== "netscape" || hasBookmarkList(text));
}

export function notABookmarkFile(): UnreadableFile {
  return new UnreadableFile("is not a bookmark export", { formats: FORMATS_READ });
}

interface RecognizedFile {
  readonly format: BookmarkFormat;
  readonly text: FileText;
  readonly notes: readonly Note[];
}

function recognizeFile(file: FileBytes, encoding: Label | undefined): RecognizedFile {
  const text = decodeBookmarkFile(file, encoding);
  const format = recognize(beginningOf(text));
  if (format === undefined) throw notABookmarkFile();
  const isUnicode = text.strayLines.length === 0 && text.encoding.startsWith("utf-");
  if (!format.isUtf8 || isUnicode) {
    const remarks = text.remark === undefined ? [] : [encodingNote(text.remark)];
    return { format, text, notes: [...remarks, ...text.strayLines.map(otherEncodingNote)] };
  }
  const decoded = decodeUtf8(file);
  return { format, text: decoded, notes: decoded.isDamaged ? [badBytesNote(decoded.encoding)] : [] };
}

function beginningOf(text: FileText): string {
  let beginning = "";
  for (const piece of text.pieces()) {
    beginning += piece;
    if (beginning.length >= BEGINNING) break;
  }
  return beginning.slice(0, BEGINNING);
}

/** Unsupported files of bookmarks, by their first bytes, with instructions. */
const BINARIES: Readonly<Record<string, string>> = {
  "mozLz40\0":
    "is a compressed backup of Firefox (.jsonlz4), which is not supported: in Firefox, choose Bookmarks, Manage bookmarks, Import and Backup, Backup…, and save it as .json",
  "SQLite format 3\0": "is a database: export the bookmarks from the program that it belongs to",
  "\x1f\x8b": "is compressed: unpack it first",
  // bzip2, xz, Zstandard, 7z and RAR.
  BZh: "is compressed: unpack it first",
  "\xfd7zXZ": "is compressed: unpack it first",
  "\x28\xb5\x2f\xfd": "is compressed: unpack it first",
  "7z\xbc\xaf": "is an archive of a kind that is not read: unpack it, and zip the files",
  "Rar!\x1a": "is an archive of a kind that is not read: unpack it, and zip the files",
};

function refuseBinary(file: FileBytes): void {
  const buffer = new Uint8Array(16);
  const length = file.readAt(buffer, 0);
  const start = Buffer.from(buffer.subarray(0, length)).toString("latin1");
  for (const [magic, reason] of Object.entries(BINARIES))
    if (start.startsWith(magic)) throw new UnreadableFile(reason);
}

/** The same file, with how far it was read. @param before the bytes of the files before it */
function counted(file: FileBytes, before: number) {
  const progress = { done: before };
  const watched = watchedFile(file, (_, end) => {
    progress.done = before + end;
  });
  return { bytes: watched, progress };
}
