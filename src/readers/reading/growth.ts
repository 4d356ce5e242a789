/** No file needs more: it is about what thousands of posts with a gallery, or with the same pattern, take. */
const GROWTH_MAX = 32 * 1024 * 1024;

/**
 * How much longer the texts of one file may become by what they refer to, in characters. A reference is short and may be
 * repeated, so that a small file could otherwise fill the memory.
 */
export class Growth {
  #left: number;

  /** @param max another limit is for tests */
  constructor(max = GROWTH_MAX) {
    this.#left = max;
  }

  /** Counts what is put in the place of a reference. @returns false when it is too much, and so is to be left out */
  allows(length: number): boolean {
    if (length > this.#left) return false;
    this.#left -= length;
    return true;
  }
}
