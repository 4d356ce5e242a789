import { allEnded } from "../../awaitable.ts";
import { type Instant, posting, type Sql, type Value } from "../../database/database.ts";
import { type Fragment, fragment, joined, rowList } from "../../database/fragment.ts";
import type { CatalogTables, IndexTables } from "../collection.ts";
import { type IndexedRecord, TAGS_MAX, withAncestors } from "../text/document.ts";
import { inBatches, inSlices } from "./slices.ts";

/** The maximum number of rows that one statement writes. */
const ROWS_AT_ONCE = 128;

/** Changes to the counts of tags, tag names and sites. A record counts once for each of them. */
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
 * Replaces the tags of records and updates the counts of tags, tag names and sites.
 *
 * @param known the ids of the records that were already indexed
 * @param hosts the indexed hosts of those records
 * @param records the records in their current state
 */
export async function replaceInCatalog(
  sql: Sql,
  { catalog }: IndexTables,
  known: readonly number[],
  hosts: readonly string[],
  records: readonly IndexedRecord[],
): Promise<void> {
  if (catalog === undefined) return;
  const changes = new Changes();
  if (known.length > 0) await forget(sql, catalog, known, changes);
  for (const host of hosts) changes.count([], host, -1);
  for (const { tags, host } of records) changes.count(tags.slice(0, TAGS_MAX), host, 1);
  const rows = records.flatMap(({ id, createdAt, tags }) =>
    tags
      .slice(0, TAGS_MAX)
      .map(({ key, name }) => [key, new Date(createdAt), id, name === key ? null : name]),
  );
  // Sent together to save round trips to PostgreSQL.
  await allEnded([addTags(sql, catalog, rows), apply(sql, catalog, changes)]);
}

async function addTags(sql: Sql, { tags }: CatalogTables, rows: readonly Value[][]): Promise<void> {
  for await (const batch of inSlices(inBatches(rows, ROWS_AT_ONCE)))
    await posting(sql)`insert into ${tags} (tag_key, created_at, record_id, name) values ${rowList(batch)}`;
}

async function forget(
  sql: Sql,
  { tags }: CatalogTables,
  ids: readonly number[],
  changes: Changes,
): Promise<void> {
  const rows = await sql<{ record_id: number; tag_key: string; name: string | null; created_at: Instant }>`
    delete from ${tags} where record_id in ${ids} returning record_id, tag_key, name`;
  for (const of of Map.groupBy(rows, (row) => Number(row.record_id)).values())
    changes.count(
      of.map(({ tag_key, name }) => ({ key: tag_key, name: name ?? tag_key })),
      "",
      -1,
    );
}

async function apply(sql: Sql, tables: CatalogTables, changes: Changes): Promise<void> {
  await allEnded([
    countTags(sql, tables, changes),
    countNames(sql, tables, changes),
    countSites(sql, tables, changes),
  ]);
}

async function countTags(sql: Sql, { tagCounts }: CatalogTables, { tags }: Changes): Promise<void> {
  const changed = [...tags].filter(([, { records, withBelow }]) => records !== 0 || withBelow !== 0);
  for await (const batch of inSlices(inBatches(changed, ROWS_AT_ONCE)))
    await posting(sql)`
      insert into ${tagCounts} as counts (tag_key, records, with_below)
      values ${rowList(batch.map(([key, { records, withBelow }]) => [key, records, withBelow]))}
      on conflict (tag_key) do update
      set records = counts.records + excluded.records, with_below = counts.with_below + excluded.with_below`;
  await dropEmpty(
    sql,
    changed.filter(([, { withBelow }]) => withBelow < 0).map(([key]) => key),
    (keys) => fragment`${tagCounts} where with_below <= 0 and tag_key in (${keys})`,
  );
}

async function countNames(sql: Sql, { tagNames }: CatalogTables, { names }: Changes): Promise<void> {
  const changed = [...names.values()].filter(({ records }) => records !== 0);
  for await (const batch of inSlices(inBatches(changed, ROWS_AT_ONCE)))
    await posting(sql)`
      insert into ${tagNames} as counts (tag_key, name, records)
      values ${rowList(batch.map(({ key, name, records }) => [key, name, records]))}
      on conflict (tag_key, name) do update set records = counts.records + excluded.records`;
  await dropEmpty(
    sql,
    changed.filter(({ records }) => records < 0).map(({ key }) => key),
    (keys) => fragment`${tagNames} where records <= 0 and tag_key in (${keys})`,
  );
}

async function countSites(sql: Sql, { sites: table }: CatalogTables, { sites }: Changes): Promise<void> {
  const changed = [...sites].filter(([, records]) => records !== 0);
  for await (const batch of inSlices(inBatches(changed, ROWS_AT_ONCE)))
    await posting(sql)`
      insert into ${table} as counts (host, records) values ${rowList(batch.map(([host, n]) => [host, n]))}
      on conflict (host) do update set records = counts.records + excluded.records`;
  await dropEmpty(
    sql,
    changed.filter(([, records]) => records < 0).map(([host]) => host),
    (hosts) => fragment`${table} where records <= 0 and host in (${hosts})`,
  );
}

async function dropEmpty(
  sql: Sql,
  keys: readonly string[],
  rowsOf: (keys: Fragment) => Fragment,
): Promise<void> {
  for await (const batch of inSlices(inBatches(keys, ROWS_AT_ONCE))) {
    const list = joined(
      batch.map((key) => fragment`${key}`),
      fragment`, `,
    );
    await posting(sql)`delete from ${rowsOf(list)}`;
  }
}
