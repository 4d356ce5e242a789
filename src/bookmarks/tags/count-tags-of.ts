import type { Sql } from "../../database/database.ts";
import type { TagCount } from "../search/search-results.ts";

/** The tags of some bookmarks, the most frequent first, as the search index knows them. */
export async function countTagsOf(sql: Sql, ids: readonly number[], limit: number): Promise<TagCount[]> {
  if (ids.length === 0) return [];
  const rows = await sql<{ name: string; n: number }>`
    select min(coalesce(name, tag_key)) as name, count(*) as n from search_bookmarks_tags where record_id in ${ids}
    group by tag_key order by n desc, tag_key limit ${limit}`;
  return rows.map(({ name, n }) => ({ name, count: Number(n) }));
}
