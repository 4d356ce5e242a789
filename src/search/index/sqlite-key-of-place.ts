import { type Fragment, fragment } from "../../database/fragment.ts";

/** Less than every id. */
export const NO_ID = -1;

/**
 * The key that separates the entries before and after a position in the order by age: all entries before it
 * have smaller keys. Keys grow with (created_at, id), so a binary search finds it in about twenty steps,
 * without an index.
 */
export function keyOfPlace(entries: Fragment, createdAt: number, id: number): Fragment {
  const isBefore = fragment`(e.created_at, e.id) < (${createdAt}, ${id})`;
  return fragment`(
    with recursive span (low, high) as (
      select (select min(key) from ${entries}), (select max(key) + 1 from ${entries})
      union all
      select case when ${isBefore} then e.key + 1 else low end,
        case when ${isBefore} then high else low + (high - low) / 2 end
      from span join ${entries} e
        on e.key = (select key from ${entries} where key >= low + (high - low) / 2 order by key limit 1)
      where low < high)
    select max(low) from span)`;
}
