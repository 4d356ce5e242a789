import { closeSync, readSync } from "node:fs";
import { openTemporaryFile, writeTemporary } from "../../temporary-file.ts";

/** The bytes of a file, which can be read repeatedly, chunk by chunk. */
export interface FileBytes {
  /** In bytes. */
  readonly size: number;
  /** A chunk is valid only until the next one is read. */
  pieces(): Iterable<Uint8Array>;
  /** Fills a buffer from a position. @returns the number of bytes, fewer only at the end */
  readAt(buffer: Uint8Array, position: number): number;
}

/** The size of a chunk in bytes. */
const PIECE = 256 * 1024;

/** A file that is already in memory. */
export function fileOf(bytes: Uint8Array): FileBytes {
  return {
    size: bytes.length,
    *pieces() {
      for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
    },
    readAt(buffer, position) {
      const part = bytes.subarray(position, position + buffer.length);
      buffer.set(part);
      return part.length;
    },
  };
}

/** A file with random access: `readAt` fills a buffer and returns the number of bytes. */
export function fileAt(size: number, readAt: (buffer: Uint8Array, position: number) => number): FileBytes {
  return {
    size,
    readAt,
    *pieces() {
      const buffer = new Uint8Array(PIECE);
      for (let position = 0; ; ) {
        const length = readAt(buffer, position);
        if (length === 0) return;
        yield buffer.subarray(0, length);
        position += length;
      }
    },
  };
}

/** A file that tells what is read of it. @param onRead called with the positions of the bytes that were read */
export function watchedFile(file: FileBytes, onRead: (start: number, end: number) => void): FileBytes {
  return {
    size: file.size,
    readAt(buffer, position) {
      const length = file.readAt(buffer, position);
      onRead(position, position + length);
      return length;
    },
    *pieces() {
      let position = 0;
      for (const piece of file.pieces()) {
        onRead(position, position + piece.length);
        position += piece.length;
        yield piece;
      }
    },
  };
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
