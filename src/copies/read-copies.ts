import type { Sql } from "../database/database.ts";
import { type ReadCopy, readByDefault } from "./copy.ts";
import type { FailureReason } from "./fetching/copy-failure.ts";

interface CopyRow {
  readonly id: number;
  readonly bookmark_id: number;
  readonly words: number;
  readonly is_chosen: boolean | number;
  readonly is_gone: boolean | number;
}

/** The copies of bookmarks that are read: the chosen ones, or {@link readByDefault}; bookmarks without one are absent. */
export async function readCopies(sql: Sql, bookmarkIds: readonly number[]): Promise<Map<number, ReadCopy>> {
  if (bookmarkIds.length === 0) return new Map();
  const rows = await sql<CopyRow>`
    select c.id, c.bookmark_id, c.words, exists (select 1 from reading r
      where r.bookmark_id = c.bookmark_id and r.copy_id = c.id) as is_chosen, exists (select 1 from copy_failures f
      where f.bookmark_id = c.bookmark_id and f.reason = ${"gone" satisfies FailureReason}) as is_gone
    from copies c where c.bookmark_id in ${bookmarkIds} order by c.taken_at desc, c.id desc`;
  const read = new Map<number, ReadCopy>();
  for (const [bookmarkId, copies] of Map.groupBy(rows, (row) => Number(row.bookmark_id))) {
    const newestFirst = copies.map(({ id, words, is_gone }) => ({
      ...{ id: Number(id), words: Number(words), isGone: Boolean(is_gone) },
    }));
    const chosen = newestFirst[copies.findIndex(({ is_chosen }) => Boolean(is_chosen))];
    const copy = chosen ?? readByDefault(newestFirst);
    if (copy !== undefined) read.set(bookmarkId, copy);
  }
  return read;
}
