import { isArchive, readArchive } from "./archive/read-archive.ts";
import type { FileTree, RandomBytes } from "./files/file-tree.ts";
import { openZip } from "./files/zip-files.ts";
import type { StagedSite } from "./import/import-records.ts";
import type { SiteFormat } from "./import/import-report.ts";
import type { LastIds } from "./import/import-run.ts";
import { StagedRecords } from "./import/staged-records.ts";

/** How many bytes of a file are looked at to know its format. */
const BEGINNING = 64 * 1024;

/** What reads the files of a format. */
interface Source extends AsyncDisposable {
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
  await using source = await recognize(bytes);
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

async function recognize(bytes: RandomBytes): Promise<Source | undefined> {
  const beginning = Buffer.alloc(Math.min(BEGINNING, bytes.size));
  bytes.readAt(beginning, 0);
  if (!isZip(beginning)) return undefined;
  const tree = await openZip(bytes);
  const source = sourceOf(tree);
  if (source === undefined) await tree[Symbol.asyncDispose]();
  return source;
}

function sourceOf(tree: FileTree): Source | undefined {
  const dispose = () => tree[Symbol.asyncDispose]();
  if (isArchive(tree))
    return {
      format: "archive",
      read: (records) => readArchive(tree, records),
      [Symbol.asyncDispose]: dispose,
    };
  return undefined;
}

function isZip(beginning: Buffer): boolean {
  return beginning.toString("latin1", 0, 4) === "PK\u0003\u0004";
}
