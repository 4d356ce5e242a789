import type { Sql } from "../../database/database.ts";
import type { PostCounts } from "../post-counters.ts";
import { lockPosts } from "../post-store.ts";

/**
 * Makes published posts drafts, as a person would by unpublishing each; those that are drafts by now stay as they are. The
 * caller stores the counters.
 */
export async function makeDrafts(
  sql: Sql,
  ids: ReadonlySet<number>,
  now: Date,
  counts: PostCounts,
): Promise<void> {
  await lockPosts(sql, ids);
  for (const id of ids) {
    const [row] = await sql<{ created_at: Date | number }>`
      update posts set published = ${false}, updated_at = ${now}, publish_at = null,
        publication_version = publication_version + 1, version = version + 1
      where id = ${id} and published = ${true} returning created_at`;
    if (row === undefined) continue;
    const createdAt = new Date(row.created_at);
    counts.add("posts", createdAt, -1);
    counts.add("drafts", createdAt, 1);
  }
}
