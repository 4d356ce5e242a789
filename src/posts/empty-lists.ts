import type { Database, Sql } from "../database/database.ts";
import type { Basis } from "../http/caching/rendering.ts";
import { LISTED } from "./post-row.ts";

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
  const [row] = await sql<{ links: boolean | number; tags: boolean | number }>`
    select exists (select 1 from posts where ${LISTED} and kind = 'link') as links,
      exists (select 1 from post_tags join posts on posts.id = post_id where ${LISTED}) as tags`;
  return new Set([...(row?.links ? [] : ["/links"]), ...(row?.tags ? [] : ["/tags"])]);
}
