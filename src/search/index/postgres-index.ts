import { allEnded } from "../../awaitable.ts";
import { inBatchesOfFewSizes } from "../../batches.ts";
import { type Instant, type Sql, type Value, withoutResult } from "../../database/database.ts";
import { type Fragment, fragment, joined, rowList } from "../../database/fragment.ts";
import { OTHER_PARTS, tsqueries, tsquery } from "../query/postgres-query.ts";
import { positiveTerms, type Query } from "../query/query.ts";
import { LAST_TIER, type Tier, tiersFrom } from "../query/tiers.ts";
import { type IndexedRecord, indexedDocument, textRecord } from "../text/document.ts";
import { INDEX_TABLE_NAMES } from "./index-schema.ts";
import {
  type AgePosition,
  CATALOG_ROWS_AT_ONCE,
  type EntryFilter,
  type FoundEntry,
  type IndexStore,
  type RankedEntry,
  type RelevanceLookup,
  type SortedLookup,
  TITLE_LENGTH,
} from "./index-store.ts";
import { INDEX_VERSION } from "./index-version.ts";
import { tsvector } from "./postgres-document.ts";

/**
 * First, this many of the newest entries are tested one by one. For common words that fills a page, and costs
 * far less than gathering and sorting all matches.
 */
const NEWEST = 2_000;
/** If those entries fill a third of a page or more, testing this many costs less than gathering all matches. */
const NEWEST_OF_FREQUENT = 10_000;
const FEWER = 3;
/** The length of very short beginnings of words, in characters. */
const SHORT = 2;
/** Up to this many matches, all tiers are gathered in one statement. */
const FEW = 1_000;
/** The maximum number of entries that one statement adds. */
const ROWS_AT_ONCE = 32;

/** The index as a tsvector for each entry, with a GIN index over them. */
export const postgresIndex: IndexStore = {
  forUpdate: fragment`for update skip locked`,

  async remove(sql, { entries }, ids) {
    await withoutResult(sql)`delete from ${entries} where id in ${ids}`;
  },

  async add(sql, { entries }, records, hasWords) {
    for (const batch of inBatchesOfFewSizes(records, ROWS_AT_ONCE))
      await withoutResult(sql)`
        insert into ${entries} (id, created_at, title, page, host, words, version)
        values ${rowList(batch.map((record) => rowOf(record, hasWords)))}`;
  },

  async addWords(sql, { entries }, records) {
    for (const batch of inBatchesOfFewSizes(records, ROWS_AT_ONCE)) {
      const rows = joined(
        batch.map(
          (record) =>
            fragment`(cast(${record.id} as bigint), cast(${tsvector(indexedDocument(record))} as tsvector))`,
        ),
        fragment`, `,
      );
      await withoutResult(sql)`
        update ${entries} e set words = indexed.words, version = ${INDEX_VERSION}
        from (values ${rows}) as indexed (id, words) where e.id = indexed.id`;
    }
  },

  rowsAtOnce: () => CATALOG_ROWS_AT_ONCE,

  flush: async () => {},

  async putTexts(sql, { own, inside }, texts, hasWords) {
    for (const { id, copyId, text } of texts) {
      const words = hasWords ? tsvector(indexedDocument(textRecord(id, text))) : "";
      await withoutResult(sql)`
        insert into ${inside.entries} as known (id, copy_id, words, version)
        select id, cast(${copyId} as bigint), cast(${words} as tsvector), cast(${hasWords ? INDEX_VERSION : 0} as integer)
        from ${own.entries} where id = ${id}
        on conflict (id) do update
        set copy_id = excluded.copy_id, words = excluded.words, version = excluded.version`;
    }
  },

  async removeTexts(sql, { inside: { entries } }, ids) {
    await withoutResult(sql)`delete from ${entries} where id in ${ids}`;
  },

  isInside: fragment`c.id = e.id`,

  foundInside: ({ own, inside }) => ({
    ...own,
    isLong: true,
    entries: fragment`(
      select b.id, b.created_at, b.title, b.page, b.host, c.words from ${own.entries} b
      join ${inside.entries} c on c.id = b.id)`,
  }),

  hasWords: (tables, query, isExcluded) => {
    const ids = fragment`select e.id from ${tables.entries} e where ${matching({ tables, query })}`;
    return postgresIndex.isAmong(ids, { isExcluded, leads: false });
  },

  hasInside: ({ inside }, query, isExcluded) =>
    postgresIndex.hasWords({ ...inside, isLong: true }, query, isExcluded),

  isAmong: (ids, { isExcluded }) => fragment`e.id ${isExcluded ? fragment`not in` : fragment`in`} (${ids})`,

  async findRelevant(sql, lookup) {
    const { query } = lookup;
    // Phrases are checked by reading each entry. Therefore they are checked only for the tiers that a page needs.
    const mayBeFew = query !== undefined && !hasPhrase(query);
    const gather = () => findAmongFew(sql, lookup, FEW + 1);
    return (await findByTier(sql, lookup, mayBeFew ? gather : undefined)).found;
  },

  async findAndCount(sql, lookup, max) {
    const { query } = lookup;
    if (query !== undefined && hasPhrase(query)) {
      // Counting takes longer than finding a page, so both start at once.
      const counted = findAmongFew(sql, lookup, max);
      const [{ found }, { count }] = await allEnded([findByTier(sql, lookup, () => counted), counted]);
      return { found, count };
    }
    if (query === undefined || !isIntersection(query)) {
      const { few, count } = await countOrGather(sql, lookup, max);
      return { found: few ?? (await findByTier(sql, lookup)).found, count };
    }
    let gathered: Gathered | undefined;
    const { found, seen } = await findByTier(sql, lookup, async () => {
      gathered = await countOrGather(sql, lookup, max);
      return gathered;
    });
    const count = gathered?.count ?? (seen >= max ? max : await postgresIndex.count(sql, lookup, max));
    return { found, count };
  },

  async findSorted(sql, lookup) {
    const { tables, sort, after, limit } = lookup;
    if (sort === "newest") {
      const position = after && { createdAt: Number(after.key), id: after.id };
      const wanted = { ...lookup, after: position };
      const matches = matching(lookup);
      const newest = tables.isLong ? [] : await findAmongNewest(sql, wanted, matches);
      return newest.length === limit ? newest : (await findInIndex(sql, wanted, matches)).entries;
    }
    const isByTitle = sort === "title";
    const joinedTo = isByTitle ? fragment`join ${tables.records} r on r.id = e.id` : fragment``;
    const rows = await sql<FoundRow>`
      with found as ${lookup.query === undefined ? fragment`not materialized` : fragment`materialized`} (
        select e.id, e.created_at ${isByTitle ? fragment`, e.title as beginning, r.title` : fragment``}
        from ${tables.entries} e ${joinedTo}
        where ${matching(lookup)} ${range(lookup)} ${visible(lookup)} ${afterSorted(lookup)})
      select * from found
      order by ${isByTitle ? fragment`beginning, title collate "C", id` : fragment`created_at, id`} limit ${limit}`;
    return rows.map(toFound);
  },

  async count(sql, lookup, max) {
    const isShort = lookup.tables.isLong !== true;
    return isShort && (await hasMany(sql, lookup, max)) ? max : countMatches(sql, lookup, max, 3);
  },

  async damage(sql) {
    const names = joined(
      INDEX_TABLE_NAMES.postgres.map((name) => fragment`${name}`),
      fragment`, `,
    );
    const rows = await sql`
      select relname from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname in (${names})`;
    return rows.length < INDEX_TABLE_NAMES.postgres.length ? "contents" : undefined;
  },

  // PostgreSQL checks its own storage.
  pageDamage: async () => undefined,

  // PostgreSQL checks its own storage.
  faults: async () => [],
};

function rowOf(record: IndexedRecord, hasWords: boolean): Value[] {
  const { id, createdAt, title, page, host } = record;
  const beginning = Array.from(title.slice(0, 2 * TITLE_LENGTH))
    .slice(0, TITLE_LENGTH)
    .join("");
  const words = hasWords ? tsvector(indexedDocument(record)) : "";
  return [id, new Date(createdAt), beginning, page, host, words, hasWords ? INDEX_VERSION : 0];
}

interface FoundRow {
  readonly id: number;
  readonly created_at: Instant;
  /** Only if entries are sorted by title. */
  readonly title?: string;
}

function toFound({ id, created_at, title }: FoundRow): FoundEntry {
  return { id: Number(id), createdAt: Number(new Date(created_at)), title };
}

interface AgeLookup extends EntryFilter {
  readonly after: AgePosition | undefined;
  readonly limit: number;
}

/**
 * @param gather gathers the matches of all tiers, for when there seem to be few
 * @returns the entries of the page, and how many matches were seen
 */
async function findByTier(
  sql: Sql,
  lookup: RelevanceLookup,
  gather?: () => Promise<Gathered>,
): Promise<{ readonly found: RankedEntry[]; readonly seen: number }> {
  const { query, after, limit } = lookup;
  let mayBeFew = gather !== undefined;
  let seen = 0;
  const found: RankedEntry[] = [];
  for (const tier of tiersFrom(after)) {
    const matches = tierCondition(tier, query);
    if (matches === undefined || found.length >= limit) continue;
    const wanted = {
      ...lookup,
      after: after?.tier === tier ? after : undefined,
      limit: limit - found.length,
    };
    const newest = await findAmongNewest(sql, wanted, matches);
    const isFilled = newest.length === wanted.limit;
    if (!isFilled && newest.length <= 1 && mayBeFew) {
      const few = (await gather?.())?.few;
      if (few !== undefined) return { found: few, seen: few.length };
      mayBeFew = false;
    }
    const inIndex = isFilled ? undefined : await findInIndex(sql, wanted, matches);
    const entries = inIndex?.entries ?? newest;
    seen += inIndex?.count ?? newest.length;
    found.push(...entries.map((entry) => ({ entry, tier })));
  }
  return { found, seen };
}

/** Tests the newest entries one by one. The result is complete only if it fills the page. */
async function findAmongNewest(sql: Sql, lookup: AgeLookup, matches: Fragment): Promise<FoundEntry[]> {
  const { tables, limit } = lookup;
  // Reads in index order, and stops when the page is full.
  const among = (count: number) => sql<FoundRow>`
    select id, created_at from (
      select e.id, e.created_at, e.words from ${tables.entries} e where true ${conditions(lookup)}
      order by e.created_at desc, e.id desc limit ${count}) e
    where ${matches} order by created_at desc, id desc limit ${limit}`;
  let newest = await among(NEWEST);
  if (newest.length < limit && newest.length * FEWER >= limit) newest = await among(NEWEST_OF_FREQUENT);
  return newest.map(toFound);
}

/** Gathers all matches from the index, counts and sorts them. */
async function findInIndex(
  sql: Sql,
  lookup: AgeLookup,
  matches: Fragment,
): Promise<{ readonly entries: FoundEntry[]; readonly count: number }> {
  const { tables, limit } = lookup;
  const rows = await sql<FoundRow & { n: number }>`
    with found as materialized (
      select e.id, e.created_at from ${tables.entries} e where ${matches} ${conditions(lookup)})
    select id, created_at, (select count(*) from found) as n from found
    order by created_at desc, id desc limit ${limit}`;
  return { entries: rows.map(toFound), count: Number(rows[0]?.n ?? 0) };
}

function hasPhrase(query: Query): boolean {
  return positiveTerms(query).some(({ tokens }) => tokens.length > 1);
}

/** Whether matches must have several words or tags, for which the index intersects lists. */
function isIntersection(query: Query): boolean {
  if (query.type !== "and" || !positiveTerms(query).some(({ field }) => field === undefined)) return false;
  return query.nodes.filter(({ type }) => type !== "not").length > 1;
}

async function countOrGather(sql: Sql, lookup: RelevanceLookup, max: number): Promise<Gathered> {
  return (await hasMany(sql, lookup, max)) ? { count: max, few: undefined } : findAmongFew(sql, lookup, max);
}

/**
 * Whether there are `max` matches even in some parts only, for queries that are expensive in all parts. Where the index
 * intersects lists, this takes a third of the time of counting, and common words often have as many. For beginnings,
 * it reads the lists of all words that begin so: far fewer words are in titles.
 */
async function hasMany(sql: Sql, lookup: EntryFilter, max: number): Promise<boolean> {
  const { query } = lookup;
  if (query === undefined || hasPhrase(query)) return false;
  const forms = hasLongPrefix(query) ? 1 : isIntersection(query) ? OTHER_PARTS : undefined;
  return forms !== undefined && (await countMatches(sql, lookup, max, forms)) === max;
}

/** Whether a term is a long prefix. A short one matches many records, so counting them soon reaches its limit. */
function hasLongPrefix(query: Query): boolean {
  return positiveTerms(query).some(
    ({ field, tokens: [prefix = ""], isPrefix }) =>
      field === undefined && isPrefix && Array.from(prefix).length > SHORT,
  );
}

async function countMatches(
  sql: Sql,
  lookup: EntryFilter,
  max: number,
  forms: Tier | typeof OTHER_PARTS,
): Promise<number> {
  const [row] = await sql<{ n: number }>`
    select count(*) as n from (select 1 from ${lookup.tables.entries} e
      where ${matching(lookup, forms)} ${range(lookup)} ${visible(lookup)} limit ${max}) as found`;
  return Number(row?.n);
}

interface Gathered {
  /** At most the maximum. */
  readonly count: number;
  /** The entries of the page; undefined if there are too many matches. */
  readonly few: RankedEntry[] | undefined;
}

/** Gathers the matches of all tiers in one statement, which also counts them. */
async function findAmongFew(sql: Sql, lookup: RelevanceLookup, max: number): Promise<Gathered> {
  const { tables, query, after, limit } = lookup;
  const ofTier = (tier: Tier) =>
    query === undefined ? fragment`true` : fragment`e.words @@ cast(${tsquery(query, tier)} as tsquery)`;
  const afterCursor = after
    ? fragment`where tier > ${after.tier}
        or (tier = ${after.tier} and (created_at, id) < (${new Date(after.createdAt)}, ${after.id}))`
    : fragment``;
  const rows = await sql<FoundRow & { tier: Tier | null; n: number }>`
    with few as materialized (
      select e.id, e.created_at, case when ${ofTier(1)} then 1 when ${ofTier(2)} then 2 else 3 end as tier
      from ${tables.entries} e where ${matching(lookup)} ${range(lookup)} ${visible(lookup)} limit ${max})
    select n, id, created_at, tier from (select count(*) as n from few) as counted left join (
      select id, created_at, tier from few ${afterCursor}
      order by tier, created_at desc, id desc limit ${limit}) as page on true
    order by tier, created_at desc, id desc`;
  const count = Number(rows[0]?.n);
  if (count >= max) return { count, few: undefined };
  const few = rows.flatMap((row) => (row.tier === null ? [] : [{ entry: toFound(row), tier: row.tier }]));
  return { count, few };
}

function conditions(lookup: AgeLookup): Fragment {
  const { after } = lookup;
  const bound = after
    ? fragment`and (e.created_at, e.id) < (${new Date(after.createdAt)}, ${after.id})`
    : fragment``;
  return fragment`${range(lookup)} ${bound} ${visible(lookup)}`;
}

/** The condition for entries that match in this tier and in none above; undefined if there can be none. */
function tierCondition(tier: Tier, query: Query | undefined): Fragment | undefined {
  if (query === undefined) return tier === 1 ? fragment`true` : undefined;
  const wanted = tsquery(query, tier);
  if (tier === 1) return fragment`e.words @@ cast(${wanted} as tsquery)`;
  const above = tsquery(query, tier === LAST_TIER ? 2 : 1);
  return wanted === above ? undefined : fragment`e.words @@ cast(${`${wanted} & !${above}`} as tsquery)`;
}

function matching(
  { tables, query }: Pick<EntryFilter, "tables" | "query">,
  forms: Tier | typeof OTHER_PARTS = LAST_TIER,
): Fragment {
  if (query === undefined) return fragment`true`;
  // Long texts stand apart from their rows, which the planner does not count when it thinks of reading them all, as it does for
  // frequent words: so it is not told the words.
  if (tables.isLong)
    return joined(
      tsqueries(query, OTHER_PARTS).map((text) => fragment`e.words @@ (select cast(${text} as tsquery))`),
      fragment` and `,
    );
  return joined(
    tsqueries(query, forms).map((text) => fragment`e.words @@ cast(${text} as tsquery)`),
    fragment` and `,
  );
}

function range({ from, to }: EntryFilter): Fragment {
  return fragment`
    ${from === undefined ? fragment`` : fragment`and e.created_at >= ${new Date(from)}`}
    ${to === undefined ? fragment`` : fragment`and e.created_at < ${new Date(to)}`}`;
}

function visible({ visible: condition }: EntryFilter): Fragment {
  return condition === undefined ? fragment`` : fragment`and ${condition}`;
}

function afterSorted({ sort, after }: SortedLookup): Fragment {
  if (after === undefined) return fragment``;
  const { key, id } = after;
  if (sort === "title")
    return fragment`
      and e.title >= substr(${key}, 1, ${TITLE_LENGTH}) and (r.title collate "C", e.id) > (${key}, ${id})`;
  return fragment`and (e.created_at, e.id) > (${new Date(key)}, ${id})`;
}
