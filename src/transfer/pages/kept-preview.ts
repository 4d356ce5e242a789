import type { StagedSite } from "../import/staged-site.ts";

/** How long a file that was read is kept, in milliseconds. */
const KEPT_FOR = 10 * 60 * 1000;
/** The maximum size of its records, in bytes. */
const SIZE_MAX = 128 * 1024 * 1024;

/**
 * The file that this process read last, so that its preview and its report need not read it again. Another process, or
 * this one later, reads the stored file.
 */
export class KeptPreview {
  #kept: { readonly key: string; readonly site: StagedSite; readonly timer: Timer } | undefined;

  /** Hands the records of a file out to one caller, which keeps or disposes of them. */
  take(key: string): StagedSite | undefined {
    if (this.#kept?.key !== key) return undefined;
    const { site, timer } = this.#kept;
    clearTimeout(timer);
    this.#kept = undefined;
    return site;
  }

  /** Keeps the records of a file instead of another one's, or disposes of them if they are too large. */
  keep(key: string, site: StagedSite): void {
    if (site.records.size > SIZE_MAX) {
      site[Symbol.dispose]();
      return;
    }
    if (this.#kept !== undefined) this.drop(this.#kept.key);
    const timer = setTimeout(() => this.drop(key), KEPT_FOR);
    timer.unref();
    this.#kept = { key, site, timer };
  }

  /** Disposes of the records of a file. */
  drop(key: string): void {
    this.take(key)?.[Symbol.dispose]();
  }
}
