import type { StagedSite } from "../import/staged-site.ts";

/** How long the records of a file are stored, in milliseconds. */
const STORED_FOR = 10 * 60 * 1000;
/** The maximum size of its records, in bytes. */
const SIZE_MAX = 128 * 1024 * 1024;

/**
 * The records of the file that this process read last, so that its preview and its report need not read it again. Another
 * process, or this one later, reads the uploaded file.
 */
export class PreviewCache {
  #last: { readonly key: string; readonly site: StagedSite; readonly timer: Timer } | undefined;

  /** Removes the records of a file for one caller, which stores them again or disposes of them. */
  take(key: string): StagedSite | undefined {
    if (this.#last?.key !== key) return undefined;
    const { site, timer } = this.#last;
    clearTimeout(timer);
    this.#last = undefined;
    return site;
  }

  /** Stores the records of a file instead of another one's, or disposes of them if they are too large. */
  store(key: string, site: StagedSite): void {
    if (site.records.size > SIZE_MAX) {
      site[Symbol.dispose]();
      return;
    }
    if (this.#last !== undefined) this.drop(this.#last.key);
    const timer = setTimeout(() => this.drop(key), STORED_FOR);
    timer.unref();
    this.#last = { key, site, timer };
  }

  /** Disposes of the records of a file. */
  drop(key: string): void {
    this.take(key)?.[Symbol.dispose]();
  }
}
