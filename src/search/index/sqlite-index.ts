import { allEnded } from "../../awaitable.ts";
import type { Sql } from "../../database/database.ts";
import { Fragment, fragment, joined } from "../../database/fragment.ts";
import script from "../../database/migrations/sqlite/0027-search-index.sql" with { type: "text" };
import { isContradiction, isUnreadable } from "../../database/sqlite/errors.ts";
import type { IndexTables } from "../collection.ts";
import { positiveTerms, type Query } from "../query/query.ts";
import { ftsQuery } from "../query/sqlite-query.ts";
import { type Tier, tiersFrom } from "../query/tiers.ts";
import { ANY_MARK, indexedDocument } from "../text/document.ts";
import { splitStatements, tablesIn } from "./index-script.ts";
import {
  type EntryFilter,
  type FoundEntry,
  type IndexEntry,
  type IndexStore,
  type RankedEntry,
  type RelevanceLookup,
  type SortedLookup,
  TITLE_LENGTH,
} from "./index-store.ts";
import { inSlices } from "./slices.ts";
import { ftsBody, ftsText, isStart } from "./sqlite-document.ts";
import { keyOfPlace, NO_ID } from "./sqlite-key-of-place.ts";
import { placeEntries } from "./sqlite-keys.ts";

/** The FTS5 pages that one step merges: a few milliseconds of work. */
const MERGED_PAGES = 128;
/** If the largest segment has at least this share of all pages, merging is not worth the cost. */
const MERGED_SHARE = 0.7;

/**
 * The index in FTS5. Its rowid is the entry's key, which grows with (created_at, id). So a search reads
 * newest first without sorting, and stops at the limit.
 */
export const sqliteIndex: IndexStore = {
  // Only one transaction writes at a time.
  claim: async () => true,

  async remove(sql, { entries, words }, ids) {
    await sql`delete from ${words} where rowid in (select key from ${entries} where id in ${ids})`;
    await sql`delete from ${entries} where id in ${ids}`;
  },

  addsAll: false,

  hasPairs: true,

  async add(sql, tables, added, recordsOf, commonWords) {
    const { entries, words } = tables;
    const { unplaced, moved } = await placeEntries(sql, entries, words, added);
    const isNew = new Set(added.map(({ id }) => id));
    const others = moved.filter((id) => !isNew.has(id));
    const all = others.length === 0 ? added : [...added, ...(await recordsOf(others))];
    // FTS5 flushes its pending words before every statement that can be rolled back by itself, such as one
    // with `select` or several rows. So all entries are written first, and then the words, one row at a time.
    const waiting = new Set(unplaced);
    for await (const record of inSlices(all))
      if (!waiting.has(record.id))
        await addWords(sql, tables, { record, document: indexedDocument(record) }, commonWords);
    return unplaced;
  },

  async merge(sql, tables, merging) {
    const { words } = tables;
    if (merging === "due" && !(await isWorthMerging(sql, tables))) return false;
    const before = await totalChanges(sql);
    // A negative number starts a merge of everything into one segment (sqlite.org/fts5.html, section 6.8).
    const pages = merging === "due" ? -MERGED_PAGES : MERGED_PAGES;
    await sql`insert into ${words} (${words}, rank) values ('merge', ${pages})`;
    // The command itself counts as one change.
    return (await totalChanges(sql)) - before > 1;
  },

  findRelevant(sql, lookup) {
    return findTiers(sql, lookup, tiersFrom(lookup.after));
  },

  async findAndCount(sql, lookup, max) {
    if (!sqliteIndex.sharesCount(lookup)) {
      const [found, count] = await allEnded([
        sqliteIndex.findRelevant(sql, lookup),
        sqliteIndex.count(sql, lookup, max),
      ]);
      return { found, count };
    }
    // FTS5 gathers all words with the prefix before it returns the first match, so those in titles are read only once.
    const { found, count } = await findInTitles(sql, lookup, max);
    const left = { ...lookup, limit: lookup.limit - found.length };
    const [others, counted] = await allEnded([
      left.limit > 0 ? findTiers(sql, left, [2, 3]) : [],
      count === max ? max : countOf(sql, lookup, max, 3),
    ]);
    return { found: [...found, ...others], count: counted };
  },

  sharesCount: ({ query, after }) => query !== undefined && after === undefined && hasLongBeginning(query),

  async findSorted(sql, lookup) {
    const { tables, sort, limit } = lookup;
    const isByTitle = sort === "title";
    const rows = await sql<FoundRow>`
      select e.id, e.created_at ${isByTitle ? fragment`, r.title` : fragment``} from ${from(lookup)}
      ${isByTitle ? fragment`cross join ${tables.records} r on r.id = e.id` : fragment``}
      where ${matching(lookup)} ${range(lookup)} ${visible(lookup)} ${afterSorted(lookup)}
      order by ${isByTitle ? fragment`e.title, r.title, e.id` : keyOf(lookup)} ${direction(sort)} limit ${limit}`;
    return rows.map(toFound);
  },

  async count(sql, lookup, max) {
    // FTS5 gathers all words with the prefix before it returns the first match. Titles have far fewer words,
    // and often enough matches to reach `max`.
    if (lookup.query && hasLongBeginning(lookup.query) && (await countOf(sql, lookup, max, 1)) === max)
      return max;
    return countOf(sql, lookup, max, 3);
  },

  async isBroken(sql, error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause)
      if (isUnreadable(cause) || isContradiction(cause)) return true;
    const names = joined(
      tablesIn(script).map((name) => fragment`${name}`),
      fragment`, `,
    );
    const rows = await sql`select name from sqlite_schema where type = 'table' and name in (${names})`;
    return rows.length < tablesIn(script).length;
  },

  async recreate(sql) {
    for (const name of tablesIn(script)) await sql`${new Fragment([`drop table if exists ${name}`], [])}`;
    for (const statement of splitStatements(script)) await sql`${new Fragment([statement], [])}`;
  },

  async faults(sql, { entries, words }) {
    const [row] = await sql<{ disordered: number; unworded: number }>`
      select
        (select count(*) from (select id, created_at, lag(id) over w as last_id, lag(created_at) over w as last
          from ${entries} window w as (order by key)) where (created_at, id) <= (last, last_id)) as disordered,
        (select count(*) from ${entries} where key not in (select rowid from ${words})) as unworded`;
    const [orphans] = await sql<{ n: number }>`
      select count(*) as n from (select rowid as key from ${words}) where key not in (select key from ${entries})`;
    return [
      ...(Number(row?.disordered) > 0 ? [`${row?.disordered} entries are out of order`] : []),
      ...(Number(row?.unworded) > 0 ? [`${row?.unworded} entries have no words`] : []),
      ...(Number(orphans?.n) > 0 ? [`words of ${orphans?.n} entries that are not there`] : []),
    ];
  },
};

/** Whether much of the index is outside its largest segment. A merge rewrites everything. */
async function isWorthMerging(sql: Sql, { segments }: IndexTables): Promise<boolean> {
  const [row] = await sql<{ pages: number; largest: number }>`
    select coalesce(sum(pages), 0) as pages, coalesce(max(pages), 0) as largest
    from (select count(*) as pages from ${segments} group by segid)`;
  return row !== undefined && row.largest < row.pages * MERGED_SHARE;
}

async function totalChanges(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }>`select total_changes() as n`;
  return Number(row?.n);
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

async function addWords(
  sql: Sql,
  { entries, words, columns }: IndexTables,
  { record, document }: IndexEntry,
  commonWords: ReadonlySet<string>,
): Promise<void> {
  const names = joined(
    columns.map((part) => new Fragment([part], [])),
    fragment`, `,
  );
  const texts = joined(
    columns.map(
      (part) => fragment`${part === "body" ? ftsBody(document, commonWords) : ftsText(document, part)}`,
    ),
    fragment`, `,
  );
  await sql`
    insert into ${words} (rowid, ${names}) values ((select key from ${entries} where id = ${record.id}), ${texts})`;
}

/** Finds the entries of some tiers. */
async function findTiers(sql: Sql, lookup: RelevanceLookup, tiers: readonly Tier[]): Promise<RankedEntry[]> {
  const found: RankedEntry[] = [];
  for (const tier of tiers) {
    if (found.length >= lookup.limit) break;
    const entries = await findTier(sql, tier, { ...lookup, limit: lookup.limit - found.length });
    found.push(...entries.map((entry) => ({ entry, tier })));
  }
  return found;
}

/** Finds the first entries of the first tier, and counts all of them, at most `max`. */
async function findInTitles(
  sql: Sql,
  lookup: RelevanceLookup,
  max: number,
): Promise<{ readonly found: readonly RankedEntry[]; readonly count: number }> {
  const { tables, limit } = lookup;
  const { entries, words } = tables;
  const rows = await sql<FoundRow & { n: number }>`
    with found (key) as materialized (
      select ${words}.rowid from ${counted(lookup)} where ${matching(lookup, 1)} ${range(lookup)} ${visible(lookup)}
      order by ${words}.rowid desc limit ${Math.max(max, limit)})
    select e.id, e.created_at, (select count(*) from found) as n from found cross join ${entries} e on e.key = found.key
    order by found.key desc limit ${limit}`;
  const found = rows.map((row) => ({ entry: toFound(row), tier: 1 as const }));
  return { found, count: Math.min(rows[0]?.n ?? 0, max) };
}

/** Finds the entries of one tier. */
async function findTier(sql: Sql, tier: Tier, lookup: RelevanceLookup): Promise<FoundEntry[]> {
  const { tables, after, limit } = lookup;
  const match = tierQuery(tier, lookup);
  if (match === undefined) return [];
  const bound =
    after?.tier === tier
      ? fragment`and ${tables.words}.rowid < ${keyOfPlace(tables.entries, after.createdAt, after.id)}`
      : fragment``;
  const rows = await sql<FoundRow>`
    select e.id, e.created_at from ${tables.words} join ${tables.entries} e on e.key = ${tables.words}.rowid
    where ${tables.words} match ${match} ${range(lookup)} ${bound} ${visible(lookup)}
    order by ${tables.words}.rowid desc limit ${limit}`;
  return rows.map(toFound);
}

/** The query for entries that match in this tier and in none above; undefined if there can be none. */
function tierQuery(tier: Tier, { query, pairs }: EntryFilter): string | undefined {
  if (query === undefined) return tier === 1 ? `"${ANY_MARK}"` : undefined;
  const wanted = ftsQuery(query, tier, pairs);
  if (tier === 1) return wanted;
  const above = ftsQuery(query, tier === 3 ? 2 : 1, pairs);
  return wanted === above ? undefined : `(${wanted}) NOT (${above})`;
}

function from({ tables, query }: EntryFilter): Fragment {
  if (query === undefined) return fragment`${tables.entries} e`;
  return fragment`${tables.words} join ${tables.entries} e on e.key = ${tables.words}.rowid`;
}

/** Whether the query has a prefix of three characters or more. Shorter prefixes are indexed as words. */
function hasLongBeginning(query: Query): boolean {
  return positiveTerms(query).some(
    ({ tokens, isPrefix }) => isPrefix && !(tokens.length === 1 && isStart(tokens[0] ?? "")),
  );
}

/** The number of entries that match in a tier or above it, at most `max`. */
async function countOf(sql: Sql, lookup: EntryFilter, max: number, tier: Tier): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from (select 1 from ${counted(lookup)}
      where ${matching(lookup, tier)} ${range(lookup)} ${visible(lookup)} limit ${max})`;
  return Number(row?.n);
}

/** The tables to count in. The entries take most of the time, so they are joined only if a condition needs them. */
function counted(lookup: EntryFilter): Fragment {
  const { tables, query, visible: condition } = lookup;
  return query === undefined || condition !== undefined ? from(lookup) : fragment`${tables.words}`;
}

function matching({ tables, query, pairs }: EntryFilter, tier: Tier = 3): Fragment {
  return query === undefined
    ? fragment`true`
    : fragment`${tables.words} match ${ftsQuery(query, tier, pairs)}`;
}

/** Dates as a range of keys, by which the full-text table can seek. */
function range({ tables, query, from, to }: EntryFilter): Fragment {
  const key = keyOf({ tables, query });
  const first = (time: number) => keyOfPlace(tables.entries, time, NO_ID);
  return fragment`
    ${from === undefined ? fragment`` : fragment`and ${key} >= ${first(from)}`}
    ${to === undefined ? fragment`` : fragment`and ${key} < ${first(to)}`}`;
}

function visible({ visible: condition }: EntryFilter): Fragment {
  return condition === undefined ? fragment`` : fragment`and ${condition}`;
}

function keyOf({ tables, query }: Pick<EntryFilter, "tables" | "query">): Fragment {
  return query === undefined ? fragment`e.key` : fragment`${tables.words}.rowid`;
}

function direction(sort: SortedLookup["sort"]): Fragment {
  return sort === "newest" ? fragment`desc` : fragment``;
}

function afterSorted(lookup: SortedLookup): Fragment {
  const { tables, sort, after } = lookup;
  if (after === undefined) return fragment``;
  const { key, id } = after;
  if (sort === "title")
    return fragment`
      and e.title >= substr(${key}, 1, ${TITLE_LENGTH}) and (r.title, e.id) > (${key}, ${id})`;
  const place = (ofId: number) => keyOfPlace(tables.entries, Number(key), ofId);
  return sort === "newest"
    ? fragment`and ${keyOf(lookup)} < ${place(id)}`
    : fragment`and ${keyOf(lookup)} >= ${place(id + 1)}`;
}
