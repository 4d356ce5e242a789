import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from "yauzl";
import { messageOf, Refusal } from "../../errors.ts";
import { type FileBytes, TemporaryFile } from "../files/file-bytes.ts";
import { isSystemFile } from "../files/system-files.ts";
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

/** Whether a file begins like a zip archive, possibly an empty one. */
export function isArchive(file: FileBytes): boolean {
  const start = new Uint8Array(4);
  file.readAt(start, 0);
  const [p, k, a, b] = start;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6));
}

/**
 * Unpacks the possible bookmark files of a zip archive into a temporary file.
 *
 * @param isWanted decides by the first bytes of a file, so that images and the like are not unpacked
 * @param max the maximum total size of the unpacked files, in bytes
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
    const others: { count: number; first: string; archive: string | undefined } = {
      ...{ count: 0, first: "", archive: undefined },
    };
    for await (const { name, sum, open } of entriesOf(file)) {
      const start = room.size;
      if (await copy(await open(), sum, room, (beginning) => isWanted(name, beginning), max))
        files.push({ name, bytes: room.from(start) });
      else {
        if (others.count++ === 0) others.first = name;
        if (ARCHIVE_NAME.test(name)) others.archive ??= name;
      }
    }
    return { files, others, [Symbol.dispose]: () => room[Symbol.dispose]() };
  } catch (error) {
    room[Symbol.dispose]();
    throw error instanceof UnreadableFile || error instanceof Refusal ? error : damaged(error);
  }
}

/** @param sum the checksum of its bytes @returns false when the file is not wanted */
async function copy(
  stream: Readable,
  sum: number,
  room: TemporaryFile,
  isWanted: (beginning: Uint8Array) => boolean,
  max: number,
): Promise<boolean> {
  let isBegun = false;
  let found = 0;
  for await (const piece of stream) {
    const bytes = piece as Uint8Array;
    if (!isBegun && !isWanted(bytes)) return false;
    isBegun = true;
    // The sizes in an archive cannot be trusted: the unpacked bytes count.
    if (room.size + bytes.length > max) throw tooLarge();
    room.append(bytes);
    found = crc32(bytes, found);
  }
  if (found !== sum) throw damaged(new Error("the checksum is wrong"));
  return isBegun;
}

interface ArchivedFile {
  readonly name: string;
  /** The CRC-32 of its bytes. */
  readonly sum: number;
  open(): Promise<Readable>;
}

async function* entriesOf(file: FileBytes): AsyncGenerator<ArchivedFile> {
  const zip = await openZip(file);
  try {
    if (zip.entryCount > FILES_MAX) throw tooLarge();
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry;
      if (name.endsWith("/") || isSystemFile(name)) continue;
      if (entry.isEncrypted()) throw new UnreadableFile("is an encrypted archive: unpack it first");
      yield { name, sum: entry.crc32, open: () => zip.openReadStreamPromise(entry as Entry) };
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
  if (/encrypt/i.test(messageOf(cause)))
    return new UnreadableFile("is an encrypted archive: unpack it first", { cause });
  return new UnreadableFile("is a damaged zip archive", { cause });
}

function tooLarge(): UnreadableFile {
  return new UnreadableFile("is an archive of more than 512 MiB or 10,000 files: too large for bookmarks");
}
