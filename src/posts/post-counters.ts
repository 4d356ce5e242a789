import { addToCounter, lockCounter, sumOfCounter } from "../database/counters.ts";
import type { Sql } from "../database/database.ts";
import type { PostCollection } from "./post.ts";

/**
 * The counters of each collection, rows of `counters` that each change updates in its transaction:
 * `posts:changes` grows with every change and never shrinks; `posts:total`, `posts:month:2026-11` and
 * `posts:day:2026-11-21` count the posts, in all and by the day of their creation (UTC).
 */

/** Counts a post that was created in a collection or moved to it. */
export function countAdded(sql: Sql, collection: PostCollection, createdAt: Date): Promise<void> {
  return addPosts(sql, collection, createdAt, 1);
}

/** Counts a post that was deleted from a collection or moved out of it. */
export function countRemoved(sql: Sql, collection: PostCollection, createdAt: Date): Promise<void> {
  return addPosts(sql, collection, createdAt, -1);
}

/** Counts a visible change of a collection. */
export async function countChanged(sql: Sql, collection: PostCollection): Promise<void> {
  await addToCounter(sql, `${collection}:changes`, 1);
}

/** Locks the collection until the transaction ends. */
export function lockCollection(sql: Sql, collection: PostCollection): Promise<void> {
  return lockCounter(sql, `${collection}:changes`);
}

/** The version of a collection: different after any visible change. */
export function collectionVersion(sql: Sql, collection: PostCollection): Promise<number> {
  return sumOfCounter(sql, `${collection}:changes`);
}

/** The exact number of posts in a collection and its version, read by one statement. */
export async function collectionState(
  sql: Sql,
  collection: PostCollection,
): Promise<{ count: number; version: number }> {
  const [total, changes] = [`${collection}:total`, `${collection}:changes`];
  const [row] = await sql<{ count: number; version: number }>`
    select coalesce(sum(n) filter (where name = ${total}), 0) as count,
      coalesce(sum(n) filter (where name = ${changes}), 0) as version
    from counters where name in (${total}, ${changes})`;
  return { count: Number(row?.count), version: Number(row?.version) };
}

/** A day, and the number of posts created on later days. */
export interface DayWithOffset {
  /** Its end: midnight of the next day, UTC. */
  readonly end: Date;
  readonly later: number;
}

/**
 * The day of the post that has `offset` newer ones before it. Reads one row per month, then one per day of that
 * month.
 *
 * @returns undefined if there are fewer posts
 */
export async function findDay(
  sql: Sql,
  collection: PostCollection,
  offset: number,
): Promise<DayWithOffset | undefined> {
  const month = await findPeriod(sql, `${collection}:month:`, offset, 0);
  if (month === undefined) return undefined;
  const day = await findPeriod(sql, `${collection}:day:${month.name}-`, offset, month.later);
  if (day === undefined) return undefined;
  const start = Date.parse(`${month.name}-${day.name}T00:00:00.000Z`);
  return { end: new Date(start + DAY), later: day.later };
}

const DAY = 24 * 60 * 60 * 1000;

/** Walks the periods whose counters begin with `prefix`, latest first, until the post at `offset` is in one. */
async function findPeriod(
  sql: Sql,
  prefix: string,
  offset: number,
  laterThanAll: number,
): Promise<{ name: string; later: number } | undefined> {
  const rows = await sql<{ name: string; n: number }>`
    select name, sum(n) as n from counters where name >= ${prefix} and name < ${`${prefix}~`}
    group by name order by name desc`;
  let later = laterThanAll;
  for (const { name, n } of rows) {
    if (offset < later + Number(n)) return { name: name.slice(prefix.length), later };
    later += Number(n);
  }
  return undefined;
}

/** Counts several added or removed posts together, by collection and day of creation. */
export class PostCounts {
  /** The first of the names of its counters. */
  readonly name = "drafts";
  readonly #counts = new Map<string, number>();

  /** @param n 1 for an added post, -1 for a removed one */
  add(collection: PostCollection, createdAt: Date, n: 1 | -1): void {
    const { day, month, total } = counterNames(collection, createdAt);
    for (const name of [day, month, total]) this.#add(name, n);
    this.change(collection);
  }

  /** Counts a change of a post that stays where it is. */
  change(collection: PostCollection): void {
    this.#add(`${collection}:changes`, 1);
  }

  /** Stores them, in the order of their names. One of the last steps of a transaction. */
  async store(sql: Sql): Promise<void> {
    const names = [...this.#counts.keys()].toSorted();
    for (const name of names) await addToCounter(sql, name, this.#counts.get(name) ?? 0);
  }

  #add(name: string, n: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + n);
  }
}

async function addPosts(sql: Sql, collection: PostCollection, createdAt: Date, n: 1 | -1): Promise<void> {
  const { changes, day, month, total } = counterNames(collection, createdAt);
  const { slot } = sql;
  // One statement, in the order of the names, in every transaction, so that two never wait for each other.
  await sql`
    insert into counters (name, slot, n) values (${changes}, ${slot}, 1), (${day}, ${slot}, ${n}),
      (${month}, ${slot}, ${n}), (${total}, ${slot}, ${n})
    on conflict (name, slot) do update set n = counters.n + excluded.n`;
}

/** The counters of a collection to which a post of this day belongs. */
function counterNames(collection: PostCollection, createdAt: Date) {
  const day = createdAt.toISOString().slice(0, 10);
  return {
    changes: `${collection}:changes`,
    day: `${collection}:day:${day}`,
    month: `${collection}:month:${day.slice(0, 7)}`,
    total: `${collection}:total`,
  };
}
