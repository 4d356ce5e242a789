import { type Label, markedEncoding } from "../../decoding/encodings.ts";
import { printable } from "../../printable.ts";
import type { FileTree } from "../files/file-tree.ts";
import { firstBytes } from "../files/single-file.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import { type Bytes, decodeBookmarkFile, decodeUtf8, type FileText } from "../reading/file-text.ts";
import type { Note } from "../remarks.ts";
import type { BookmarkFormat, FormatName, RowUnit } from "./bookmark-format.ts";
import { encodingNote, otherEncodingNote, otherFileNote, otherFilesNote } from "./notes.ts";
import { BEGINNING, FORMATS_READ, hasBookmarkList, isUnread, recognize } from "./recognize.ts";

/** A file whose format is known. */
interface SourceFile {
  readonly path: string;
  /** The format, with details of this file such as the order of its columns. */
  readonly format: BookmarkFormat;
  readonly text: FileText;
  readonly notes: readonly Note[];
}

/** All files of an import: one, or those of an archive, in one format. */
export interface SourceFiles {
  readonly format: FormatName;
  readonly rowUnit: RowUnit;
  readonly encoding: string;
  readonly files: readonly SourceFile[];
  /** The paths of the texts of pages in an archive, and of what belongs to them. */
  readonly pages: readonly string[];
  /** On files of an archive that are not among them. */
  readonly notes: readonly Note[];
  /** The number of bytes that were read, and their total. */
  readonly progress: { readonly done: number; readonly total: number };
}

/** The maximum total size of an archive's files of bookmarks, in bytes; the same as that of a single file. */
const UNPACKED_MAX = 512 * 1024 * 1024;
/** The maximum number of files. */
const FILES_MAX = 10_000;

const ARCHIVE_NAME = /\.(?:zip|tar|t?gz|tbz2?|bz2|txz|xz|7z|rar)$/i;

/** How much of a file of an archive is read to find out whether it has bookmarks, in bytes. */
const LOOKED_AT = 64 * 1024;

/**
 * The file of a tree, or the files of an archive that have bookmarks in the format of the first one.
 *
 * @param encoding the chosen one, whatever a file states
 * @param max the maximum total size of an archive's files of bookmarks; another one is for tests
 * @throws StartError when an archive is damaged
 * @throws UnreadableFile when the format is not supported, no file has bookmarks, or they are far too large
 */
export async function openFiles(
  tree: FileTree,
  isArchive: boolean,
  encoding?: Label,
  max = UNPACKED_MAX,
): Promise<SourceFiles> {
  const { paths, notes, pages } = isArchive
    ? await bookmarkFiles(tree, max)
    : { paths: [...tree.sizes.keys()], notes: [], pages: [] };
  const files: SourceFile[] = [];
  const others: Note[] = [];
  const progress = { done: 0, total: 0 };
  for (const path of paths) {
    if (!isArchive) refuseBinary(await firstBytes(tree, path, 16));
    const before = progress.total;
    const bytes: Bytes = async () => counted(await tree.stream(path), before, progress);
    const found = await recognizeFile(bytes, encoding);
    if (found.format.name !== (files[0] ?? found).format.name) others.push(otherFileNote(path));
    else {
      files.push({ ...found, path });
      progress.total += tree.sizes.get(path) ?? 0;
    }
  }
  const [first] = files;
  if (first === undefined) throw notABookmarkFile();
  const { format, text } = first;
  const rowUnit = isArchive ? "bookmark" : format.rowUnit;
  return {
    ...{ format: format.name, rowUnit, encoding: text.encoding, files, progress, pages },
    notes: [...others, ...notes],
  };
}

async function* counted(
  stream: AsyncIterable<Uint8Array>,
  before: number,
  progress: { done: number },
): AsyncGenerator<Uint8Array> {
  progress.done = before;
  for await (const piece of stream) {
    progress.done += piece.length;
    yield piece;
  }
}

/**
 * Where archives have texts of pages, with their pictures, beside files of bookmarks: they may look like lists of links. Of each,
 * a file that only such an archive has, with the folder that all are in, the texts below that folder, and what of them says
 * nothing to people.
 */
const TEXTS_OF = [
  // Omnivore.
  { mark: /^(.*\/)?metadata_\d+_to_\d+\.json$/, texts: /^content\/|^highlights\// },
  // Readeck (internal/portability/export.go in its source).
  {
    mark: /^(.*\/)?bookmarks\/[^/]+\/info\.json$/,
    texts: /^bookmarks\/[^/]+\/container\//,
    logs: /\/container\/(?:log|props\.json)$/,
  },
];

/** The files of an archive that have texts of pages, and those of them that are worth a word. */
function textFiles(all: readonly string[]): { texts: ReadonlySet<string>; pages: string[] } {
  for (const { mark, texts, logs } of TEXTS_OF)
    for (const path of all) {
      const [isMark, folder = ""] = mark.exec(path) ?? [];
      if (isMark === undefined) continue;
      const found = all.filter((one) => one.startsWith(folder) && texts.test(one.slice(folder.length)));
      return { texts: new Set(found), pages: found.filter((one) => !logs?.test(one)) };
    }
  return { texts: new Set(), pages: [] };
}

interface ArchivedFiles {
  readonly paths: string[];
  readonly notes: Note[];
  readonly pages: string[];
}

/** The files of an archive that may have bookmarks, and a note about the others. */
async function bookmarkFiles(tree: FileTree, max: number): Promise<ArchivedFiles> {
  const all = [...tree.sizes.keys()];
  const { texts, pages } = textFiles(all);
  if (all.length - texts.size > FILES_MAX) throw tooLarge();
  const paths: string[] = [];
  const others: string[] = [];
  for (const path of all)
    if (texts.has(path)) continue;
    else if (isBookmarkFile(await firstBytes(tree, path, LOOKED_AT))) paths.push(path);
    else others.push(path);
  const size = paths.reduce((sum, path) => sum + (tree.sizes.get(path) ?? 0), 0);
  if (size > max) throw tooLarge();
  const [first] = others;
  if (paths.length > 0)
    return {
      ...{ paths, pages },
      notes: first === undefined ? [] : [otherFilesNote(others.length, first)],
    };
  const archive = others.find((path) => ARCHIVE_NAME.test(path));
  if (archive !== undefined)
    throw new UnreadableFile(`has another archive in it, ${printable(archive)}: unpack it first`);
  const what =
    first === "commonplace.json"
      ? "is an archive of everything, with posts: import it as a blog"
      : "is an archive without bookmarks";
  throw new UnreadableFile(what, { formats: FORMATS_READ });
}

function tooLarge(): UnreadableFile {
  return new UnreadableFile("is an archive of more than 512 MiB or 10,000 files: too large for bookmarks");
}

/** Whether the first bytes of a file in an archive are those of a bookmark file. */
function isBookmarkFile(beginning: Uint8Array): boolean {
  if (beginning.length === 0) return false;
  const text = new TextDecoder(markedEncoding(beginning) ?? "utf-8").decode(beginning);
  const format = recognize(text);
  if (format === undefined || isUnread(format)) return false;
  return format.name !== "netscape" || hasBookmarkList(text);
}

export function notABookmarkFile(): UnreadableFile {
  return new UnreadableFile("is not a bookmark export", { formats: FORMATS_READ });
}

async function recognizeFile(bytes: Bytes, encoding: Label | undefined): Promise<Omit<SourceFile, "path">> {
  const text = await decodeBookmarkFile(bytes, encoding);
  const format = recognize(await beginningOf(text));
  if (format === undefined) throw notABookmarkFile();
  if (isUnread(format)) throw new UnreadableFile(format.unread);
  const isUnicode = text.strayLines.length === 0 && text.encoding.startsWith("utf-");
  if (!format.isUtf8 || isUnicode) {
    const remarks = text.remark === undefined ? [] : [encodingNote("encoding", text.remark)];
    return { format, text, notes: [...remarks, ...text.strayLines.map(otherEncodingNote)] };
  }
  const decoded = await decodeUtf8(bytes);
  return {
    ...{ format, text: decoded },
    notes: decoded.remark === undefined ? [] : [encodingNote("bad_bytes", decoded.remark)],
  };
}

async function beginningOf(text: FileText): Promise<string> {
  let beginning = "";
  for await (const piece of text.pieces()) {
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

function refuseBinary(beginning: Buffer): void {
  const start = beginning.toString("latin1");
  for (const [magic, reason] of Object.entries(BINARIES))
    if (start.startsWith(magic)) throw new UnreadableFile(reason);
}
