import type { Instant, Sql } from "../../database/database.ts";
import { type Fragment, fragment, joined, rowList } from "../../database/fragment.ts";
import type { CatalogTables, IndexTables } from "../collection.ts";
import { type IndexedRecord, TAGS_MAX, withAncestors } from "../text/document.ts";

/** How many rows one statement writes. */
const ROWS_AT_ONCE = 200;

/** By how much counts change. A tag counts once for each record, and a name and a site too. */
class Changes {
  readonly tags = new Map<string, { records: number; withBelow: number }>();
  readonly names = new Map<string, { key: string; name: string; records: number }>();
  readonly sites = new Map<string, number>();

  count(tags: readonly { readonly key: string; readonly name: string }[], host: string, sign: 1 | -1): void {
    const above = new Set(tags.flatMap(({ key }) => withAncestors(key)));
    for (const key of new Set([...above, ...tags.map(({ key }) => key)])) this.#tag(key).withBelow += sign;
    for (const { key, name } of tags) {
      this.#tag(key).records += sign;
      const spelling = JSON.stringify([key, name]);
      const known = this.names.get(spelling) ?? { key, name, records: 0 };
      known.records += sign;
      this.names.set(spelling, known);
    }
    if (host !== "") this.sites.set(host, (this.sites.get(host) ?? 0) + sign);
  }

  #tag(key: string) {
    const known = this.tags.get(key) ?? { records: 0, withBelow: 0 };
    this.tags.set(key, known);
    return known;
  }
}

/**
 * Replaces the tags of records, and keeps the counts of tags, spellings and sites.
 *
 * @param ids of all the records
 * @param hosts the hosts that the index has had of them
 * @param records those of them that are there
 */
export async function replaceInCatalog(
  sql: Sql,
  { catalog }: IndexTables,
  ids: readonly number[],
  hosts: readonly string[],
  records: readonly IndexedRecord[],
): Promise<void> {
  if (catalog === undefined) return;
  const changes = new Changes();
  await forget(sql, catalog, ids, changes);
  for (const host of hosts) changes.count([], host, -1);
  for (const { tags, host } of records) changes.count(tags.slice(0, TAGS_MAX), host, 1);
  const rows = records.flatMap(({ id, createdAt, tags }) =>
    tags.slice(0, TAGS_MAX).map(({ key, name }) => [key, new Date(createdAt), id, name]),
  );
  for (const batch of inBatches(rows))
    await sql`insert into ${catalog.tags} (tag_key, created_at, record_id, name) values ${rowList(batch)}`;
  await apply(sql, catalog, changes);
}

async function forget(
  sql: Sql,
  { tags }: CatalogTables,
  ids: readonly number[],
  changes: Changes,
): Promise<void> {
  const rows = await sql<{ record_id: number; tag_key: string; name: string; created_at: Instant }>`
    delete from ${tags} where record_id in ${ids} returning record_id, tag_key, name`;
  for (const of of Map.groupBy(rows, (row) => Number(row.record_id)).values())
    changes.count(
      of.map(({ tag_key, name }) => ({ key: tag_key, name })),
      "",
      -1,
    );
}

async function apply(sql: Sql, tables: CatalogTables, { tags, names, sites }: Changes): Promise<void> {
  const { tagCounts, tagNames } = tables;
  const changedTags = [...tags].filter(([, { records, withBelow }]) => records !== 0 || withBelow !== 0);
  for (const batch of inBatches(changedTags))
    await sql`
      insert into ${tagCounts} as counts (tag_key, records, with_below)
      values ${rowList(batch.map(([key, { records, withBelow }]) => [key, records, withBelow]))}
      on conflict (tag_key) do update
      set records = counts.records + excluded.records, with_below = counts.with_below + excluded.with_below`;
  const changedNames = [...names.values()].filter(({ records }) => records !== 0);
  for (const batch of inBatches(changedNames))
    await sql`
      insert into ${tagNames} as counts (tag_key, name, records)
      values ${rowList(batch.map(({ key, name, records }) => [key, name, records]))}
      on conflict (tag_key, name) do update set records = counts.records + excluded.records`;
  const changedSites = [...sites].filter(([, records]) => records !== 0);
  for (const batch of inBatches(changedSites))
    await sql`
      insert into ${tables.sites} as counts (host, records) values ${rowList(batch.map(([host, n]) => [host, n]))}
      on conflict (host) do update set records = counts.records + excluded.records`;
  const gone = <K>(changed: readonly (readonly [K, number])[]) =>
    changed.filter(([, n]) => n < 0).map(([key]) => key);
  await dropEmpty(
    sql,
    gone(changedTags.map(([key, { withBelow }]) => [key, withBelow])),
    (keys) => fragment`${tagCounts} where with_below <= 0 and tag_key in (${keys})`,
  );
  await dropEmpty(
    sql,
    gone(changedNames.map(({ key, records }) => [key, records])),
    (keys) => fragment`${tagNames} where records <= 0 and tag_key in (${keys})`,
  );
  await dropEmpty(
    sql,
    gone(changedSites),
    (hosts) => fragment`${tables.sites} where records <= 0 and host in (${hosts})`,
  );
}

async function dropEmpty(
  sql: Sql,
  keys: readonly string[],
  rowsOf: (keys: Fragment) => Fragment,
): Promise<void> {
  for (const batch of inBatches(keys)) {
    const list = joined(
      batch.map((key) => fragment`${key}`),
      fragment`, `,
    );
    await sql`delete from ${rowsOf(list)}`;
  }
}

function* inBatches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += ROWS_AT_ONCE)
    yield items.slice(start, start + ROWS_AT_ONCE);
}
