import type { Sql } from "../../database/database.ts";

/** Fewer changes since the last check count as none. */
const FEW = 8;

/** Counts the changes of records by all processes since the last check. */
export class RecentChanges {
  readonly #read: Sql;
  #last: number | undefined;
  #since = performance.now();

  constructor(read: Sql) {
    this.#read = read;
  }

  /** The changes per second. The first call has nothing to compare with, and returns 0. */
  async perSecond(): Promise<number> {
    const count = await countChanges(this.#read);
    const now = performance.now();
    const changes = count - (this.#last ?? count);
    const seconds = (now - this.#since) / 1_000;
    this.#last = count;
    this.#since = now;
    return changes > FEW ? changes / seconds : 0;
  }

  /** Records that nothing was committed since the last check. It needs no query. */
  noteNone(): void {
    this.#since = performance.now();
  }
}

async function countChanges(read: Sql): Promise<number> {
  const [row] = await read<{ n: number }>`
    select coalesce(sum(n), 0) as n from counters
    where name in ('bookmarks:changes', 'posts:changes', 'drafts:changes', 'comments:changes')`;
  return Number(row?.n);
}
