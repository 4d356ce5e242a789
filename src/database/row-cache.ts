import { type Awaitable, thenSync } from "../awaitable.ts";
import type { Stamp } from "./database.ts";
import type { Stamps } from "./request-stamp.ts";

/**
 * Rows read since the last commit of any process. Commits empty SQLite's own page cache, so a row that many requests
 * need is cached between two commits. Where the stamp costs a round trip, each row is read again.
 */
export class RowCache<Row> {
  readonly #stamps: Pick<Stamps, "stampNow">;
  readonly #capacity: number;
  readonly #isCached: (row: Row) => boolean;
  readonly #rows = new Map<number, Row>();
  #stamp: Stamp | undefined;

  /**
   * @param capacity the maximum number of cached rows; beyond it, all are dropped
   * @param isCached whether to cache a row, by its size for example; by default always
   */
  constructor(
    stamps: Pick<Stamps, "stampNow">,
    capacity: number,
    isCached: (row: Row) => boolean = () => true,
  ) {
    this.#stamps = stamps;
    this.#capacity = capacity;
    this.#isCached = isCached;
  }

  /**
   * @param read reads the row; undefined when there is none, which is not cached
   * @param stamps the stamp of the request that is served
   */
  get(
    id: number,
    read: (id: number) => Awaitable<Row | undefined>,
    stamps: Pick<Stamps, "stampNow"> = this.#stamps,
  ): Awaitable<Row | undefined> {
    // Taken before the row is read: after a commit in between, the row is newer than its stamp, which is harmless.
    const stamp = stamps.stampNow();
    if (stamp === undefined) return read(id);
    if (stamp !== this.#stamp) {
      this.#rows.clear();
      this.#stamp = stamp;
    }
    return this.#rows.get(id) ?? this.#readInto(id, read, stamp);
  }

  #readInto(
    id: number,
    read: (id: number) => Awaitable<Row | undefined>,
    stamp: Stamp,
  ): Awaitable<Row | undefined> {
    return thenSync(read(id), (row) => {
      if (row !== undefined && stamp === this.#stamp && this.#isCached(row)) {
        if (this.#rows.size >= this.#capacity) this.#rows.clear();
        this.#rows.set(id, row);
      }
      return row;
    });
  }
}
