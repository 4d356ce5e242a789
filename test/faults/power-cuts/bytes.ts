import type { FileChange } from "./disk.ts";

/** The contents of a file. */
export class Bytes {
  #buffer: Buffer;
  #size: number;
  readonly #hole: (hole: Buffer) => void;

  /** @param hole fills the gap between the end and a write beyond it */
  constructor(contents = Buffer.alloc(0), hole: (hole: Buffer) => void = (hole) => hole.fill(0)) {
    this.#buffer = contents;
    this.#size = contents.length;
    this.#hole = hole;
  }

  get contents(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  copy(hole?: (hole: Buffer) => void): Bytes {
    return new Bytes(Buffer.from(this.contents), hole);
  }

  apply({ offset, bytes }: Pick<FileChange, "offset" | "bytes">): void {
    if (bytes === undefined) {
      if (offset > this.#size) this.#extend(offset);
      this.#size = offset;
      return;
    }
    if (offset > this.#size) this.#extend(offset);
    this.#reserve(offset + bytes.length);
    this.#buffer.set(bytes, offset);
    this.#size = Math.max(this.#size, offset + bytes.length);
  }

  #extend(to: number): void {
    this.#reserve(to);
    this.#hole(this.#buffer.subarray(this.#size, to));
    this.#size = to;
  }

  #reserve(size: number): void {
    if (size <= this.#buffer.length) return;
    const larger = Buffer.alloc(Math.max(size, 2 * this.#buffer.length));
    larger.set(this.contents);
    this.#buffer = larger;
  }
}
