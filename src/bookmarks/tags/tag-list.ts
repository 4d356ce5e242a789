import { inBatches } from "../../batches.ts";
import type { Instant, Sql } from "../../database/database.ts";
import { fragment, joined } from "../../database/fragment.ts";
import { tagKey } from "../../tags/tag-name.ts";

export const TAG_SORTS = ["name", "count", "recent"] as const;

/** A tag with its usage. */
export interface UsedTag {
  /** Its most frequent spelling; among equally frequent ones the earliest used. */
  readonly name: string;
  /** The number of bookmarks with it. */
  readonly count: number;
  /** The number of bookmarks with it or a tag below it. */
  readonly withBelow: number;
  /** The creation time of its newest bookmark. */
  readonly lastUsed: Date;
}

export interface TagListOptions {
  /** Only tags whose names contain it, ignoring case. */
  readonly q?: string | undefined;
  readonly sort: (typeof TAG_SORTS)[number];
  readonly limit: number;
}

interface TagRow {
  readonly tag_key: string;
  readonly records: number;
  readonly with_below: number;
  readonly last_used: Instant;
  readonly total: number;
}

/** The tags that bookmarks have, as the search index knows them. @returns also their total number */
export async function listTags(
  sql: Sql,
  { q, sort, limit }: TagListOptions,
): Promise<{ tags: UsedTag[]; total: number }> {
  const matching =
    q === undefined ? fragment`` : fragment`and tag_key like ${containing(tagKey(q))} escape '~'`;
  const used = fragment`
    select tag_key, sum(records) as records, sum(with_below) as with_below
    from search_bookmarks_tag_counts where true ${matching} group by tag_key having sum(records) > 0`;
  const lastUsed = fragment`(select max(created_at) from search_bookmarks_tags t where t.tag_key = used.tag_key)`;
  // The last use of a tag is looked up for the tags of the list only, unless they are sorted by it.
  const rows =
    sort === "recent"
      ? await sql<TagRow>`
          select *, count(*) over () as total from (select *, ${lastUsed} as last_used from (${used}) as used) as dated
          order by ${ORDERS.recent} limit ${limit}`
      : await sql<TagRow>`
          select *, ${lastUsed} as last_used from (
            select *, count(*) over () as total from (${used}) as counted order by ${ORDERS[sort]} limit ${limit}
          ) as used order by ${ORDERS[sort]}`;
  const names = await namesOf(
    sql,
    rows.map((row) => row.tag_key),
  );
  return {
    tags: rows.map((row) => ({
      name: names.get(row.tag_key) ?? row.tag_key,
      count: Number(row.records),
      withBelow: Number(row.with_below),
      lastUsed: new Date(row.last_used),
    })),
    total: Number(rows[0]?.total ?? 0),
  };
}

const ORDERS = {
  name: fragment`tag_key`,
  count: fragment`records desc, tag_key`,
  recent: fragment`last_used desc, tag_key`,
} as const;

/** A `like` pattern for texts that contain a text. */
function containing(text: string): string {
  return `%${text.replace(/[%_~]/g, "~$&")}%`;
}

interface NameRow {
  readonly tag_key: string;
  readonly name: string;
  readonly records: number;
}

/** The spelling of tags: the most frequent one; among equally frequent ones the earliest used. */
export async function namesOf(sql: Sql, keys: readonly string[]): Promise<Map<string, string>> {
  const names = new Map<string, NameRow[]>();
  for (const batch of inBatches(keys, KEYS_AT_ONCE)) {
    const list = joined(
      batch.map((key) => fragment`${key}`),
      fragment`, `,
    );
    const rows = await sql<NameRow>`
      select tag_key, name, sum(records) as records from search_bookmarks_tag_names where tag_key in (${list})
      group by tag_key, name having sum(records) > 0 order by tag_key, records desc, name`;
    for (const row of rows) {
      const best = names.get(row.tag_key) ?? [];
      if (best[0] === undefined || Number(best[0].records) === Number(row.records)) best.push(row);
      names.set(row.tag_key, best);
    }
  }
  const shown = new Map<string, string>();
  for (const [key, best] of names) shown.set(key, await earliest(sql, key, best));
  return shown;
}

async function earliest(sql: Sql, key: string, best: readonly NameRow[]): Promise<string> {
  const [only] = best;
  if (best.length === 1 && only !== undefined) return only.name;
  const [first] = await sql<{ name: string }>`
    select coalesce(name, tag_key) as name from search_bookmarks_tags where tag_key = ${key}
    and coalesce(name, tag_key) in (${joined(
      best.map(({ name }) => fragment`${name}`),
      fragment`, `,
    )})
    order by created_at, record_id limit 1`;
  return first?.name ?? key;
}

const KEYS_AT_ONCE = 500;
