import { listTargets } from "../../accounts/keys.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { NOT_ARCHIVED } from "../../bookmarks/shares/share.ts";
import type { Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { withSiteDays } from "../../posts/publication/site-days.ts";
import { parseQuery } from "../../search/query/parser.ts";
import type { ParsedQuery } from "../../search/query/query.ts";
import { QueryError } from "../../search/query/query-error.ts";
import type { Search } from "../../search/search.ts";
import { readSite } from "../../web/site/site-store.ts";

/**
 * Refuses links that a shared list shows, as a transaction sees them: what its readers see is changed by people alone, as published
 * posts are. A tag can put a link on a list.
 * @param evenArchived whether links count that are only not shown because they are archived
 * @throws Refusal `conflict`
 */
export async function refuseShared(
  sql: Sql,
  search: Search,
  ids: readonly number[],
  now: Date,
  evenArchived = false,
): Promise<void> {
  const queries = await listTargets(sql, "shared-list", now);
  if (queries.length === 0) return;
  const vocabulary = withSiteDays(indexedBookmarks.vocabulary, (await readSite(sql)).timeZone);
  const shown = new Set<number>();
  for (const query of queries.flatMap((text) => parsed(text, vocabulary)))
    for (const id of await search.among(
      sql,
      { query, visible: evenArchived ? undefined : NOT_ARCHIVED },
      ids,
    ))
      shown.add(id);
  if (shown.size === 0) return;
  const names = [...shown].toSorted((one, other) => one - other).join(", ");
  throw new Refusal(
    "conflict",
    `Others see, or would see, these links on a list that is shared: ${names}. Only your user can change what they see. Nothing was changed.`,
  );
}

/** The search of a list; none for one that is not valid any more, which shows nothing. */
function parsed(text: string, vocabulary: Parameters<typeof parseQuery>[1]): ParsedQuery[] {
  try {
    return [parseQuery(text, vocabulary)];
  } catch (error) {
    if (error instanceof QueryError) return [];
    throw error;
  }
}
