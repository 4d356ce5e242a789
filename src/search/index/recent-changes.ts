import type { Sql } from "../../database/database.ts";

/** More changes than this since the last check, and per second, mean that others are writing. */
const BUSY_FROM = 8;
const BUSY_PER_SECOND = 100;

/** Checks whether any process has changed many records since the last check. */
export class RecentChanges {
  readonly #read: Sql;
  #last: number | undefined;
  #since = performance.now();

  constructor(read: Sql) {
    this.#read = read;
  }

  /** The first call has nothing to compare with, and returns false. */
  async areMany(): Promise<boolean> {
    const count = await countChanges(this.#read);
    const now = performance.now();
    const changes = count - (this.#last ?? count);
    const seconds = (now - this.#since) / 1_000;
    this.#last = count;
    this.#since = now;
    return changes > BUSY_FROM && changes > seconds * BUSY_PER_SECOND;
  }
}

async function countChanges(read: Sql): Promise<number> {
  const [row] = await read<{ n: number }>`
    select coalesce(sum(n), 0) as n from counters
    where name in ('bookmarks:changes', 'posts:changes', 'drafts:changes', 'comments:changes')`;
  return Number(row?.n);
}
