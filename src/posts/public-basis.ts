import type { Database } from "../database/database.ts";
import { CachedRead } from "../database/load/cached-read.ts";
import type { Basis } from "../http/caching/rendering.ts";
import type { Site } from "../web/site/site.ts";
import { publishDuePosts } from "./publication/scheduled-posts.ts";

/**
 * The basis of all public pages and feeds: the version of the published posts with their comments and publications,
 * of their images, and the site's settings. Writes to the library, drafts and accounts do not invalidate cached
 * pages.
 */
export function publicBasis(database: Database, site: Site): () => Promise<Basis> {
  const state = new CachedRead(database, async (sql) => {
    const [row] = await sql<{ changes: number; images: number; newest: number | Date | null }>`
      select (select coalesce(sum(n), 0) from counters where name = 'posts:changes') as changes,
        (select count(*) from media) as images, (select max(created_at) from media) as newest`;
    return `${row?.changes} ${row?.images} ${Number(row?.newest ?? 0)}`;
  });
  return async () => {
    // First, since it may change the rest.
    const validUntil = await publishDuePosts(database);
    const [posts, settings] = await Promise.all([state.current(), site.settings()]);
    return { value: `${database.epoch} ${posts} ${JSON.stringify(settings)}`, validUntil };
  };
}
