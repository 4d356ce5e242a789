import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { crc32, createDeflateRaw, deflateRaw } from "node:zlib";
import { TemporaryFile } from "./file-bytes.ts";

/**
 * Writes a zip archive in pieces (PKWARE's APPNOTE.TXT 6.3.10). The directory at the end of the archive waits in a temporary
 * file, so that memory does not grow with the number of files. Paths must be unique.
 */
export class ZipWriter implements Disposable {
  readonly #directory: TemporaryFile;
  readonly #mtime: Date;
  #pending: Buffer[] = [];
  #pendingSize = 0;
  #count = 0;
  #offset = 0;

  private constructor(directory: TemporaryFile, mtime: Date) {
    this.#directory = directory;
    this.#mtime = mtime;
  }

  /** @param mtime the date of all files */
  static async open(mtime: Date): Promise<ZipWriter> {
    return new ZipWriter(await TemporaryFile.open(), mtime);
  }

  /** A small file, compressed. */
  async add(path: string, text: string): Promise<Buffer> {
    const bytes = Buffer.from(text);
    const compressed = await compress(bytes);
    const file: FileEntry = {
      ...{ name: Buffer.from(path), method: DEFLATED, flags: UTF8_NAME, sum: crc32(bytes) },
      ...{ packedSize: compressed.length, size: bytes.length, offset: this.#offset },
    };
    const header = localHeader(file, this.#mtime);
    this.#offset += header.length + compressed.length;
    this.#record(file);
    return Buffer.concat([header, compressed]);
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
    this.#record(file);
    yield descriptor;
  }

  /** A file as it is. */
  store(path: string, bytes: Uint8Array): Buffer {
    const file: FileEntry = {
      ...{ name: Buffer.from(path), method: STORED, flags: UTF8_NAME, sum: crc32(bytes) },
      ...{ packedSize: bytes.length, size: bytes.length, offset: this.#offset },
    };
    const header = localHeader(file, this.#mtime);
    this.#offset += header.length + bytes.length;
    this.#record(file);
    return Buffer.concat([header, bytes]);
  }

  /** The directory, after the last file. */
  async *end(): AsyncGenerator<Uint8Array> {
    this.#flush();
    const directory = this.#directory.from(0);
    for (let position = 0; position < directory.size; ) {
      const piece = Buffer.alloc(Math.min(PIECE, directory.size - position));
      const length = directory.readAt(piece, position);
      if (length === 0) throw new Error("the temporary file is shorter than what was written to it");
      yield piece.subarray(0, length);
      position += length;
    }
    yield endOfDirectory(this.#count, directory.size, this.#offset);
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }

  #record(file: FileEntry): void {
    const record = directoryRecord(file, this.#mtime);
    this.#pending.push(record);
    this.#pendingSize += record.length;
    this.#count++;
    if (this.#pendingSize >= PIECE) this.#flush();
  }

  #flush(): void {
    this.#directory.append(Buffer.concat(this.#pending));
    this.#pending = [];
    this.#pendingSize = 0;
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
  const fields = new Fields(LOCAL_HEADER_SIZE)
    .add32(0x04034b50)
    .add16(VERSION_NEEDED, flags, method, ...dosTime(mtime))
    .add32(sum, packedSize, size)
    .add16(name.length, 0);
  return Buffer.concat([fields.bytes, name]);
}

/** Section 4.3.9, with 64 bits for a file of 4 GiB or more. */
function dataDescriptor({ sum, packedSize, size }: FileEntry): Buffer {
  return Math.max(packedSize, size) >= MAX_32
    ? new Fields(24).add32(0x08074b50, sum).add64(packedSize, size).bytes
    : new Fields(16).add32(0x08074b50, sum, packedSize, size).bytes;
}

/** Section 4.3.12, with the date in UTC (Info-ZIP's field "UT"), and 64 bits where they are needed (4.5.3). */
function directoryRecord(file: FileEntry, mtime: Date): Buffer {
  const { name, method, flags, sum, packedSize, size, offset } = file;
  const is64 = Math.max(packedSize, size, offset) >= MAX_32;
  const date = new Fields(9)
    .add16(0x5455, 5)
    .add8(1)
    .add32(Math.floor(mtime.getTime() / 1000) >>> 0).bytes;
  const sizes64 = is64 ? new Fields(28).add16(1, 24).add64(size, packedSize, offset).bytes : Buffer.alloc(0);
  const fields = new Fields(46)
    .add32(0x02014b50)
    .add16(MADE_BY, is64 ? VERSION_64 : VERSION_NEEDED, flags, method, ...dosTime(mtime))
    .add32(sum, is64 ? MAX_32 : packedSize, is64 ? MAX_32 : size)
    .add16(name.length, date.length + sizes64.length, 0, 0, 0)
    .add32(ATTRIBUTES, is64 ? MAX_32 : offset);
  return Buffer.concat([fields.bytes, name, date, sizes64]);
}

/** Sections 4.3.14 to 4.3.16. */
function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const is64 = count >= MAX_16 || size >= MAX_32 || offset >= MAX_32;
  const end64 = new Fields(76)
    .add32(0x06064b50)
    .add64(44)
    .add16(MADE_BY, VERSION_64)
    .add32(0, 0)
    .add64(count, count, size, offset)
    .add32(0x07064b50, 0)
    .add64(offset + size)
    .add32(1);
  const few = Math.min(count, MAX_16);
  const end = new Fields(22)
    .add32(0x06054b50)
    .add16(0, 0, few, few)
    .add32(Math.min(size, MAX_32), Math.min(offset, MAX_32))
    .add16(0);
  return is64 ? Buffer.concat([end64.bytes, end.bytes]) : end.bytes;
}

/** Time and date as MS-DOS has them: local, to two seconds. */
function dosTime(date: Date): [time: number, date: number] {
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  const year = Math.min(Math.max(date.getFullYear(), 1980), 2107);
  return [time, ((year - 1980) << 9) | ((date.getMonth() + 1) << 5) | date.getDate()];
}

/** Numbers one after the other, the lowest byte of each first. */
class Fields {
  readonly bytes: Buffer;
  #position = 0;

  constructor(size: number) {
    this.bytes = Buffer.alloc(size);
  }

  add8(...values: readonly number[]): this {
    for (const value of values) this.#position = this.bytes.writeUInt8(value, this.#position);
    return this;
  }

  add16(...values: readonly number[]): this {
    for (const value of values) this.#position = this.bytes.writeUInt16LE(value, this.#position);
    return this;
  }

  add32(...values: readonly number[]): this {
    for (const value of values) this.#position = this.bytes.writeUInt32LE(value, this.#position);
    return this;
  }

  add64(...values: readonly number[]): this {
    for (const value of values) this.#position = this.bytes.writeBigUInt64LE(BigInt(value), this.#position);
    return this;
  }
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
