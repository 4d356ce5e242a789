import { EncodedBody } from "../encoding/content-coding.ts";
import type { ResponseData } from "../response-data.ts";

/** Largest cached body, as a share of the cache: a larger one would evict too many others. */
const LARGEST = 1 / 16;
/** Longest cached key, in characters: real URLs are shorter. */
const KEY_MAX = 512;

/** A cached body. */
export interface CachedBody {
  readonly etag: string;
  readonly body: EncodedBody;
  readonly headers: ResponseData["headers"];
  /** The basis from which it was rendered, if the source has one. */
  basis: string | undefined;
  /** The database's stamp when the tag was last known to be current. */
  stamp: number | string;
  /** When it expires even without a commit, in milliseconds since 1970. */
  validUntil: number;
}

type Entry = CachedBody & { size: number };

/** Bodies by key, of limited total size; the least recently used are evicted. */
export class CachedBodies {
  readonly #capacity: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** @param capacity in bytes */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Size of the largest body that is cached, in bytes. */
  get bodyMax(): number {
    return this.#capacity * LARGEST;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Used bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): CachedBody | undefined {
    return this.#entries.get(key);
  }

  /** Marks a body as the most recently used. */
  touch(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  /** Caches a text in place of the former one under its key, unless text or key is too long. */
  set(key: string, text: string, rest: Omit<CachedBody, "body">): EncodedBody {
    const body = new EncodedBody(text, (added) => this.#grow(key, entry, added));
    // The approximate size of the key in UTF-16 and of the objects.
    const entry: Entry = { ...rest, body, size: body.plain.size + 2 * key.length + 200 };
    this.#remove(key);
    if (key.length > KEY_MAX || body.plain.size > this.bodyMax) return body;
    this.#entries.set(key, entry);
    this.#bytes += entry.size;
    this.#evict();
    return body;
  }

  /** An entry grows with each content coding of its body. */
  #grow(key: string, entry: Entry, added: number): void {
    if (this.#entries.get(key) !== entry) return;
    entry.size += added;
    this.#bytes += added;
    this.#evict();
  }

  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#capacity) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#bytes -= entry.size;
    this.#entries.delete(key);
  }
}
