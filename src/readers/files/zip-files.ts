import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, fromRandomAccessReader, RandomAccessReader, type ZipFile } from "yauzl";
import { messageOf, StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { piecesOf } from "./file-bytes.ts";
import {
  FILES_MAX,
  type FileTree,
  isSystemFile,
  outsideItself,
  type RandomBytes,
  refuseBomb,
  refuseOutside,
} from "./file-tree.ts";

/**
 * Opens a zip archive. Nothing is unpacked: files are read from the archive on demand.
 * @throws StartError when it is damaged, encrypted or hostile
 */
export async function openZip(bytes: RandomBytes, unpackedMax?: number): Promise<FileTree> {
  const zip = await open(bytes);
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  for await (const entry of entriesOf(zip)) {
    refuseOutside(entry.fileName);
    if (entry.fileName.endsWith("/") || isSystemFile(entry.fileName)) continue;
    if (entry.isEncrypted()) throw encrypted(entry.fileName);
    if (entries.has(entry.fileName))
      throw new StartError(`The archive has ${printable(entry.fileName)} twice.`, 2);
    if (entries.size >= FILES_MAX) throw new StartError(`The archive has more than ${FILES_MAX} files.`, 2);
    unpacked += entry.uncompressedSize;
    refuseBomb(unpacked, bytes.size, unpackedMax);
    entries.set(entry.fileName, entry);
  }
  return {
    sizes: new Map([...entries].map(([path, { uncompressedSize }]) => [path, uncompressedSize])),
    leftOut: [],
    stream: async (path) => {
      const entry = entries.get(path);
      if (entry === undefined) throw new StartError(`The archive has no ${printable(path)}.`, 2);
      return streamOf(zip, path, entry);
    },
    [Symbol.asyncDispose]: async () => zip.close(),
  };
}

class Reader extends RandomAccessReader {
  readonly #bytes: RandomBytes;

  constructor(bytes: RandomBytes) {
    super();
    this.#bytes = bytes;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(piecesOf(this.#bytes, start, end));
  }
}

function open(bytes: RandomBytes): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false };
    fromRandomAccessReader(new Reader(bytes), bytes.size, options, (error, zip) => {
      if (error) reject(damaged(error));
      else resolve(zip);
    });
  });
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    for await (const entry of zip.eachEntry()) yield entry as Entry;
  } catch (error) {
    throw damaged(error);
  }
}

async function streamOf(zip: ZipFile, path: string, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  const stream = await zip.openReadStreamPromise(entry).catch((error) => {
    throw damaged(error, path);
  });
  return (async function* () {
    let sum = 0;
    try {
      for await (const piece of stream) {
        sum = crc32(piece as Uint8Array, sum);
        yield piece as Uint8Array;
      }
    } catch (error) {
      throw error instanceof StartError ? error : damaged(error, path);
    }
    if (sum !== entry.crc32) throw damaged(new Error("the checksum is wrong"), path);
  })();
}

/** Clear messages for the zip reader's errors. */
const KNOWN_FAULTS: readonly (readonly [RegExp, string])[] = [
  [
    /End of central directory|unexpected EOF/i,
    "The archive is damaged: its end is missing, as after an interrupted download. Get it again.",
  ],
  [/multi-disk/i, "The archive is one part of several. Join them first, and zip the files again."],
  [/encrypt/i, "The archive is encrypted: unpack it with its password, and zip the files again."],
];

function damaged(error: unknown, path?: string): StartError {
  const message = messageOf(error);
  const outside = /^(?:invalid relative path|absolute path): (.*)$/s.exec(message)?.[1];
  if (outside !== undefined) return outsideItself(outside, error);
  const known = KNOWN_FAULTS.find(([fault]) => fault.test(message))?.[1];
  if (known !== undefined) return new StartError(known, 2, error);
  if (path === undefined) return new StartError("The archive is damaged. Get it again.", 2, error);
  const detail = /unsupported compression/i.test(message)
    ? "uses an unsupported compression method: unpack the archive, and zip the files again."
    : "is damaged in the archive. Get it again.";
  return new StartError(`${printable(path)} ${detail}`, 2, error);
}

function encrypted(path: string): StartError {
  return new StartError(
    `${printable(path)} is encrypted: unpack the archive with its password, and zip the files again.`,
    2,
  );
}
