import { CachedRead } from "../database/cached-read.ts";
import type { Database, Sql } from "../database/database.ts";
import type { Basis } from "../http/caching/rendering.ts";
import type { Site } from "../web/site/site-store.ts";
import { LISTED } from "./post-row.ts";
import type { RenderedPosts } from "./rendering/rendered-posts.ts";

/** How long pages are kept while the rendering of a post is late, in milliseconds. */
const WHILE_LATE = 1_000;

/**
 * The basis of all public pages and feeds: the version of the published posts with their comments,
 * of their images, the site's settings, the accounts, whose names are in by-lines, and the renderings that were late. Writes to the
 * library and drafts do not invalidate cached pages.
 */
export function publicBasis(
  database: Database,
  site: Site,
  rendered: Pick<RenderedPosts, "isBehind" | "caughtUp">,
): () => Promise<Basis> {
  const state = new CachedRead(database, async (sql) => {
    const [row] = await sql<{
      changes: number;
      images: number;
      newest: number | Date | null;
      accounts: number;
      renamed: number | Date | null;
    }>`
      select (select coalesce(sum(n), 0) from counters where name = 'posts:changes') as changes,
        (select count(*) from media) as images, (select max(created_at) from media) as newest,
        (select count(*) from accounts) as accounts, (select max(updated_at) from accounts) as renamed`;
    return `${row?.changes} ${row?.images} ${Number(row?.newest ?? 0)} ${row?.accounts} ${Number(row?.renamed ?? 0)}`;
  });
  return async () => {
    const [posts, settings] = await Promise.all([state.current(), site.settings()]);
    return {
      value: `${database.epoch} ${posts} ${rendered.caughtUp} ${JSON.stringify(settings)}`,
      validUntil: rendered.isBehind ? database.clock.now().getTime() + WHILE_LATE : Number.POSITIVE_INFINITY,
    };
  };
}

/** The paths of lists of the site that have nothing to read yet, read again only when the public basis has changed. */
export function emptyLists(
  database: Database,
  publicBasis: () => Promise<Basis>,
): () => Promise<ReadonlySet<string>> {
  let last: { readonly basis: string; readonly paths: ReadonlySet<string> } | undefined;
  return async () => {
    // Taken before the read, so that a commit during the read invalidates the answer.
    const { value: basis } = await publicBasis();
    if (last?.basis !== basis) last = { basis, paths: await readEmptyLists(database.read) };
    return last.paths;
  };
}

async function readEmptyLists(sql: Sql): Promise<ReadonlySet<string>> {
  const [row] = await sql<{
    posts: boolean | number;
    links: boolean | number;
    tags: boolean | number;
  }>`
    select exists (select 1 from posts where ${LISTED}) as posts,
      exists (select 1 from posts where ${LISTED} and kind = 'link') as links,
      exists (select 1 from post_tags join posts on posts.id = post_id where ${LISTED}) as tags`;
  return new Set([
    ...(row?.posts ? [] : ["/archive"]),
    ...(row?.links ? [] : ["/links"]),
    ...(row?.tags ? [] : ["/tags"]),
  ]);
}
