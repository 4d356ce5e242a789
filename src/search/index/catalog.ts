import { allEnded } from "../../awaitable.ts";
import { inBatchesOfFewSizes } from "../../batches.ts";
import { type Sql, type Value, withoutResult } from "../../database/database.ts";
import { type Fragment, fragment, joined, rowList } from "../../database/fragment.ts";
import type { CatalogTables } from "../collection.ts";
import { type IndexedRecord, TAGS_MAX, withAncestors } from "../text/document.ts";
import { CATALOG_ROWS_AT_ONCE } from "./index-store.ts";

interface Tag {
  readonly key: string;
  readonly name: string;
}

/** An indexed record as the catalog knows it. */
export interface CatalogedRecord {
  readonly id: number;
  readonly host: string;
}

/** Adds new records to the catalog: their tags, and the counts of tags, spellings and sites. */
export async function addToCatalog(
  sql: Sql,
  catalog: CatalogTables,
  records: readonly IndexedRecord[],
  rowsAtOnce: number,
): Promise<void> {
  const changes = new Changes();
  for (const { tags, host } of records) changes.count(tags.slice(0, TAGS_MAX), host, 1);
  // Sent together to save round trips to PostgreSQL.
  await allEnded([addTags(sql, catalog, records, rowsAtOnce), changes.store(sql, catalog, rowsAtOnce)]);
}

/** Replaces records in the catalog. Few edits change tags, so those that stay are not written again. */
export async function replaceInCatalog(
  sql: Sql,
  catalog: CatalogTables,
  known: readonly CatalogedRecord[],
  records: readonly IndexedRecord[],
  rowsAtOnce: number,
): Promise<void> {
  if (known.length === 0) return addToCatalog(sql, catalog, records, rowsAtOnce);
  const before = await tagsOf(sql, catalog, known);
  const changes = new Changes();
  for (const { id, host } of known) changes.count(before.get(id) ?? [], host, -1);
  for (const { tags, host } of records) changes.count(tags.slice(0, TAGS_MAX), host, 1);
  const after = new Map(records.map((record) => [record.id, record]));
  const changed = known.filter(({ id }) => !sameTags(before.get(id) ?? [], after.get(id)?.tags ?? []));
  if (changed.length > 0)
    await sql`delete from ${catalog.tags} where record_id in ${changed.map(({ id }) => id)}`;
  const unchanged = new Set(known.filter((each) => !changed.includes(each)).map(({ id }) => id));
  const added = records.filter(({ id }) => !unchanged.has(id));
  await allEnded([addTags(sql, catalog, added, rowsAtOnce), changes.store(sql, catalog, rowsAtOnce)]);
}

async function tagsOf(
  sql: Sql,
  { tags }: CatalogTables,
  known: readonly CatalogedRecord[],
): Promise<Map<number, Tag[]>> {
  const rows = await sql<{ record_id: number; tag_key: string; name: string | null }>`
    select record_id, tag_key, name from ${tags} where record_id in ${known.map(({ id }) => id)}`;
  const byRecord = new Map<number, Tag[]>();
  for (const { record_id, tag_key, name } of rows) {
    const list = byRecord.get(Number(record_id)) ?? [];
    list.push({ key: tag_key, name: name ?? tag_key });
    byRecord.set(Number(record_id), list);
  }
  return byRecord;
}

function sameTags(one: readonly Tag[], other: readonly Tag[]): boolean {
  const names = new Map(one.map(({ key, name }) => [key, name]));
  const others = other.slice(0, TAGS_MAX);
  return names.size === others.length && others.every(({ key, name }) => names.get(key) === name);
}

async function addTags(
  sql: Sql,
  { tags }: CatalogTables,
  records: readonly IndexedRecord[],
  rowsAtOnce: number,
): Promise<void> {
  const rows = records.flatMap(({ id, createdAt, tags: own }) =>
    own.slice(0, TAGS_MAX).map(({ key, name }) => [key, new Date(createdAt), id, name === key ? null : name]),
  );
  for (const batch of inBatchesOfFewSizes(rows, rowsAtOnce))
    await withoutResult(
      sql,
    )`insert into ${tags} (tag_key, created_at, record_id, name) values ${rowList(batch)}`;
}

/**
 * Changes to the counts of tags, their spellings and sites. A record counts once for each of them. As with counters, a
 * transaction adds to the rows of its own slot, in the order of their keys, so that writers do not wait for each other.
 */
class Changes {
  readonly #tags = new Map<string, { records: number; withBelow: number }>();
  readonly #names = new Map<string, Tag & { records: number }>();
  readonly #sites = new Map<string, number>();

  count(tags: readonly Tag[], host: string, sign: 1 | -1): void {
    const above = new Set(tags.flatMap(({ key }) => withAncestors(key)));
    for (const key of new Set([...above, ...tags.map(({ key }) => key)])) this.#tag(key).withBelow += sign;
    for (const { key, name } of tags) {
      this.#tag(key).records += sign;
      const spelling = JSON.stringify([key, name]);
      const known = this.#names.get(spelling) ?? { key, name, records: 0 };
      known.records += sign;
      this.#names.set(spelling, known);
    }
    if (host !== "") this.#sites.set(host, (this.#sites.get(host) ?? 0) + sign);
  }

  #tag(key: string) {
    const known = this.#tags.get(key) ?? { records: 0, withBelow: 0 };
    this.#tags.set(key, known);
    return known;
  }

  async store(sql: Sql, { tagCounts, tagNames, sites }: CatalogTables, rowsAtOnce: number): Promise<void> {
    const tags = [...this.#tags]
      .filter(([, { records, withBelow }]) => records !== 0 || withBelow !== 0)
      .map(([key, { records, withBelow }]): Value[] => [key, sql.slot, records, withBelow]);
    for (const batch of inBatchesOfFewSizes(sorted(tags), rowsAtOnce))
      await withoutResult(sql)`
        insert into ${tagCounts} as counts (tag_key, slot, records, with_below) values ${rowList(batch)}
        on conflict (tag_key, slot) do update
        set records = counts.records + excluded.records, with_below = counts.with_below + excluded.with_below`;
    const names = [...this.#names.values()]
      .filter(({ records }) => records !== 0)
      .map(({ key, name, records }): Value[] => [key, name, sql.slot, records]);
    for (const batch of inBatchesOfFewSizes(sorted(names), rowsAtOnce))
      await withoutResult(sql)`
        insert into ${tagNames} as counts (tag_key, name, slot, records) values ${rowList(batch)}
        on conflict (tag_key, name, slot) do update set records = counts.records + excluded.records`;
    const hosts = [...this.#sites]
      .filter(([, records]) => records !== 0)
      .map(([host, records]): Value[] => [host, sql.slot, records]);
    for (const batch of inBatchesOfFewSizes(sorted(hosts), rowsAtOnce))
      await withoutResult(sql)`
        insert into ${sites} as counts (host, slot, records) values ${rowList(batch)}
        on conflict (host, slot) do update set records = counts.records + excluded.records`;
    await this.#dropEmpty(sql, tagCounts, tags, fragment`records = 0 and with_below = 0 and tag_key`);
    await this.#dropEmpty(sql, tagNames, names, fragment`records = 0 and tag_key`);
    await this.#dropEmpty(sql, sites, hosts, fragment`records = 0 and host`);
  }

  /** Drops rows of this slot that count nothing any more, of the keys of the changed rows. */
  async #dropEmpty(sql: Sql, table: Fragment, rows: readonly Value[][], isEmpty: Fragment): Promise<void> {
    const keys = rows.filter((row) => Number(row.at(-1)) < 0).map(([key]) => key);
    for (const batch of inBatchesOfFewSizes(
      sorted([...new Set(keys)].map((key) => [key ?? null])),
      CATALOG_ROWS_AT_ONCE,
    )) {
      const list = joined(
        batch.map(([key = null]) => fragment`${key}`),
        fragment`, `,
      );
      await withoutResult(sql)`delete from ${table} where slot = ${sql.slot} and ${isEmpty} in (${list})`;
    }
  }
}

/** Rows in the order of their first column, and of the second where they are equal. */
function sorted(rows: readonly Value[][]): Value[][] {
  const textOf = (row: readonly Value[]) => `${row[0]}\0${row[1]}`;
  return rows.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}
