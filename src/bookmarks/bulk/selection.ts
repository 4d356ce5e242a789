import { inBatches } from "../../batches.ts";
import type { Sql } from "../../database/database.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import type { Search } from "../../search/search.ts";

/** Selects bookmarks, by a search or by their ids. */
export interface Selection {
  readonly q?: { readonly parsed: ParsedQuery } | undefined;
  readonly ids?: readonly number[] | undefined;
}

export interface Selected {
  /** The ids of existing bookmarks, each once. */
  readonly ids: readonly number[];
  /** The number of bookmarks that are not indexed yet. */
  readonly behind: number;
}

const IDS_AT_ONCE = 1_000;

/**
 * The bookmarks of a selection.
 * @param inside whether the caller may read copies, inside which bookmarks are found, too
 * @throws Refusal `unavailable` when the search takes too long
 */
export async function selected(
  read: Sql,
  search: Search,
  { q, ids = [] }: Selection,
  inside: boolean,
): Promise<Selected> {
  if (q === undefined) return { ids: await existingIds(read, ids), behind: 0 };
  const behind = await search.behind(inside);
  const found: number[] = [];
  for await (const batch of search.batches({ query: q.parsed, sort: "newest", limit: IDS_AT_ONCE, inside }))
    found.push(...batch);
  return { ids: found, behind };
}

async function existingIds(read: Sql, ids: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  const wanted = [...new Set(ids)].toSorted((a, b) => a - b);
  for (const batch of inBatches(wanted, IDS_AT_ONCE)) {
    const rows = await read<{ id: number }>`select id from bookmarks where id in ${batch} order by id`;
    found.push(...rows.map(({ id }) => Number(id)));
  }
  return found;
}
