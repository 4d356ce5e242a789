import { isArchive, readArchive } from "./archive/read-archive.ts";
import type { FileTree, RandomBytes } from "./files/file-tree.ts";
import { openFolder } from "./files/folder-files.ts";
import { beginningOf, singleFile } from "./files/single-file.ts";
import { openTar } from "./files/tar-files.ts";
import { openZip } from "./files/zip-files.ts";
import { findGhost, isGhost, readGhost } from "./ghost/read-ghost.ts";
import type { StagedSite } from "./import/import-records.ts";
import type { SiteFormat } from "./import/import-report.ts";
import type { LastIds } from "./import/import-run.ts";
import { StagedRecords } from "./import/staged-records.ts";
import { hasMarkdown, readMarkdown } from "./markdown/read-markdown.ts";
import { findWordPress, readWordPress } from "./wordpress/read-wordpress.ts";
import { isWxr } from "./wordpress/wxr-items.ts";

/** The inspected bytes of a file, which determine its format. */
const BEGINNING = 4 * 1024;

/** The same for XML, which may begin with a long comment. */
const WXR_BEGINNING = 16 * 1024;

/** What reads the files of a format. */
interface Source {
  readonly format: SiteFormat;
  /** @returns the last ids of the database that the records are of, when they may keep theirs */
  read(records: StagedRecords): Promise<LastIds>;
}

export interface StagingOptions {
  /** The file's name without its folder; `-` for the standard input. */
  readonly fileName: string;
  readonly now: Date;
}

/**
 * Reads and checks a file of posts or of everything, in memory that does not grow with it; the content tells its format,
 * never its name. The caller disposes of the result.
 * @returns undefined when it is of none of these formats
 * @throws StartError when it is damaged
 */
export async function stageSite(
  bytes: RandomBytes,
  options: StagingOptions,
): Promise<StagedSite | undefined> {
  await using tree = (await openArchive(bytes)) ?? singleFile(bytes, options.fileName);
  const source = await sourceOf(tree, options.now);
  return source && (await stage(source, options));
}

/**
 * The same for a folder.
 * @returns undefined when it has no posts
 */
export async function stageFolder(folder: string, options: StagingOptions): Promise<StagedSite | undefined> {
  await using tree = await openFolder(folder);
  const source = await sourceOf(tree, options.now);
  return source && (await stage(source, options));
}

async function stage(source: Source, { fileName, now }: StagingOptions): Promise<StagedSite> {
  const records = new StagedRecords();
  try {
    const lastIds = await source.read(records);
    const dispose = () => records[Symbol.dispose]();
    return { fileName, format: source.format, now, records, lastIds, [Symbol.dispose]: dispose };
  } catch (error) {
    records[Symbol.dispose]();
    throw error;
  }
}

/** The files of a zip archive, or of a tar archive compressed with gzip. */
async function openArchive(bytes: RandomBytes): Promise<FileTree | undefined> {
  const beginning = Buffer.alloc(Math.min(BEGINNING, bytes.size));
  bytes.readAt(beginning, 0);
  const magic = beginning.toString("latin1", 0, 4);
  if (magic === "PK\u0003\u0004") return openZip(bytes);
  if (magic.startsWith("\u001f\u008b")) return openTar(bytes, true);
  return beginning.toString("latin1", 257, 262) === "ustar" ? openTar(bytes, false) : undefined;
}

async function sourceOf(tree: FileTree, now: Date): Promise<Source | undefined> {
  if (isArchive(tree)) return { format: "archive", read: (records) => readArchive(tree, records) };
  const [only] = tree.sizes.keys();
  const isAlone = tree.sizes.size === 1 && only !== undefined;
  const ghost = isAlone && isGhost(await beginningOf(tree, only, BEGINNING)) ? only : await findGhost(tree);
  if (ghost !== undefined) return foreign("ghost", (records) => readGhost(tree, ghost, records, now));
  const isExport = isAlone && isWxr(await beginningOf(tree, only, WXR_BEGINNING));
  const exports = isExport ? [only] : await findWordPress(tree);
  if (exports.length > 0)
    return foreign("wordpress", (records) => readWordPress(tree, exports, records, now));
  if (hasMarkdown(tree)) return foreign("markdown", (records) => readMarkdown(tree, records, now));
  return undefined;
}

/** The records of other programs keep no ids. */
function foreign(format: SiteFormat, read: (records: StagedRecords) => Promise<void>): Source {
  return { format, read: (records) => read(records).then(() => ({})) };
}
