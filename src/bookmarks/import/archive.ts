import { Readable } from "node:stream";
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from "yauzl";
import { Refusal } from "../../errors.ts";
import type { FileBytes } from "./file-bytes.ts";
import { TemporaryFile } from "./temporary-file.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** A file of an archive, or one that is in none. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: FileBytes;
}

/** The files of an archive, unpacked until it is disposed of. */
export interface Archive extends Disposable {
  readonly files: readonly NamedFile[];
  /** The files that are not wanted: how many there are, and the name of the first. */
  readonly others: { readonly count: number; readonly first: string };
}

/** The most bytes that all files of an archive may have together, as one file may have. */
const UNPACKED_MAX = 512 * 1024 * 1024;
/** The most files that are inspected. */
const FILES_MAX = 10_000;

/** Whether a file begins like a zip archive: with a file, or with the end of one that is empty. */
export function isArchive(file: FileBytes): boolean {
  const start = new Uint8Array(4);
  file.readAt(start, 0);
  const [p, k, a, b] = start;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/**
 * Unpacks the files of a zip archive that may hold bookmarks into a temporary file.
 *
 * @param isWanted decides by the first bytes of a file, so that pictures and the like are not unpacked
 * @param max how many bytes the unpacked files may have together
 * @throws UnreadableFile when it is damaged, encrypted or far too large
 */
export async function unpack(
  file: FileBytes,
  isWanted: (name: string, beginning: Uint8Array) => boolean,
  max = UNPACKED_MAX,
): Promise<Archive> {
  const room = await TemporaryFile.open();
  try {
    const files: NamedFile[] = [];
    const others = { count: 0, first: "" };
    for await (const { name, open } of entriesOf(file)) {
      const start = room.size;
      if (await copy(await open(), room, (beginning) => isWanted(name, beginning), max))
        files.push({ name, bytes: room.from(start) });
      else if (others.count++ === 0) others.first = name;
    }
    return { files, others, [Symbol.dispose]: () => room[Symbol.dispose]() };
  } catch (error) {
    room[Symbol.dispose]();
    throw error instanceof UnreadableFile || error instanceof Refusal ? error : damaged(error);
  }
}

/** @returns false when the file is not wanted */
async function copy(
  stream: Readable,
  room: TemporaryFile,
  isWanted: (beginning: Uint8Array) => boolean,
  max: number,
): Promise<boolean> {
  let isBegun = false;
  for await (const piece of stream) {
    const bytes = piece as Uint8Array;
    if (!isBegun && !isWanted(bytes)) return false;
    isBegun = true;
    // The sizes in an archive cannot be trusted: the unpacked bytes count.
    if (room.size + bytes.length > max) throw tooLarge();
    room.append(bytes);
  }
  return isBegun;
}

interface ArchivedFile {
  readonly name: string;
  open(): Promise<Readable>;
}

async function* entriesOf(file: FileBytes): AsyncGenerator<ArchivedFile> {
  const zip = await openZip(file);
  try {
    if (zip.entryCount > FILES_MAX) throw tooLarge();
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry;
      if (name.endsWith("/") || name.startsWith("__MACOSX/")) continue;
      if (entry.isEncrypted()) throw new UnreadableFile("is an encrypted archive: unpack it first");
      yield { name, open: () => zip.openReadStreamPromise(entry as Entry) };
    }
  } finally {
    zip.close();
  }
}

function openZip(file: FileBytes): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false };
    fromRandomAccessReader(new Reader(file), file.size, options, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });
}

const CHUNK = 64 * 1024;

class Reader extends RandomAccessReader {
  readonly #file: FileBytes;

  constructor(file: FileBytes) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const file = this.#file;
    function* chunks() {
      for (let position = start; position < end; ) {
        const chunk = Buffer.alloc(Math.min(CHUNK, end - position));
        const length = file.readAt(chunk, position);
        if (length === 0) return;
        position += length;
        yield chunk.subarray(0, length);
      }
    }
    return Readable.from(chunks(), { objectMode: false });
  }
}

function damaged(cause: unknown): UnreadableFile {
  return new UnreadableFile("is a damaged zip archive", { cause });
}

function tooLarge(): UnreadableFile {
  return new UnreadableFile("is an archive of more than 512 MiB or 10,000 files, which no bookmarks need");
}
