import type { FileTree, RandomBytes } from "../readers/files/file-tree.ts";
import { openFolder } from "../readers/files/folder-files.ts";
import { openArchive } from "../readers/files/open-archive.ts";
import { beginningOf, singleFile } from "../readers/files/single-file.ts";
import { UnreadableFile } from "../readers/files/unreadable-file.ts";
import { noteNotShown } from "../readers/html/not-shown.ts";
import { markdownFiles } from "../readers/markdown/read-markdown.ts";
import { findLinkedPictures } from "../readers/pictures/linked-pictures.ts";
import { recognizeBlog } from "../readers/recognize-blog.ts";
import { isArchive, readArchive } from "./archive/read-archive.ts";
import { isFullJson, readFullJson } from "./full-json/read-full-json.ts";
import type { LastIds } from "./import/file-facts.ts";
import type { SiteFormat } from "./import/import-report.ts";
import { type StagedSite, stagedFile } from "./import/staged-file.ts";
import { StagedRecords } from "./import/staged-records.ts";

/** The number of bytes inspected to detect our own JSON. */
const BEGINNING = 4 * 1024;

/** A file whose format is known. */
interface Source {
  readonly format: SiteFormat;
  /** @returns the last ids of the records' database, if the records may keep their ids */
  read(records: StagedRecords): Promise<LastIds>;
}

export interface StagingOptions {
  /** The file's name without its folder; `-` for the standard input. */
  readonly fileName: string;
  readonly now: Date;
  /** The maximum number of unpacked bytes of an archive, whatever its size. */
  readonly unpackedMax?: number;
  /** Leaves our own JSON to the importer of bookmarks. */
  readonly bookmarksAlone?: boolean;
  /** The path of a named file for the records; by default they are in an unnamed one. */
  readonly scratch?: string;
  /** Called with the number of records read so far, after each. */
  readonly onRecord?: (count: number) => void;
}

/**
 * Reads and checks an export of another program or an archive, in constant memory. The format is detected from the
 * content, not from the name. The caller disposes of the result.
 * @returns undefined when the format is none of these
 * @throws UnreadableFile when it has nothing to import
 * @throws StartError when it is damaged
 */
export async function stageSite(
  bytes: RandomBytes,
  options: StagingOptions,
): Promise<StagedSite | undefined> {
  await using tree = (await openArchive(bytes, options.unpackedMax)) ?? singleFile(bytes, options.fileName);
  const own = options.bookmarksAlone ? undefined : await ownJson(tree, bytes);
  const source = own ?? (await sourceOf(tree, options.now));
  return source && (await stage(tree, source, options));
}

/** Our own JSON, which is in no archive. */
async function ownJson(tree: FileTree, bytes: RandomBytes): Promise<Source | undefined> {
  const [only] = tree.sizes.keys();
  if (only === undefined || tree.sizes.get(only) !== bytes.size) return undefined;
  if (!isFullJson(await beginningOf(tree, only, BEGINNING), bytes)) return undefined;
  return { format: "everything", read: (records) => readFullJson(tree, only, records).then(() => ({})) };
}

/**
 * The same for a folder.
 * @returns undefined when it has no posts
 */
export async function stageFolder(folder: string, options: StagingOptions): Promise<StagedSite | undefined> {
  await using tree = await openFolder(folder);
  const source = await sourceOf(tree, options.now, options.fileName);
  return source && (await stage(tree, source, options));
}

/** Formats whose posts link to pictures at other sites because their authors wanted that. */
const OWN: ReadonlySet<SiteFormat> = new Set(["archive", "everything"]);

/** Formats whose reader reads or has made the Markdown that is in the same archive. */
const READ_MARKDOWN: ReadonlySet<SiteFormat> = new Set([...OWN, "markdown"]);

function noteMarkdown(tree: FileTree, records: StagedRecords): void {
  const [first, ...more] = markdownFiles(tree);
  if (first === undefined) return;
  const files = more.length === 0 ? "1 file" : `${more.length + 1} files`;
  const detail = `Not read: ${files} of Markdown beside the export. Import them on their own.`;
  records.note({ file: first, line: 1, code: "not_taken", detail });
}

async function stage(tree: FileTree, source: Source, options: StagingOptions): Promise<StagedSite> {
  const { fileName, now, onRecord, scratch } = options;
  const records = new StagedRecords({ onRecord, scratch });
  try {
    records.about = { format: source.format, lastIds: await source.read(records) };
    // An empty site of our own has an archive, too.
    if (records.total === 0 && !OWN.has(source.format)) throw new UnreadableFile("has no posts in it");
    if (!READ_MARKDOWN.has(source.format)) noteMarkdown(tree, records);
    for (const note of records.missingWords.notes) records.note(note);
    if (!OWN.has(source.format)) {
      findLinkedPictures(records);
      noteNotShown(records);
    }
    return stagedFile(records, { fileName, now, tags: true }) as StagedSite;
  } catch (error) {
    records[Symbol.dispose]();
    throw error;
  }
}

/** @param folder the name of the folder, which no path has */
async function sourceOf(tree: FileTree, now: Date, folder?: string): Promise<Source | undefined> {
  if (isArchive(tree)) return { format: "archive", read: (records) => readArchive(tree, records) };
  const blog = await recognizeBlog(tree, now, folder);
  // Records of other programs do not keep their ids.
  return blog && { format: blog.format, read: (records) => blog.read(records).then(() => ({})) };
}
