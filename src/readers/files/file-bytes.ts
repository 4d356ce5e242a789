import { closeSync, readSync } from "node:fs";
import { openTemporaryFile, writeTemporary } from "../../temporary-file.ts";
import type { RandomBytes } from "./file-tree.ts";

/** The size of a chunk in bytes. */
const PIECE = 256 * 1024;

/** The bytes of a file between two positions, chunk by chunk. */
export function* piecesOf(file: RandomBytes, start = 0, end = file.size): Generator<Buffer> {
  for (let position = start; position < end; ) {
    const piece = Buffer.alloc(Math.min(PIECE, end - position));
    const length = file.readAt(piece, position);
    if (length === 0) return;
    yield piece.subarray(0, length);
    position += length;
  }
}

/** A file that is already in memory. */
export function fileOf(bytes: Uint8Array): RandomBytes {
  const readAt = (buffer: Uint8Array, position: number) => {
    const part = bytes.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  };
  return { size: bytes.length, readAt };
}

/** A file that tells what is read of it. @param onRead called with the positions of the bytes that were read */
export function watchedFile(
  { size, readAt }: RandomBytes,
  onRead: (start: number, end: number) => void,
): RandomBytes {
  const watched: RandomBytes["readAt"] = (buffer, position) => {
    const length = readAt(buffer, position);
    onRead(position, position + length);
    return length;
  };
  return { size, readAt: watched };
}

/** An unnamed temporary file to which files are written one after another. */
export class TemporaryFile implements RandomBytes, Disposable {
  readonly #descriptor: number;
  #size = 0;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  static async open(): Promise<TemporaryFile> {
    return new TemporaryFile(await openTemporaryFile());
  }

  /** Its size in bytes. */
  get size(): number {
    return this.#size;
  }

  /** @throws Refusal as {@link writeTemporary} */
  append(bytes: Uint8Array): void {
    writeTemporary(this.#descriptor, bytes, this.#size);
    this.#size += bytes.length;
  }

  readAt(buffer: Uint8Array, position: number): number {
    return readSync(this.#descriptor, buffer, 0, buffer.length, position);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
