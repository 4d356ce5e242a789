import type { ReadingMessage } from "./read-apart.ts";
import type { Upload } from "./uploads.ts";

/** How far the reading of a file is: of its rows, or of its bytes with the number of records so far. */
export class Progress {
  readonly #size: number;
  #done = 0;
  #total = 0;
  #items = 0;

  /** @param size of the file, in bytes */
  constructor(size: number) {
    this.#size = size;
  }

  get now(): Pick<Upload, "done" | "total" | "items"> {
    return { done: this.#done, total: this.#total, items: this.#items };
  }

  tell({ progress, read, records }: ReadingMessage): void {
    if (progress !== undefined) [this.#done, this.#total] = progress;
    if (records !== undefined) this.#items = records;
    if (read === undefined) return;
    const [start, end] = read;
    // Before the first record, what does not continue the beginning is the table of an archive, which stands at its end.
    if (end <= this.#done || (start > this.#done && this.#items === 0)) return;
    this.#done = end;
    this.#total = this.#size;
  }
}
