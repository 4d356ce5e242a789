import { allEnded } from "../../awaitable.ts";
import { inBatchesOfFewSizes } from "../../batches.ts";
import type { Sql } from "../../database/database.ts";
import { Fragment, fragment, joined } from "../../database/fragment.ts";
import { isContradiction, isDamagedPage, isUnreadable, mayBeDamage } from "../../database/sqlite/errors.ts";
import type { IndexTables } from "../collection.ts";
import { ftsQuery } from "../query/sqlite-query.ts";
import { LAST_TIER, type Tier, tiersFrom } from "../query/tiers.ts";
import {
  ANY_MARK,
  type IndexedDocument,
  type IndexedRecord,
  indexedDocument,
  type Part,
  textRecord,
} from "../text/document.ts";
import { INDEX_TABLE_NAMES } from "./index-schema.ts";
import {
  type AgePosition,
  CATALOG_ROWS_AT_ONCE,
  type EntryFilter,
  type FoundEntry,
  type IndexStore,
  type RankedEntry,
  type SortedLookup,
  TITLE_LENGTH,
} from "./index-store.ts";
import { INDEX_VERSION } from "./index-version.ts";

/**
 * The index in FTS5. An entry's key is the rowid of its words: milliseconds since 1970 × 2²¹ + id modulo 2²¹. So a search
 * reads newest first without sorting, and stops at the limit. Keys have up to 63 bits: only SQL computes with them.
 */
export const sqliteIndex: IndexStore = {
  // Only one transaction writes at a time.
  forUpdate: fragment``,

  async remove(sql, { entries, words }, ids) {
    await sql`delete from ${words} where rowid in (select key from ${entries} where id in ${ids} and version <> 0)`;
    await sql`delete from ${entries} where id in ${ids}`;
  },

  async add(sql, tables, records, hasWords) {
    const version = hasWords ? INDEX_VERSION : 0;
    for (const batch of inBatchesOfFewSizes(records, ROWS_AT_ONCE)) {
      const added = await insertEntries(sql, tables, batch, version, fragment`on conflict (key) do nothing`);
      const taken = batch.filter(({ id }) => !added.has(id));
      for (const record of taken) await insertEntries(sql, tables, [record], version);
    }
    if (hasWords) await insertWords(sql, tables, records);
  },

  async addWords(sql, tables, records) {
    await insertWords(sql, tables, records);
    const ids = records.map(({ id }) => id);
    await sql`update ${tables.entries} set version = ${INDEX_VERSION} where id in ${ids}`;
  },

  // FTS5 writes its words to the file before each statement that could fail after its first row. So that the creations
  // that share a commit do this once, those of one record write row by row, and return none.
  rowsAtOnce: (records) => (records === 1 ? 1 : CATALOG_ROWS_AT_ONCE),

  async flush(sql, { words }) {
    await sql`insert into ${words} (${words}) values ('flush')`;
  },

  async putTexts(sql, { own, inside }, texts, hasWords) {
    const { entries, words } = inside;
    for (const { id, copyId, text } of texts) {
      const key = fragment`(select key from ${own.entries} where id = ${id})`;
      // What has the key is of a record that is gone.
      const known = fragment`id = ${id} or key = ${key}`;
      await sql`delete from ${words} where rowid in (select key from ${entries} where (${known}) and version <> 0)`;
      await sql`delete from ${entries} where ${known}`;
      const version = hasWords ? INDEX_VERSION : 0;
      await sql`
        insert into ${entries} (key, id, copy_id, version)
        select key, id, ${copyId}, ${version} from ${own.entries} where id = ${id}`;
      const body = hasWords ? ftsText(indexedDocument(textRecord(id, text)), "body") : "";
      if (hasWords)
        await sql`insert into ${words} (rowid, body) select key, ${body} from ${entries} where id = ${id}`;
    }
  },

  async removeTexts(sql, { inside: { entries, words } }, ids) {
    await sql`delete from ${words} where rowid in (select key from ${entries} where id in ${ids} and version <> 0)`;
    await sql`delete from ${entries} where id in ${ids}`;
  },

  isInside: fragment`c.id = e.id and c.key = e.key`,

  foundInside: ({ own, inside }) => ({
    ...own,
    ...{ words: inside.words, parts: inside.parts },
    also: fragment`exists (select 1 from ${inside.entries} c where ${sqliteIndex.isInside})`,
  }),

  hasWords: ({ words, also }, query, isExcluded) => {
    const has = fragment`+e.key in (select rowid from ${words} where ${words} match ${ftsQuery(query, LAST_TIER)})`;
    const does = also === undefined ? has : fragment`(${has} and ${also})`;
    return isExcluded ? fragment`not ${does}` : does;
  },

  hasInside: (tables, query, isExcluded) =>
    sqliteIndex.hasWords(sqliteIndex.foundInside(tables), query, isExcluded),

  // Without the sign, the full-text table would search again for each of them.
  isAmong: (ids, { isExcluded, leads }) =>
    fragment`${leads ? fragment`e.id` : fragment`+e.id`} ${isExcluded ? fragment`not in` : fragment`in`} (${ids})`,

  async findRelevant(sql, lookup) {
    const found: RankedEntry[] = [];
    for (const tier of tiersFrom(lookup.after)) {
      const left = lookup.limit - found.length;
      if (left <= 0) break;
      const match = tierQuery(tier, lookup);
      if (match === undefined) continue;
      const after = lookup.after?.tier === tier ? lookup.after : undefined;
      const entries = await findByAge(sql, { ...lookup, match, after, limit: left, isNewestFirst: true });
      found.push(...entries.map((entry) => ({ entry, tier })));
    }
    return found;
  },

  async findAndCount(sql, lookup, max) {
    const [found, count] = await allEnded([
      sqliteIndex.findRelevant(sql, lookup),
      sqliteIndex.count(sql, lookup, max),
    ]);
    return { found, count };
  },

  async findSorted(sql, lookup) {
    const { query, sort, after, limit } = lookup;
    const match = query && ftsQuery(query, LAST_TIER);
    if (sort === "title") return findByTitle(sql, lookup, match);
    const position = after && { createdAt: Number(after.key), id: after.id };
    return findByAge(sql, { ...lookup, match, after: position, limit, isNewestFirst: sort === "newest" });
  },

  async count(sql, lookup, max) {
    const { tables, query, visible } = lookup;
    const match = query && ftsQuery(query, LAST_TIER);
    // The entries take most of the time, so they are joined only if a condition needs them.
    const from =
      match === undefined || visible !== undefined || tables.also !== undefined
        ? joinedEntries(tables, match)
        : fragment`${tables.words}`;
    const [row] = await sql<{ n: number }>`
      select count(*) as n from (select 1 from ${from} where ${conditions(lookup, match)} limit ${max})`;
    return Number(row?.n);
  },

  async damage(sql, error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (isDamagedPage(cause)) return "pages";
      if (isUnreadable(cause) || isContradiction(cause)) return "contents";
    }
    return (await isOpenable(sql)) ? undefined : "contents";
  },

  async pageDamage(sql) {
    const tables = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'table' and name like 'search~_%' escape '~'`;
    for (const { name } of tables) if (!(await isSound(sql, name))) return "pages";
    return undefined;
  },

  async faults(sql, { entries, words }) {
    const [row] = await sql<{ wordless: number; orphans: number }>`
      select
        (select count(*) from ${entries} where version <> 0 and key not in (select rowid from ${words})) as wordless,
        (select count(*) from (select rowid as key from ${words})
          where key not in (select key from ${entries} where version <> 0)) as orphans`;
    return [
      ...(Number(row?.wordless) > 0 ? [`${row?.wordless} entries have no words`] : []),
      ...(Number(row?.orphans) > 0 ? [`words of ${row?.orphans} entries that are not there`] : []),
    ];
  },
};

/** Whether every table of the index is there and can be read: a full-text table also reads its version. */
async function isOpenable(sql: Sql): Promise<boolean> {
  try {
    for (const name of INDEX_TABLE_NAMES.sqlite)
      await sql`${new Fragment([`select 1 from ${name} limit 1`], [])}`;
    return true;
  } catch (error) {
    if (!mayBeDamage(error)) throw error;
    return false;
  }
}

async function isSound(sql: Sql, table: string): Promise<boolean> {
  try {
    const [row] = await sql<{
      integrity_check: string;
    }>`${new Fragment([`pragma integrity_check(${table})`], [])}`;
    return row?.integrity_check === "ok";
  } catch (error) {
    if (!mayBeDamage(error)) throw error;
    return false;
  }
}

/** The maximum number of entries that one statement adds. */
const ROWS_AT_ONCE = 64;

/** The keys of a millisecond. */
const SPAN = fragment`2097152`;
/** Ids below it have keys in their own order. */
const SPAN_SIZE = 2 ** 21;

/** The last instant whose keys fit into 63 bits, in the year 2109. Later records, which hardly exist, share its keys. */
const LATEST = 2 ** 42 - 1;

/** The first key of a millisecond. Numbers are bound as floating-point numbers, so they are cast first. */
function firstKey(time: number): Fragment {
  return fragment`cast(${Math.max(0, Math.min(time, LATEST))} as integer) * ${SPAN}`;
}

/**
 * Inserts entries.
 * @param onConflict what to do if the key is taken, by an id that is a multiple of 2²¹ away; by default, the next free key of the
 *   millisecond is used
 * @returns the ids of the new entries
 */
async function insertEntries(
  sql: Sql,
  { entries }: IndexTables,
  records: readonly IndexedRecord[],
  version: number,
  onConflict?: Fragment,
): Promise<Set<number>> {
  const rows = records.map(({ id, createdAt, title, page, host }) => {
    const key = fragment`${firstKey(createdAt)} + cast(${id} as integer) % ${SPAN}`;
    return fragment`(${onConflict === undefined ? freeKey(entries, key) : key}, ${id}, ${createdAt},
      substr(${title}, 1, ${TITLE_LENGTH}), ${page}, ${host}, ${version})`;
  });
  await sql`
    insert into ${entries} (key, id, created_at, title, page, host, version)
    values ${joined(rows, fragment`, `)} ${onConflict ?? fragment``}`;
  const ids = records.map(({ id }) => id);
  const added = await sql<{ id: number }>`select id from ${entries} where id in ${ids}`;
  return new Set(added.map(({ id }) => Number(id)));
}

/** The first free key from this one on, in the same millisecond. */
function freeKey(entries: Fragment, wanted: Fragment): Fragment {
  return fragment`(
    with recursive tried (key, n) as (
      select ${wanted}, 0
      union all
      select key - key % ${SPAN} + (key + 1) % ${SPAN}, n + 1 from tried
      where exists (select 1 from ${entries} e where e.key = tried.key))
    select key from tried order by n desc limit 1)`;
}

/** The columns of the parts in the full-text tables. */
const COLUMNS: Readonly<Record<Part, string>> = {
  title: "title",
  tagAndHostWords: "heads",
  url: "url",
  author: "author",
  body: "body",
};

/** In the order of keys: for a smaller key than the last one, FTS5 writes out what it has gathered. */
async function insertWords(
  sql: Sql,
  { entries, words, parts }: IndexTables,
  records: readonly IndexedRecord[],
): Promise<void> {
  const columns = joined(
    parts.map((part) => new Fragment([COLUMNS[part]], [])),
    fragment`, `,
  );
  for (const record of records.toSorted(
    (one, other) => one.createdAt - other.createdAt || one.id - other.id,
  )) {
    const document = indexedDocument(record);
    const texts = joined(
      parts.map((part) => fragment`${ftsText(document, part)}`),
      fragment`, `,
    );
    await sql`
      insert into ${words} (rowid, ${columns}, marks)
      values ((select key from ${entries} where id = ${record.id}), ${texts}, ${document.marks.join(" ")})`;
  }
}

/** The query for entries that match in this tier and in none above; undefined if there can be none. */
function tierQuery(tier: Tier, { query }: EntryFilter): string | undefined {
  if (query === undefined) return tier === 1 ? `"${ANY_MARK}"` : undefined;
  const wanted = ftsQuery(query, tier);
  if (tier === 1) return wanted;
  const above = ftsQuery(query, tier === LAST_TIER ? 2 : 1);
  return wanted === above ? undefined : `(${wanted}) NOT (${above})`;
}

interface AgeLookup extends EntryFilter {
  /** In the language of FTS5; undefined matches every entry. */
  readonly match: string | undefined;
  readonly after: AgePosition | undefined;
  readonly limit: number;
  readonly isNewestFirst: boolean;
}

interface FoundRow {
  readonly id: number;
  readonly created_at: number;
  /** Only if entries are sorted by title. */
  readonly title?: string;
}

function toFound({ id, created_at, title }: FoundRow): FoundEntry {
  return { id, createdAt: created_at, title };
}

/** Finds entries in the order of (created_at, id). */
async function findByAge(sql: Sql, lookup: AgeLookup): Promise<FoundEntry[]> {
  const { tables, match, after, limit, isNewestFirst } = lookup;
  const key = keyColumn(tables, match);
  const select = (bound: Fragment, order: Fragment, most: number) => sql<FoundRow>`
    select e.id, e.created_at from ${joinedEntries(tables, match)} where ${conditions(lookup, match)} ${bound}
    order by ${order} ${isNewestFirst ? fragment`desc` : fragment``} limit ${most}`;

  const [newest] = await sql<{ id: number | null }>`select max(id) as id from ${tables.entries}`;
  if (Number(newest?.id) < SPAN_SIZE) return (await select(afterKey(key, lookup), key, limit)).map(toFound);

  // Of ids that are 2²¹ or more apart, the key of the greater one may be less: a millisecond is sorted as a whole.
  const place = after && fragment`(${after.createdAt}, ${after.id})`;
  const bound =
    after === undefined || place === undefined
      ? fragment``
      : isNewestFirst
        ? fragment`and ${key} < ${firstKey(after.createdAt + 1)} and (e.created_at, e.id) < ${place}`
        : fragment`and ${key} >= ${firstKey(after.createdAt)} and (e.created_at, e.id) > ${place}`;
  const rows = await select(bound, key, limit);
  const last = rows.at(-1)?.created_at;
  if (last === undefined) return [];
  const before = rows.filter((row) => row.created_at !== last);
  const ofLast = await select(
    fragment`${bound} and ${key} >= ${firstKey(last)} and ${key} < ${firstKey(last + 1)}`,
    fragment`e.id`,
    limit - before.length,
  );
  const sign = isNewestFirst ? -1 : 1;
  const sorted = before.toSorted(
    (one, other) => sign * (one.created_at - other.created_at || one.id - other.id),
  );
  return [...sorted, ...ofLast].map(toFound);
}

/** The condition for entries after a position, where keys are in the order of ids. */
function afterKey(key: Fragment, { after, isNewestFirst }: AgeLookup): Fragment {
  if (after === undefined) return fragment``;
  const place = fragment`${firstKey(after.createdAt)} + cast(${after.id} as integer)`;
  return isNewestFirst ? fragment`and ${key} < ${place}` : fragment`and ${key} > ${place}`;
}

async function findByTitle(sql: Sql, lookup: SortedLookup, match: string | undefined): Promise<FoundEntry[]> {
  const { tables, after, limit } = lookup;
  const bound =
    after === undefined
      ? fragment``
      : fragment`
          and e.title >= substr(${after.key}, 1, ${TITLE_LENGTH}) and (r.title, e.id) > (${after.key}, ${after.id})`;
  const rows = await sql<FoundRow>`
    select e.id, e.created_at, r.title from ${joinedEntries(tables, match)}
    cross join ${tables.records} r on r.id = e.id
    where ${conditions(lookup, match)} ${bound} order by e.title, r.title, e.id limit ${limit}`;
  return rows.map(toFound);
}

function joinedEntries({ entries, words }: IndexTables, match: string | undefined): Fragment {
  return match === undefined
    ? fragment`${entries} e`
    : fragment`${words} join ${entries} e on e.key = ${words}.rowid`;
}

function keyColumn({ words }: IndexTables, match: string | undefined): Fragment {
  return match === undefined ? fragment`e.key` : fragment`${words}.rowid`;
}

/** The conditions of a filter; dates as a range of keys, by which the full-text table can seek. */
function conditions({ tables, from, to, visible }: EntryFilter, match: string | undefined): Fragment {
  const key = keyColumn(tables, match);
  return fragment`
    ${match === undefined ? fragment`true` : fragment`${tables.words} match ${match}`}
    ${from === undefined ? fragment`` : fragment`and ${key} >= ${firstKey(from)}`}
    ${to === undefined ? fragment`` : fragment`and ${key} < ${firstKey(to)}`}
    ${visible === undefined ? fragment`` : fragment`and ${visible}`}
    ${tables.also === undefined ? fragment`` : fragment`and ${tables.also}`}`;
}

/** A word that no query contains. It keeps a phrase from matching across it. */
const GAP = "~";

/** A part of a document in the form of the full-text table: tokens separated by spaces. */
function ftsText({ parts }: IndexedDocument, part: Part): string {
  let text = "";
  for (const token of parts[part]) text += text === "" ? (token ?? GAP) : ` ${token ?? GAP}`;
  return text;
}
