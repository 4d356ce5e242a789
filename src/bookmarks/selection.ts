import type { Sql } from "../database/database.ts";
import { inBatches } from "./batches.ts";

/** Which bookmarks: by a search, or by ids. */
export interface Selection {
  readonly q?: string | undefined;
  readonly ids?: readonly number[] | undefined;
}

const IDS_AT_ONCE = 1_000;

/** Those of some ids that bookmarks have, each once, ascending. */
export async function existingIds(read: Sql, ids: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  const wanted = [...new Set(ids)].toSorted((a, b) => a - b);
  for (const batch of inBatches(wanted, IDS_AT_ONCE)) {
    const rows = await read<{ id: number }>`select id from bookmarks where id in ${batch} order by id`;
    found.push(...rows.map(({ id }) => Number(id)));
  }
  return found;
}
