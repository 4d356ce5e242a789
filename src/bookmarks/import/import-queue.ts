import { Refusal } from "../../errors.ts";

/** How many files are read at once, and how many uploads may wait. */
const AT_ONCE = 1;
const WAITING = 9;

/**
 * The files that this process reads for imports, of bookmarks and of blogs: each takes memory and time, so few are read at
 * once. An upload has its place before its body is read; when there is none, it is refused early.
 */
export class ImportQueue {
  #places = AT_ONCE + WAITING;
  #free = AT_ONCE;
  readonly #waiting: (() => void)[] = [];

  /** Takes a place for an upload. @throws Refusal `unavailable` when all are taken */
  enter(): Disposable {
    if (this.#places === 0)
      throw new Refusal(
        "unavailable",
        "Many files are being imported at the moment. Try again in a minute.",
        {
          retryAfter: 60,
        },
      );
    this.#places--;
    return {
      [Symbol.dispose]: () => {
        this.#places++;
      },
    };
  }

  /** Reads a file as soon as it is its turn. */
  async turn<T>(read: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    try {
      return await read();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/** The one of this process. */
export const imports = new ImportQueue();
