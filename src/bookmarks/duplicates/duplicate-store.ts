import { setImmediate } from "node:timers/promises";
import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { pageKey } from "../../search/text/page-key.ts";

/** The maximum number of bookmarks in a group. */
const GROUP_MAX = 100;

/** The number of index entries that one statement reads, so that it never blocks others for long. */
const ENTRIES_AT_ONCE = 20_000;

/** Bookmarks of the same page. */
export interface DuplicateGroup {
  /** The page key that their URLs share in the search index. */
  readonly page: string;
  /** Newest first; the first 100 of very many. */
  readonly ids: readonly number[];
}

/**
 * Groups of bookmarks of the same page, in the order of the index, at most `limit` of them.
 * @param after the page of the last group before
 */
export async function findDuplicates(sql: Sql, limit: number, after = ""): Promise<DuplicateGroup[]> {
  const groups: DuplicateGroup[] = [];
  let from: string | undefined = after;
  while (from !== undefined && groups.length < limit) {
    const end: string | undefined = await pageAfter(sql, from);
    const pages = await repeatedPages(sql, from, end, limit - groups.length);
    for (const page of pages) groups.push({ page, ids: await idsOf(sql, page) });
    from = end;
    await setImmediate();
  }
  return groups;
}

/** The last page that one statement examines; undefined for the rest. */
async function pageAfter(sql: Sql, page: string): Promise<string | undefined> {
  const [row] = await sql<{ page: string }>`
    select page from search_bookmarks where page > ${page} order by page limit 1 offset ${ENTRIES_AT_ONCE}`;
  return row?.page;
}

async function repeatedPages(
  sql: Sql,
  from: string,
  end: string | undefined,
  limit: number,
): Promise<string[]> {
  const until = end === undefined ? fragment`` : fragment`and page <= ${end}`;
  const rows = await sql<{ page: string }>`
    select page from search_bookmarks where page > ${from} ${until}
    group by page having count(*) > 1 order by page limit ${limit}`;
  return rows.map(({ page }) => page);
}

async function idsOf(sql: Sql, page: string): Promise<number[]> {
  const rows = await sql<{ id: number }>`
    select id from search_bookmarks where page = ${page} order by created_at desc, id desc limit ${GROUP_MAX}`;
  return rows.map(({ id }) => Number(id));
}

/** Those of a group that are of the page of the first: a hash of an earlier version of the index can be that of two pages. */
export function ofOnePage<T extends { readonly url: string }>(group: readonly T[]): T[] {
  const page = pageKey(group[0]?.url ?? "");
  return group.filter(({ url }) => pageKey(url) === page);
}

/** The parts in which URLs of one page can differ, in this order. */
export const DIFFERENCES = ["none", "scheme", "www", "host", "path", "parameters", "fragment"] as const;
export type Difference = (typeof DIFFERENCES)[number];

/** Parts that say nothing if the hosts differ. */
const AT_HOST: readonly Difference[] = ["www", "path", "parameters"];

/**
 * Why bookmarks are duplicates: the parts in which their URLs differ without leading to another page. `none` if the
 * URLs are equal.
 *
 * @param urls in the text form of the WHATWG standard, of the same page
 */
export function differences(urls: readonly string[]): Difference[] {
  const parsed = [...new Set(urls)].flatMap((href) => URL.parse(href) ?? []);
  if (parsed.length < 2) return ["none"];
  const parts: Readonly<Record<Exclude<Difference, "none">, (url: URL) => string>> = {
    scheme: (url) => url.protocol,
    www: (url) => `${/^www\./.test(url.hostname)}`,
    host: (url) => url.hostname.replace(/^www\./, ""),
    path: (url) => url.pathname,
    parameters: (url) => url.search,
    fragment: (url) => url.hash,
  };
  const differ = DIFFERENCES.filter(
    (difference) => difference !== "none" && new Set(parsed.map(parts[difference])).size > 1,
  );
  // Another host of the page has other paths and parameters for it.
  return differ.includes("host") ? differ.filter((difference) => !AT_HOST.includes(difference)) : differ;
}
