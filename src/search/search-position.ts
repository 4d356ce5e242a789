import type { FoundEntry, RankedPosition } from "./index/index-store.ts";
import { BEGINNING_TIER, INSIDE_TIER, type ListTier, TIERS } from "./query/tiers.ts";

export const SORTS = ["relevance", "newest", "oldest", "title"] as const;
export type Sort = (typeof SORTS)[number];

/** The position from which a list of matches continues: after this entry in this tier. */
export interface SearchPosition {
  readonly tier: ListTier;
  /** The sort key: the time in milliseconds since 1970, or the title. */
  readonly key: string | number;
  readonly id: number;
}

/** A match with its tier of the list. */
export interface ListedEntry {
  readonly entry: FoundEntry;
  readonly tier: ListTier;
}

/** The position among the matches by words; undefined at their beginning. */
export function rankedPosition(after: SearchPosition | undefined): RankedPosition | undefined {
  const tier = TIERS.find((one) => one === after?.tier);
  return after && tier && { tier, createdAt: Number(after.key), id: after.id };
}

/** Whether a position is behind all matches by words. */
export function isBelowWords({ tier }: SearchPosition): boolean {
  return tier === BEGINNING_TIER || tier === INSIDE_TIER;
}

/** The position after which the next page begins. */
export function positionOf({ entry, tier }: ListedEntry, sort: Sort): SearchPosition {
  return { tier, key: keyOf(entry, sort), id: entry.id };
}

function keyOf({ title = "", createdAt }: FoundEntry, sort: Sort): string | number {
  return sort === "title" ? title : createdAt;
}

/** The entries after the position, in sort order, each once: the first of several lists has it. */
export function mergeSorted(
  lists: readonly (readonly ListedEntry[])[],
  sort: Exclude<Sort, "relevance">,
  after: SearchPosition | undefined,
): ListedEntry[] {
  const sign = sort === "newest" ? -1 : 1;
  const compare = (one: Keyed, other: Keyed) => sign * (compareKeys(one.key, other.key) || one.id - other.id);
  const keyed = (entry: FoundEntry) => ({ key: keyOf(entry, sort), id: entry.id });
  const listed = new Map<number, ListedEntry>();
  for (const list of lists)
    for (const one of list) if (!listed.has(one.entry.id)) listed.set(one.entry.id, one);
  return [...listed.values()]
    .filter(({ entry }) => after === undefined || compare(keyed(entry), after) > 0)
    .toSorted((one, other) => compare(keyed(one.entry), keyed(other.entry)));
}

type Keyed = Pick<SearchPosition, "key" | "id">;

/** Compares texts by code point, like both engines. */
function compareKeys(one: string | number, other: string | number): number {
  if (typeof one === "number" || typeof other === "number") return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
