import { expiryBefore } from "../../changes/change-store.ts";
import type { Sql } from "../../database/database.ts";
import { deleteHidden, showMedia } from "../../media/media-store.ts";
import { findUsedMedia } from "../editing/shown-media.ts";
import type { RemovedPost } from "./remove-post.ts";

/** Deletes at most `limit` removed posts that can no longer be restored, and their hidden images. @returns how many */
export async function purgeRemovedPosts(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql<{ id: number; before: string | null }>`
    select changes.id, before from changes
      left join change_rows on change_id = changes.id and change_rows.record = 'post'
    where changes.record = 'post' and changes.created_at <= ${expiryBefore(now)}
    order by changes.created_at limit ${limit}`;
  if (rows.length === 0) return 0;
  await sql`delete from changes where id in ${rows.map(({ id }) => Number(id))}`;
  const images = rows.flatMap(({ before }) => {
    const removed: Pick<RemovedPost, "images"> = before === null ? {} : JSON.parse(before);
    return removed.images ?? [];
  });
  if (images.length === 0) return rows.length;
  // Something may have come to use an image by its address.
  const used = await findUsedMedia(sql);
  for (const image of images)
    if (used.has(image.sha)) await showMedia(sql, [image]);
    else await deleteHidden(sql, image.sha, now);
  return rows.length;
}
