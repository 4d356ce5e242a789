import { type FileBytes, TemporaryFile } from "../files/file-bytes.ts";
import type { FileTree } from "../files/file-tree.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";

/** A file, alone or from an archive. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: FileBytes;
}

/** The files of an archive, unpacked until it is disposed of. */
export interface Archive extends Disposable {
  readonly files: readonly NamedFile[];
  /** The unwanted files: their number, the name of the first, and that of the first which is an archive itself. */
  readonly others: { readonly count: number; readonly first: string; readonly archive: string | undefined };
}

/** The maximum total size of an archive's files, in bytes; the same as that of a single file. */
const UNPACKED_MAX = 512 * 1024 * 1024;
/** The maximum number of files. */
const FILES_MAX = 10_000;

const ARCHIVE_NAME = /\.(?:zip|tar|t?gz|tbz2?|bz2|txz|xz|7z|rar)$/i;

/**
 * Unpacks the possible bookmark files of an archive into a temporary file.
 *
 * @param isWanted decides by the first bytes of a file, so that images and the like are not unpacked
 * @param max the maximum total size of the unpacked files, in bytes
 * @throws StartError when it is damaged; UnreadableFile when it is far too large
 */
export async function unpack(
  tree: FileTree,
  isWanted: (beginning: Uint8Array) => boolean,
  max = UNPACKED_MAX,
): Promise<Archive> {
  if (tree.sizes.size > FILES_MAX) throw tooLarge();
  const room = await TemporaryFile.open();
  try {
    const files: NamedFile[] = [];
    const others: { count: number; first: string; archive: string | undefined } = {
      ...{ count: 0, first: "", archive: undefined },
    };
    for (const name of tree.sizes.keys()) {
      const start = room.size;
      if (await copy(await tree.stream(name), room, isWanted, max))
        files.push({ name, bytes: room.from(start) });
      else {
        if (others.count++ === 0) others.first = name;
        if (ARCHIVE_NAME.test(name)) others.archive ??= name;
      }
    }
    return { files, others, [Symbol.dispose]: () => room[Symbol.dispose]() };
  } catch (error) {
    room[Symbol.dispose]();
    throw error;
  }
}

/** @returns false when the file is not wanted */
async function copy(
  stream: AsyncIterable<Uint8Array>,
  room: TemporaryFile,
  isWanted: (beginning: Uint8Array) => boolean,
  max: number,
): Promise<boolean> {
  let isBegun = false;
  for await (const bytes of stream) {
    if (!isBegun && !isWanted(bytes)) return false;
    isBegun = true;
    if (room.size + bytes.length > max) throw tooLarge();
    room.append(bytes);
  }
  return isBegun;
}

function tooLarge(): UnreadableFile {
  return new UnreadableFile("is an archive of more than 512 MiB or 10,000 files: too large for bookmarks");
}
