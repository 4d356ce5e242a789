import { Refusal } from "../errors.ts";

/** How many files may be uploaded at once: each is in memory until it is stored. */
const PLACES = 10;

/** The uploads of files to import: each has its place before its body is read; when there is none, it is refused early. */
export class WaitingUploads {
  #places = PLACES;

  /** Takes a place for an upload. @throws Refusal `unavailable` when all are taken */
  enter(): Disposable {
    if (this.#places === 0)
      throw new Refusal(
        "unavailable",
        "Many files are being imported at the moment. Try again in a minute.",
        { retryAfter: 60 },
      );
    this.#places--;
    return {
      [Symbol.dispose]: () => {
        this.#places++;
      },
    };
  }
}

/** Those of this process. */
export const waitingUploads = new WaitingUploads();
