/** How long the rows of a file are stored, in milliseconds. */
const STORED_FOR = 10 * 60 * 1000;
/** The maximum size of its rows, in bytes. */
const SIZE_MAX = 128 * 1024 * 1024;

/**
 * The rows of the file that this process read last, so that its preview and its report need not read it again. Another
 * process, or this one later, reads the uploaded file.
 */
export class PreviewCache<Staged extends Disposable> {
  readonly #sizeOf: (staged: Staged) => number;
  #last: { readonly key: string; readonly staged: Staged; readonly timer: Timer } | undefined;

  /** @param sizeOf the size of the rows, in bytes */
  constructor(sizeOf: (staged: Staged) => number) {
    this.#sizeOf = sizeOf;
  }

  /** Removes the rows of a file for one caller, which stores them again or disposes of them. */
  take(key: string): Staged | undefined {
    if (this.#last?.key !== key) return undefined;
    const { staged, timer } = this.#last;
    clearTimeout(timer);
    this.#last = undefined;
    return staged;
  }

  /** Stores the rows of a file instead of another one's, or disposes of them if they are too large. */
  store(key: string, staged: Staged): void {
    if (this.#sizeOf(staged) > SIZE_MAX) {
      staged[Symbol.dispose]();
      return;
    }
    if (this.#last !== undefined) this.drop(this.#last.key);
    const timer = setTimeout(() => this.drop(key), STORED_FOR);
    timer.unref();
    this.#last = { key, staged, timer };
  }

  /** Disposes of the rows of a file. */
  drop(key: string): void {
    this.take(key)?.[Symbol.dispose]();
  }
}
