import type { Label } from "../decoding/encodings.ts";
import { BLOGS_READ } from "../readers/blog-formats.ts";
import { FORMATS_READ } from "../readers/bookmarks/recognize.ts";
import type { RandomBytes } from "../readers/files/file-tree.ts";
import { UnreadableFile } from "../readers/files/unreadable-file.ts";
import type { StagedBookmarks, StagedSite } from "./import/staged-file.ts";
import { stageImport } from "./stage-bookmarks.ts";
import { type StagingOptions as SiteOptions, stageSite } from "./stage-site.ts";

interface StagingOptions extends SiteOptions {
  /** Whether tags and folders become tags. */
  readonly tags?: boolean;
  /** The encoding of a file of bookmarks, whatever it states. */
  readonly encoding?: Label | undefined;
  /** Called from time to time with the number of bytes of bookmarks that were read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The size of the largest file of bookmarks, in bytes; a million with icons are smaller. */
const BOOKMARKS_MAX = 512 * 1024 * 1024;

/**
 * Reads and checks a file of any format, in constant memory. The caller disposes of the result.
 * @throws UnreadableFile when it has no bookmarks either
 * @throws StartError when it is damaged
 */
export async function stageFile(
  bytes: RandomBytes,
  options: StagingOptions,
): Promise<StagedSite | StagedBookmarks> {
  const site = await stageSite(bytes, options);
  if (site !== undefined) return site;
  try {
    return await stageBookmarks(bytes, options);
  } catch (error) {
    // It lists what is read: then the file has no format that is known, and may as well be a blog.
    const isUnknown = error instanceof UnreadableFile && error.message !== error.reason;
    throw isUnknown ? new UnreadableFile("is not read", { message: NOT_READ, cause: error }) : error;
  }
}

/** What is read. */
const NOT_READ = `has neither posts nor bookmarks that can be read. Of blogs, Commonplace reads ${BLOGS_READ}. Of bookmarks, it reads ${FORMATS_READ}`;

function stageBookmarks(
  bytes: RandomBytes,
  { tags = true, ...options }: StagingOptions,
): Promise<StagedBookmarks> {
  if (bytes.size > BOOKMARKS_MAX)
    throw new UnreadableFile("is larger than 512 MiB: too large for a file of bookmarks");
  return stageImport(options.fileName, bytes, { ...options, tags });
}

/**
 * Reads a file of the expected kind into a named file, which `openStaged` opens, also in another process.
 * @returns the number of records; undefined for a file that is no blog
 */
export async function stageInto(
  scratch: string,
  kind: "bookmarks" | "blog",
  bytes: RandomBytes,
  options: StagingOptions,
): Promise<number | undefined> {
  const stage = kind === "blog" ? stageSite : stageBookmarks;
  const staged = await stage(bytes, { ...options, scratch });
  if (staged === undefined) return undefined;
  const { total } = staged.records;
  staged.records.keep();
  return total;
}
