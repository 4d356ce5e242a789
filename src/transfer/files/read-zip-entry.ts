import { crc32, inflateRawSync } from "node:zlib";
import type { Entry } from "yauzl";
import type { RandomBytes } from "./file-tree.ts";

/** The maximum size of an entry that is read at once, in bytes, compressed or not: a few milliseconds of work. */
const AT_ONCE_MAX = 256 * 1024;

/** The fixed part of a local file header, and its signature (APPNOTE.TXT 6.3.10, section 4.3.7). */
const HEADER = 30;
const SIGNATURE = 0x04034b50;

/** Whether an entry is small enough to be read at once. A stream for each file would cost more than its content. */
export function isSmall({ compressedSize, uncompressedSize }: Entry): boolean {
  return compressedSize <= AT_ONCE_MAX && uncompressedSize <= AT_ONCE_MAX;
}

/**
 * The content of a small entry.
 * @throws an error of any kind when it is damaged
 */
export function readZipEntry(bytes: RandomBytes, entry: Entry): Uint8Array {
  const { relativeOffsetOfLocalHeader: start, compressedSize, uncompressedSize } = entry;
  const header = readExactly(bytes, start, HEADER);
  if (header.readUInt32LE(0) !== SIGNATURE) throw new Error("the header is missing");
  const names = header.readUInt16LE(26) + header.readUInt16LE(28);
  const stored = readExactly(bytes, start + HEADER + names, compressedSize);
  const content = entry.isCompressed() ? inflate(stored, uncompressedSize) : stored;
  if (content.length !== uncompressedSize) throw new Error("the size is wrong");
  if (crc32(content) !== entry.crc32) throw new Error("the checksum is wrong");
  return content;
}

function readExactly(bytes: RandomBytes, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  if (bytes.readAt(buffer, position) !== length) throw new Error("the end is missing");
  return buffer;
}

/** @throws RangeError for content that is larger than stated */
function inflate(stored: Uint8Array, size: number): Uint8Array {
  return inflateRawSync(stored, { maxOutputLength: Math.max(size, 1) });
}
