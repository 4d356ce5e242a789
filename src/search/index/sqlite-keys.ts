import type { Sql } from "../../database/database.ts";
import { type Fragment, fragment } from "../../database/fragment.ts";
import type { IndexedRecord } from "../text/document.ts";
import { TITLE_LENGTH } from "./index-store.ts";
import { inSlices } from "./slices.ts";
import { keyOfPlace } from "./sqlite-key-of-place.ts";

/**
 * The keys of entries, which are the rowids of their words. Keys grow with (created_at, id) and are dense,
 * since FTS5 stores the differences between them. A key is the time in units of about two minutes if that
 * fits between the keys of the neighbors, and otherwise a key near one of them. If no key is free, the
 * neighbors move apart.
 */
const UNIT_BITS = 17;

/** The keys to leave free beside a neighbor, if possible, when the number of later entries there is unknown. */
const ROOM = 2_048;
/** Records count as ordered when this share of them have a smaller id than the next younger record. */
const IN_ORDER = 0.9;

/** The maximum number of entries that one step moves. The words of a moved entry are written again. */
const MOVES_MAX = 500;

interface Neighbor {
  readonly key: number;
  readonly id: number;
  readonly created_at: number;
}

interface Neighbors {
  readonly below: Neighbor | undefined;
  readonly above: Neighbor | undefined;
}

/** The outcome of adding entries. */
export interface Placed {
  /** Ids of entries that have no key yet because their neighbors are still being moved. */
  readonly unplaced: readonly number[];
  /** Ids of entries whose keys have changed. Their words were removed and must be added again. */
  readonly moved: readonly number[];
}

/** Adds entries, but not their words. */
export async function placeEntries(
  sql: Sql,
  entries: Fragment,
  words: Fragment,
  records: readonly IndexedRecord[],
): Promise<Placed> {
  const unplaced: number[] = [];
  const moved = new Set<number>();
  let moves = 0;
  let known: Neighbors | undefined;
  const byAge = records.toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  const isInOrder = areInOrder(byAge);
  for await (const [index, record] of inSlices(byAge.entries())) {
    const { id, createdAt, title, page, host } = record;
    // Records come in order of age, so the previous entry is often the neighbor below, and the one above stays.
    if (known === undefined || !isBetween(record, known)) known = await neighbors(sql, entries, record);
    let key = keyBetween(record, known, isInOrder);
    if (key === undefined && known.below !== undefined && moves < MOVES_MAX) {
      const { above } = known;
      const others = byAge.slice(index);
      const next = others.findIndex((other) => above !== undefined && !isBefore(other, above));
      const count = next === -1 ? others.length : next;
      const apart = await moveApart(sql, entries, words, { after: known.below.key, count });
      moves += apart.length;
      for (const id of apart) moved.add(id);
      known = await neighbors(sql, entries, record);
      key = keyBetween(record, known, isInOrder);
    }
    if (key === undefined) {
      unplaced.push(id);
      continue;
    }
    await sql`insert into ${entries} (key, id, created_at, title, page, host)
      values (${key}, ${id}, ${createdAt}, substr(${title}, 1, ${TITLE_LENGTH}), ${page}, ${host})`;
    known = { below: { key, id, created_at: createdAt }, above: known.above };
  }
  return { unplaced, moved: [...moved] };
}

/** Whether the records were created in the order of their dates, as when users save one after another. */
function areInOrder(byAge: readonly IndexedRecord[]): boolean {
  const pairs = byAge.length - 1;
  let ordered = 0;
  for (let index = 0; index < pairs; index++)
    if ((byAge[index + 1]?.id ?? 0) > (byAge[index]?.id ?? 0)) ordered++;
  return ordered >= pairs * IN_ORDER;
}

async function neighbors(sql: Sql, entries: Fragment, record: IndexedRecord): Promise<Neighbors> {
  const likely = await neighborsOf(sql, entries, fragment`${keyOfTime(record.createdAt)}`);
  if (isBetween(record, likely)) return likely;
  return neighborsOf(sql, entries, keyOfPlace(entries, record.createdAt, record.id));
}

async function neighborsOf(sql: Sql, entries: Fragment, key: Fragment): Promise<Neighbors> {
  const [below] = await sql<Neighbor>`
    select key, id, created_at from ${entries} where key < ${key} order by key desc limit 1`;
  const [above] = await sql<Neighbor>`
    select key, id, created_at from ${entries} where key >= ${key} order by key limit 1`;
  return { below, above };
}

function isBetween(record: IndexedRecord, { below, above }: Neighbors): boolean {
  return (
    (below === undefined || !isBefore(record, below)) && (above === undefined || isBefore(record, above))
  );
}

function isBefore({ createdAt, id }: IndexedRecord, other: Neighbor): boolean {
  return createdAt < other.created_at || (createdAt === other.created_at && id < other.id);
}

function keyOfTime(createdAt: number): number {
  return Math.floor(createdAt / 2 ** UNIT_BITS);
}

/**
 * A free key between those of the neighbors; undefined if there is none. If records come in order, the
 * records with the ids in between are likely to follow: when many records are created at once, the first and
 * the last are indexed first.
 */
function keyBetween(
  { id, createdAt }: IndexedRecord,
  { below, above }: Neighbors,
  isInOrder: boolean,
): number | undefined {
  const wanted = keyOfTime(createdAt);
  const roomFor = (ids: number) => (isInOrder ? Math.max(1, ids) : ROOM);
  const afterBelow = below === undefined ? wanted : below.key + roomFor(id - below.id);
  if (above === undefined) return Math.max(wanted, afterBelow);
  const beforeAbove = above.key - roomFor(above.id - id);
  if (below === undefined) return Math.min(wanted, beforeAbove);
  if (above.key - below.key < 2) return undefined;
  const middle = below.key + Math.floor((above.key - below.key) / 2);
  // Leaves the wanted room on both sides, or else divides the room equally.
  const hasRoom = afterBelow <= beforeAbove;
  if (wanted <= below.key) return hasRoom ? afterBelow : Math.min(afterBelow, middle);
  if (wanted < above.key) return wanted;
  return hasRoom ? beforeAbove : Math.max(beforeAbove, middle);
}

/** A number of entries that have no key yet, and the key after which they belong. */
interface Unplaced {
  readonly after: number;
  readonly count: number;
}

/**
 * Spreads the entries around a key over a wider range, to make room for new ones there. It moves at most as
 * many entries as one step may.
 * @returns the ids of the moved entries
 */
async function moveApart(
  sql: Sql,
  entries: Fragment,
  words: Fragment,
  unplaced: Unplaced,
): Promise<number[]> {
  const { from, stride, crowd } = await crowdAround(sql, entries, unplaced);
  const moves = crowd
    .map((entry, index) => {
      const place = entry.key > unplaced.after ? index + unplaced.count : index;
      return { ...entry, to: from + place * stride };
    })
    .filter((move) => move.to !== move.key);
  // Moves the outermost entries first, so that the order is correct after every move.
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

/** The entries around a key, in the smallest range of keys that has enough room for them and the new ones. */
async function crowdAround(sql: Sql, entries: Fragment, { after, count }: Unplaced) {
  for (let reach = 32; ; reach *= 4) {
    const from = after - reach;
    const crowd = await sql<{ readonly key: number; readonly id: number }>`
      select key, id from ${entries} where key between ${from} and ${after + reach} order by key`;
    const stride = Math.floor((2 * reach) / (crowd.length + count));
    if (stride >= 4) return { from, stride, crowd };
  }
}
