import { closeSync, readSync } from "node:fs";
import { openTemporaryFile, writeTemporary } from "../../temporary-file.ts";
import type { RandomBytes } from "./file-tree.ts";

/** The bytes of a file, which can be read repeatedly, chunk by chunk. */
export interface FileBytes extends RandomBytes {
  pieces(): Iterable<Uint8Array>;
}

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
export function fileOf(bytes: Uint8Array): FileBytes {
  return fileAt(bytes.length, (buffer, position) => {
    const part = bytes.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  });
}

/** A file with random access: `readAt` fills a buffer and returns the number of bytes. */
export function fileAt(size: number, readAt: RandomBytes["readAt"]): FileBytes {
  return { size, readAt, pieces: () => piecesOf({ size, readAt }) };
}

/** A file that tells what is read of it. @param onRead called with the positions of the bytes that were read */
export function watchedFile(file: FileBytes, onRead: (start: number, end: number) => void): FileBytes {
  return fileAt(file.size, (buffer, position) => {
    const length = file.readAt(buffer, position);
    onRead(position, position + length);
    return length;
  });
}

/** An unnamed temporary file to which files are written one after another. */
export class TemporaryFile implements Disposable {
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

  /** The current bytes from a position on. */
  from(start: number): FileBytes {
    const size = this.#size - start;
    return fileAt(size, (buffer, position) => {
      const length = Math.max(0, Math.min(buffer.length, size - position));
      return length === 0 ? 0 : readSync(this.#descriptor, buffer, 0, length, start + position);
    });
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}
