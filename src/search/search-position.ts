import type { FoundEntry, RankedPosition } from "./index/index-store.ts";
import { BEGINNING_TIER, type ListTier } from "./query/tiers.ts";

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
  if (after === undefined || after.tier === 0 || after.tier === BEGINNING_TIER) return undefined;
  return { tier: after.tier, createdAt: Number(after.key), id: after.id };
}

/** The position after which the next page begins. */
export function positionOf({ entry, tier }: ListedEntry, sort: Sort): SearchPosition {
  return { tier, key: keyOf(entry, sort), id: entry.id };
}

function keyOf({ title = "", createdAt }: FoundEntry, sort: Sort): string | number {
  return sort === "title" ? title : createdAt;
}

/** The entries after the position, in sort order: those of the query's web page, which are few, among the others. */
export function mergeSorted(
  entries: readonly FoundEntry[],
  sort: Exclude<Sort, "relevance">,
  after: SearchPosition | undefined,
): FoundEntry[] {
  const sign = sort === "newest" ? -1 : 1;
  const compare = (one: Keyed, other: Keyed) => sign * (compareKeys(one.key, other.key) || one.id - other.id);
  return entries
    .filter((entry) => after === undefined || compare({ key: keyOf(entry, sort), id: entry.id }, after) > 0)
    .toSorted((one, other) =>
      compare({ key: keyOf(one, sort), id: one.id }, { key: keyOf(other, sort), id: other.id }),
    );
}

type Keyed = Pick<SearchPosition, "key" | "id">;

/** Compares texts by code point, like both engines. */
function compareKeys(one: string | number, other: string | number): number {
  if (typeof one === "number" || typeof other === "number") return Number(one) - Number(other);
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
