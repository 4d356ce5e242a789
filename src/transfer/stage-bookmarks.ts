import { PICTURES } from "../copies/copy.ts";
import type { Label } from "../decoding/encodings.ts";
import { limits } from "../limits.ts";
import { openFiles } from "../readers/bookmarks/bookmark-files.ts";
import { marksInMarkdown } from "../readers/bookmarks/marks.ts";
import { otherFilesNote } from "../readers/bookmarks/notes.ts";
import { readPage } from "../readers/bookmarks/page-files.ts";
import { readBookmarks } from "../readers/bookmarks/read-bookmarks.ts";
import { fileOf } from "../readers/files/file-bytes.ts";
import { type FileTree, type RandomBytes, readTreeFile } from "../readers/files/file-tree.ts";
import { openArchive } from "../readers/files/open-archive.ts";
import { singleFile } from "../readers/files/single-file.ts";
import type { Note } from "../readers/remarks.ts";
import { type StagedBookmarks, stagedFile } from "./import/staged-file.ts";
import { StagedRecords } from "./import/staged-records.ts";
import type { WantedRows } from "./import/staged-rows.ts";

/** The bytes of a file of marks. */
const MARKS_MAX = 4 * 1024 * 1024;

/** Reads the texts and marks that are in separate files. @returns notes on files that belong to no bookmark, or cannot be read */
async function readTexts(tree: FileTree, pages: readonly string[], records: StagedRecords): Promise<Note[]> {
  const { texts } = records;
  const read = new Set<string>();
  const max = limits().copyBytes;
  for (const { number, position, file, marks } of texts.files()) {
    const size = tree.sizes.get(file);
    if (size === undefined) texts.remove(number);
    else if (size > max) texts.settle(number, { refusal: "too_large" });
    else texts.settle(number, await readPage(tree, file, { html: max, ...PICTURES }, read));
    read.add(file);
    if ((tree.sizes.get(marks) ?? MARKS_MAX + 1) > MARKS_MAX) continue;
    records.addMarks(position, marksInMarkdown((await readTreeFile(tree, marks, MARKS_MAX)).toString()));
    read.add(marks);
  }
  const left = pages.filter((path) => !read.has(path));
  const [first] = left;
  return first === undefined ? [] : [otherFilesNote(left.length, first)];
}

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
  const { now, tags, scratch, onProgress } = options;
  const records = new StagedRecords({ scratch });
  try {
    const facts = await readBookmarks(files, {
      ...{ now, onProgress },
      onRow: (row, page, marks) => records.addRow(row, page, marks),
    });
    const left = await readTexts(tree, files.pages, records);
    records.about = { ...facts, notes: [...facts.notes, ...left] };
    records.bookmarkRows.index();
    return stagedFile(records, { fileName, now, tags }) as StagedBookmarks;
  } catch (error) {
    records[Symbol.dispose]();
    throw error;
  }
}
