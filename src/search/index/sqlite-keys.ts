import type { Sql } from "../../database/database.ts";
import { type Fragment, fragment } from "../../database/fragment.ts";
import type { IndexedRecord } from "../text/document.ts";
import { inSlices } from "./slices.ts";

/**
 * The keys of entries, which are the rowids of their words: they grow with (created_at, id), and lie close together,
 * since FTS5 stores their differences. A key is the time in units of 16 seconds where that fits between the
 * neighbors' keys, and else one beside them. Where there is none, the neighbors move apart.
 */
const UNIT_BITS = 14;

/** The greatest and the least rowid: what comes after and before all keys. */
export const LAST_KEY = fragment`9223372036854775807`;
export const NO_KEY = fragment`(-9223372036854775807 - 1)`;

/** How many entries move in one step at most: their words are written again. */
const MOVES_MAX = 500;

interface Neighbor {
  readonly key: number;
  readonly id: number;
}

/** What became of new entries. */
export interface Placed {
  /** Ids of entries without a key yet: their neighbors are still being moved. */
  readonly unplaced: readonly number[];
  /** Ids of entries whose keys have changed: their words are gone, and have to be added again. */
  readonly moved: readonly number[];
}

/** Adds entries without their words. */
export async function placeEntries(
  sql: Sql,
  entries: Fragment,
  words: Fragment,
  records: readonly IndexedRecord[],
): Promise<Placed> {
  const unplaced: number[] = [];
  const moved = new Set<number>();
  let moves = 0;
  let last: Neighbor | undefined;
  const byAge = records.toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  for await (const record of inSlices(byAge)) {
    // In the order of age, what comes after the last entry is followed by none either.
    const below: Neighbor | undefined = last ?? (await neighbor(sql, entries, record, "below"));
    const above: Neighbor | undefined =
      last === undefined ? await neighbor(sql, entries, record, "above") : undefined;
    let key = keyBetween(record, below, above);
    if (key === undefined && below !== undefined && moves < MOVES_MAX) {
      const apart = await moveApart(sql, entries, words, below.key);
      moves += apart.length;
      for (const id of apart) moved.add(id);
      key = keyBetween(
        record,
        await neighbor(sql, entries, record, "below"),
        await neighbor(sql, entries, record, "above"),
      );
    }
    if (key === undefined) {
      unplaced.push(record.id);
      continue;
    }
    const { id, createdAt, title, page, host } = record;
    await sql`insert into ${entries} (key, id, created_at, title, page, host)
      values (${key}, ${id}, ${createdAt}, ${title}, ${page}, ${host})`;
    last = above === undefined ? { key, id } : undefined;
  }
  return { unplaced, moved: [...moved] };
}

async function neighbor(
  sql: Sql,
  entries: Fragment,
  { createdAt, id }: IndexedRecord,
  side: "below" | "above",
): Promise<Neighbor | undefined> {
  const [row] =
    side === "below"
      ? await sql<Neighbor>`select key, id from ${entries} where (created_at, id) < (${createdAt}, ${id})
          order by created_at desc, id desc limit 1`
      : await sql<Neighbor>`select key, id from ${entries} where (created_at, id) > (${createdAt}, ${id})
          order by created_at, id limit 1`;
  return row;
}

/**
 * A key between those of the neighbors; undefined when there is none. Ids between a neighbor's and this one are likely
 * to come in between: many records are made at once, and the first and the last of them are indexed first.
 */
function keyBetween(
  { id, createdAt }: IndexedRecord,
  below: Neighbor | undefined,
  above: Neighbor | undefined,
): number | undefined {
  const wanted = Math.floor(createdAt / 2 ** UNIT_BITS);
  const afterBelow = below === undefined ? wanted : below.key + Math.max(1, id - below.id);
  if (above === undefined) return Math.max(wanted, afterBelow);
  const beforeAbove = above.key - Math.max(1, above.id - id);
  if (below === undefined) return Math.min(wanted, beforeAbove);
  if (above.key - below.key < 2) return undefined;
  const middle = below.key + Math.floor((above.key - below.key) / 2);
  // Room for all ids on both sides, or else half of it for each.
  const hasRoom = afterBelow <= beforeAbove;
  if (wanted <= below.key) return hasRoom ? afterBelow : Math.min(afterBelow, middle);
  if (wanted < above.key) return wanted;
  return hasRoom ? beforeAbove : Math.max(beforeAbove, middle);
}

/** Spreads the entries around a key over more keys, as many of them as one step may. @returns the ids of those that have moved */
async function moveApart(sql: Sql, entries: Fragment, words: Fragment, key: number): Promise<number[]> {
  const { from, stride, crowd } = await crowdAround(sql, entries, key);
  const moves = crowd
    .map((entry, index) => ({ ...entry, to: from + index * stride }))
    .filter((move) => move.to !== move.key);
  // Those at the edges go first, so that the order holds whenever one stops.
  const upward = moves.filter((move) => move.to > move.key).toReversed();
  const downward = moves.filter((move) => move.to < move.key);
  const now = [
    ...upward.slice(0, Math.max(MOVES_MAX / 2, MOVES_MAX - downward.length)),
    ...downward.slice(0, Math.max(MOVES_MAX / 2, MOVES_MAX - upward.length)),
  ];
  for (const move of now) {
    await sql`delete from ${words} where rowid = ${move.key}`;
    await sql`update ${entries} set key = ${move.to} where key = ${move.key}`;
  }
  return now.map(({ id }) => id);
}

/** The entries around a key that are few enough to be spread over the keys that they have there. */
async function crowdAround(sql: Sql, entries: Fragment, key: number) {
  for (let reach = 32; ; reach *= 4) {
    const from = key - reach;
    const crowd = await sql<Neighbor>`
      select key, id from ${entries} where key between ${from} and ${key + reach} order by key`;
    const stride = Math.floor((2 * reach) / crowd.length);
    if (stride >= 4) return { from, stride, crowd };
  }
}

/** The key of the entry that comes before a place in the order of age; {@link NO_KEY} when there is none. */
export function keyBefore(entries: Fragment, createdAt: number, id: number): Fragment {
  return fragment`coalesce((select key from ${entries} where (created_at, id) < (${createdAt}, ${id})
    order by created_at desc, id desc limit 1), ${NO_KEY})`;
}
