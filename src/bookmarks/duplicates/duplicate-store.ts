import { setImmediate } from "node:timers/promises";
import type { Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { pageKey } from "../../search/text/page-key.ts";
import type { ListedBookmark } from "../bookmark-row.ts";
import { listBookmarksById } from "../bookmark-store.ts";

/** The maximum number of bookmarks in a group. */
const GROUP_MAX = 100;

/** A group with a longer description, in bytes, is left to people: up to 10,000 of them are read together. */
const DESCRIPTION_MAX = 4 * 1024;

/** How many groups are looked at together. */
const GROUPS_AT_ONCE = 100;

/** How many groups a page looks at. */
const COUNTED_MAX = 1_000;

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
    groups.push(...(await groupsIn(sql, from, end, limit - groups.length)));
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

async function groupsIn(
  sql: Sql,
  from: string,
  end: string | undefined,
  limit: number,
): Promise<DuplicateGroup[]> {
  const until = end === undefined ? fragment`` : fragment`and page <= ${end}`;
  const rows = await sql<{ page: string; id: number }>`
    with repeated as (
      select page from search_bookmarks where page > ${from} ${until}
      group by page having count(*) > 1 order by page limit ${limit})
    select page, id from (
      select e.page, e.id, row_number() over (partition by e.page order by e.created_at desc, e.id desc) as place
      from repeated join search_bookmarks e on e.page = repeated.page) as entries
    where place <= ${GROUP_MAX} order by page, place`;
  const byPage = Map.groupBy(rows, ({ page }) => page);
  return [...byPage].map(([page, ofPage]) => ({ page, ids: ofPage.map(({ id }) => Number(id)) }));
}

/** Those of a group that are of the page of the first: a hash of an earlier version of the index can be that of two pages. */
export function ofOnePage<T extends { readonly url: string }>(group: readonly T[]): T[] {
  const page = pageKey(group[0]?.url ?? "");
  return group.filter(({ url }) => pageKey(url) === page);
}

/**
 * Groups that can be merged into their oldest without asking, in batches, each read when it is asked for. Left to people are those
 * whose bookmarks differ in a state, or lead to different hosts, and very large ones.
 * @returns of each group the ids, newest first
 */
export async function* plainDuplicates(
  sql: Sql,
  limit = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<readonly (readonly number[])[]> {
  let after: string | undefined;
  for (let seen = 0; seen < limit; seen += GROUPS_AT_ONCE) {
    const groups = await findDuplicates(sql, GROUPS_AT_ONCE, after);
    const found = await listBookmarksById(
      sql,
      groups.flatMap(({ ids }) => ids),
      DESCRIPTION_MAX,
    );
    const byId = new Map(found.map((bookmark) => [bookmark.id, bookmark]));
    yield groups.flatMap(({ ids }) => {
      const bookmarks = ids.flatMap((id) => byId.get(id) ?? []);
      return isPlain(bookmarks) ? [ids] : [];
    });
    after = groups.at(-1)?.page;
    if (groups.length < GROUPS_AT_ONCE) return;
  }
}

/** How many such groups there are among the first 1,000 groups. */
export interface PlainDuplicates {
  readonly groups: number;
  /** Whether there may be more. */
  readonly more: boolean;
}

export async function countPlainDuplicates(sql: Sql): Promise<PlainDuplicates> {
  let [groups, batches] = [0, 0];
  for await (const batch of plainDuplicates(sql, COUNTED_MAX)) {
    groups += batch.length;
    batches++;
  }
  return { groups, more: batches * GROUPS_AT_ONCE >= COUNTED_MAX };
}

/** Whether which of the bookmarks stays makes no difference that a person would want to decide. */
export function isPlain(bookmarks: readonly ListedBookmark[]): boolean {
  const [first] = bookmarks;
  return (
    first !== undefined &&
    bookmarks.length > 1 &&
    bookmarks.length < GROUP_MAX &&
    ofOnePage(bookmarks).length === bookmarks.length &&
    bookmarks.every(
      ({ unread, archived, shared, description }) =>
        description !== undefined &&
        unread === first.unread &&
        archived === first.archived &&
        shared === first.shared,
    ) &&
    !differences(bookmarks.map(({ url }) => url)).includes("host")
  );
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
