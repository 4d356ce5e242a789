import { isArchive, readArchive } from "./archive/read-archive.ts";
import { findBlogger, isBlogger, readBlogger } from "./blogger/read-blogger.ts";
import { recognizeLinkList } from "./bookmarks/links/link-list.ts";
import { BEGINNING as LINKS_BEGINNING } from "./bookmarks/recognize.ts";
import { isDisqus, readDisqus } from "./disqus/read-disqus.ts";
import { isFeed, readFeed } from "./feed/read-feed.ts";
import type { FileTree, RandomBytes } from "./files/file-tree.ts";
import { openFolder } from "./files/folder-files.ts";
import { openArchive } from "./files/open-archive.ts";
import { beginningOf, singleFile, xmlBeginning } from "./files/single-file.ts";
import { UnreadableFile } from "./files/unreadable-file.ts";
import { isFullJson, readFullJson } from "./full-json/read-full-json.ts";
import { findGhost, isGhost, readGhost } from "./ghost/read-ghost.ts";
import { noteNotShown } from "./html/not-shown.ts";
import type { SiteFormat } from "./import/import-report.ts";
import type { LastIds } from "./import/import-run.ts";
import { type StagedSite, stagedFile } from "./import/staged-file.ts";
import { StagedRecords } from "./import/staged-records.ts";
import { hasMarkdown, markdownFiles, readMarkdown } from "./markdown/read-markdown.ts";
import { findMedium, readMedium } from "./medium/read-medium.ts";
import { findLinkedPictures } from "./pictures/linked-pictures.ts";
import { findSubstack, readSubstack } from "./substack/read-substack.ts";
import { findTables, readTable } from "./tables/read-table.ts";
import { findWordPress, readWordPress } from "./wordpress/read-wordpress.ts";
import { isWxr } from "./wordpress/wxr-items.ts";

/** The formats of blogs, for the message about other files. */
export const BLOGS_READ =
  "exports of Ghost, WordPress, Squarespace, Blogger, Medium, Substack, Buttondown, Beehiiv, Wix and Disqus, Markdown files, and feeds (RSS or Atom). From another program, take its export for WordPress or as Markdown, or else save its feed as a file";

/** The number of bytes inspected to detect the format of a file. */
const BEGINNING = 4 * 1024;

/** The same for XML, which may begin with a long comment. */
const XML_BEGINNING = 16 * 1024;

/** A reader of a format. */
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
async function sourceOf(tree: FileTree, now: Date, folder = ""): Promise<Source | undefined> {
  if (isArchive(tree)) return { format: "archive", read: (records) => readArchive(tree, records) };
  const [only] = tree.sizes.keys();
  const isAlone = tree.sizes.size === 1 && only !== undefined;
  const ghost = isAlone && isGhost(await beginningOf(tree, only, BEGINNING)) ? only : await findGhost(tree);
  if (ghost !== undefined) return foreign("ghost", (records) => readGhost(tree, ghost, records, now));
  const isExport = isAlone && isWxr(await xmlBeginning(tree, only, XML_BEGINNING));
  const exports = isExport ? [only] : await findWordPress(tree);
  if (exports.length > 0)
    return foreign("wordpress", (records) => readWordPress(tree, exports, records, now));
  const isBackup = isAlone && isBlogger(await xmlBeginning(tree, only, XML_BEGINNING));
  const feeds = isBackup ? [only] : await findBlogger(tree);
  if (feeds.length > 0) return foreign("blogger", (records) => readBlogger(tree, feeds, records, now));
  if (isAlone && isDisqus(await xmlBeginning(tree, only, XML_BEGINNING)))
    return foreign("disqus", (records) => readDisqus(tree, only, records, now));
  if (isAlone && isFeed(await xmlBeginning(tree, only, XML_BEGINNING)))
    return foreign("feed", (records) => readFeed(tree, only, records, now));
  const substack = await findSubstack(tree);
  if (substack !== undefined)
    return foreign("substack", (records) => readSubstack(tree, substack, records, now));
  const tables = await findTables(tree);
  if (tables[0] !== undefined)
    return foreign(tables[0].format.name, async (records) => {
      for (const table of tables) await readTable(tree, table, records, now);
    });
  const medium = await findMedium(tree);
  if (medium.length > 0) return foreign("medium", (records) => readMedium(tree, medium, records, now));
  // Bookmarks, which the other importer takes: as a post they would be text.
  if (isAlone && recognizeLinkList(await beginningOf(tree, only, LINKS_BEGINNING), LINKS_BEGINNING))
    return undefined;
  if (hasMarkdown(tree)) return foreign("markdown", (records) => readMarkdown(tree, records, now, folder));
  return undefined;
}

/** Records of other programs do not keep their ids. */
function foreign(format: SiteFormat, read: (records: StagedRecords) => Promise<void>): Source {
  return { format, read: (records) => read(records).then(() => ({})) };
}
