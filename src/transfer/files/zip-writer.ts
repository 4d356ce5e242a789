import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw } from "node:zlib";

/**
 * Writes a zip archive in pieces (PKWARE's APPNOTE.TXT 6.3.10). Only the directory at its end is in memory, about 200 bytes a
 * file. Paths must be unique.
 */
export class ZipWriter {
  readonly #mtime: Date;
  readonly #directory: Buffer[] = [];
  #offset = 0;

  /** @param mtime the date of all files */
  constructor(mtime: Date) {
    this.#mtime = mtime;
  }

  /** A small file, compressed. */
  async add(path: string, text: string): Promise<Buffer> {
    const bytes = Buffer.from(text);
    return this.#whole(path, DEFLATED, bytes, await compress(bytes));
  }

  /** A file as it is. */
  store(path: string, bytes: Uint8Array): Buffer {
    return this.#whole(path, STORED, bytes, bytes);
  }

  /** A file of any size, compressed while it is written. */
  async *stream(path: string, pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
    const name = Buffer.from(path);
    const begun: FileEntry = {
      ...{ name, method: DEFLATED, flags: UTF8_NAME | SIZES_AT_END, offset: this.#offset },
      ...{ sum: 0, packedSize: 0, size: 0 },
    };
    yield localHeader(begun, this.#mtime);
    let [sum, size, packedSize] = [0, 0, 0];
    async function* counted() {
      for await (const bytes of encoded(pieces)) {
        sum = crc32(bytes, sum);
        size += bytes.length;
        yield bytes;
      }
    }
    const deflate = createDeflateRaw();
    const done = pipeline(counted(), deflate);
    // An error of the pieces ends the loop below.
    done.catch(() => {});
    for await (const piece of deflate) {
      packedSize += (piece as Uint8Array).length;
      yield piece as Uint8Array;
    }
    await done;
    const file = { ...begun, sum, packedSize, size };
    const descriptor = dataDescriptor(file);
    this.#offset += LOCAL_HEADER_SIZE + name.length + packedSize + descriptor.length;
    this.#directory.push(directoryRecord(file, this.#mtime));
    yield descriptor;
  }

  /** The directory, after the last file. */
  *end(): Generator<Uint8Array> {
    yield* this.#directory;
    const size = this.#directory.reduce((sum, record) => sum + record.length, 0);
    yield endOfDirectory(this.#directory.length, size, this.#offset);
  }

  #whole(path: string, method: number, bytes: Uint8Array, packed: Uint8Array): Buffer {
    const file: FileEntry = {
      ...{ name: Buffer.from(path), method, flags: UTF8_NAME, sum: crc32(bytes) },
      ...{ packedSize: packed.length, size: bytes.length, offset: this.#offset },
    };
    const header = localHeader(file, this.#mtime);
    this.#offset += header.length + packed.length;
    this.#directory.push(directoryRecord(file, this.#mtime));
    return Buffer.concat([header, packed]);
  }
}

const compress = promisify(deflateRaw) as (bytes: Uint8Array) => Promise<Buffer>;

/** The number of bytes or characters that are handled at a time. */
const PIECE = 64 * 1024;

/** A file of the archive, as its headers describe it. */
interface FileEntry {
  readonly name: Buffer;
  readonly method: number;
  readonly flags: number;
  readonly sum: number;
  readonly packedSize: number;
  readonly size: number;
  /** The position of its local header. */
  readonly offset: number;
}

const STORED = 0;
const DEFLATED = 8;
/** Flags: the checksum and the sizes follow the file; the name is UTF-8. */
const SIZES_AT_END = 1 << 3;
const UTF8_NAME = 1 << 11;
/** The versions that a reader needs: 2.0, and 4.5 for sizes of 64 bits. */
const VERSION_NEEDED = 20;
const VERSION_64 = 45;
/** Unix, version 6.3. */
const MADE_BY = (3 << 8) | 63;
/** A regular file that only its owner can read. */
const ATTRIBUTES = (0o100600 << 16) >>> 0;
const LOCAL_HEADER_SIZE = 30;
/** Stand for a number that follows with 64 bits. */
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

/** Section 4.3.7. */
function localHeader({ name, method, flags, sum, packedSize, size }: FileEntry, mtime: Date): Buffer {
  const fields = numbers(
    [4, 0x04034b50],
    [2, VERSION_NEEDED, flags, method, ...dosTime(mtime)],
    [4, sum, packedSize, size],
    [2, name.length, 0],
  );
  return Buffer.concat([fields, name]);
}

/** Section 4.3.9, with 64 bits for a file of 4 GiB or more. */
function dataDescriptor({ sum, packedSize, size }: FileEntry): Buffer {
  const bytes = Math.max(packedSize, size) >= MAX_32 ? 8 : 4;
  return numbers([4, 0x08074b50, sum], [bytes, packedSize, size]);
}

/** Section 4.3.12, with the date in UTC (Info-ZIP's field "UT"), and 64 bits where they are needed (4.5.3). */
function directoryRecord(file: FileEntry, mtime: Date): Buffer {
  const { name, method, flags, sum, packedSize, size, offset } = file;
  const is64 = Math.max(packedSize, size, offset) >= MAX_32;
  const date = numbers([2, 0x5455, 5], [1, 1], [4, Math.floor(mtime.getTime() / 1000) >>> 0]);
  const sizes64 = is64 ? numbers([2, 1, 24], [8, size, packedSize, offset]) : Buffer.alloc(0);
  const fields = numbers(
    [4, 0x02014b50],
    [2, MADE_BY, is64 ? VERSION_64 : VERSION_NEEDED, flags, method, ...dosTime(mtime)],
    [4, sum, is64 ? MAX_32 : packedSize, is64 ? MAX_32 : size],
    [2, name.length, date.length + sizes64.length, 0, 0, 0],
    [4, ATTRIBUTES, is64 ? MAX_32 : offset],
  );
  return Buffer.concat([fields, name, date, sizes64]);
}

/** Sections 4.3.14 to 4.3.16. */
function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const few = Math.min(count, MAX_16);
  const end = numbers(
    [4, 0x06054b50],
    [2, 0, 0, few, few],
    [4, Math.min(size, MAX_32), Math.min(offset, MAX_32)],
    [2, 0],
  );
  if (count < MAX_16 && size < MAX_32 && offset < MAX_32) return end;
  const end64 = numbers(
    [4, 0x06064b50],
    [8, 44],
    [2, MADE_BY, VERSION_64],
    [4, 0, 0],
    [8, count, count, size, offset],
    [4, 0x07064b50, 0],
    [8, offset + size],
    [4, 1],
  );
  return Buffer.concat([end64, end]);
}

/** Time and date as MS-DOS has them: local, to two seconds. */
function dosTime(date: Date): [time: number, date: number] {
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  const year = Math.min(Math.max(date.getFullYear(), 1980), 2107);
  return [time, ((year - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate()];
}

/** Numbers one after the other, in groups of one size in bytes, the lowest byte of each first. */
function numbers(...groups: readonly (readonly [size: 1 | 2 | 4 | 8, ...values: number[]])[]): Buffer {
  const all = groups.flatMap(([size, ...values]) =>
    values.map((value) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(BigInt(value));
      return bytes.subarray(0, size);
    }),
  );
  return Buffer.concat(all);
}

/** Encodes texts as UTF-8, and joins small ones into larger chunks. */
async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}
