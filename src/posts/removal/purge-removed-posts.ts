import { expiryBefore } from "../../changes/change-store.ts";
import type { Sql } from "../../database/database.ts";
import { deleteHidden } from "../../media/media-store.ts";
import type { RemovedPost } from "./remove-post.ts";

/** Deletes at most `limit` removed posts that can no longer be restored, and their hidden images. @returns how many */
export async function purgeRemovedPosts(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql<{ id: number; before: string | null }>`
    select changes.id, before from changes
      left join change_rows on change_id = changes.id and change_rows.record = 'post'
    where changes.record = 'post' and changes.created_at <= ${expiryBefore(now)}
    order by changes.created_at limit ${limit}`;
  if (rows.length === 0) return 0;
  for (const { before } of rows) {
    const { images = [] }: Pick<RemovedPost, "images"> = before === null ? {} : JSON.parse(before);
    for (const { sha } of images) await deleteHidden(sql, sha, now);
  }
  await sql`delete from changes where id in ${rows.map(({ id }) => Number(id))}`;
  return rows.length;
}
