import type { Sql } from "../database/database.ts";
import { LISTED } from "./post-row.ts";
import { countStream } from "./site-posts.ts";

/** A tag of published posts. */
export interface TagCount {
  /** As it was written in the newest post that has it. */
  readonly name: string;
  /** The number of posts with it or a tag below it: those of its page. */
  readonly count: number;
}

/** The tags of the posts of the stream. */
export async function listTagCounts(sql: Sql): Promise<TagCount[]> {
  const rows = await sql<{ key: string; name: string; n: number }>`
    select key, n,
      (select name from post_tags where post_tags.key = used.key and post_id = used.newest limit 1) as name
    from (select key, count(distinct post_tags.post_id) as n, max(post_tags.post_id) as newest
      from post_tags join posts on posts.id = post_id where ${LISTED} group by key) as used order by key`;
  const above = new Set(rows.flatMap(({ key }) => tagsAbove(key)));
  const counts: TagCount[] = [];
  for (const { key, name, n } of rows)
    counts.push({ name, count: above.has(key) ? await countStream(sql, { tag: key }) : Number(n) });
  return counts;
}

/** `a/b` has `a` above it. */
function tagsAbove(key: string): string[] {
  return [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index));
}
