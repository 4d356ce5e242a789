import type { Instant, Sql } from "../../database/database.ts";
import { Fragment, fragment, joined } from "../../database/fragment.ts";
import script from "../../database/migrations/postgres/0017-search-index.sql" with { type: "text" };
import { tsquery } from "../query/postgres-query.ts";
import { splitStatements, tablesIn } from "./index-script.ts";
import type {
  AgePosition,
  EntryFilter,
  FoundEntry,
  IndexStore,
  SortedLookup,
  TierLookup,
} from "./index-store.ts";
import { tsvector } from "./postgres-document.ts";

/** The advisory lock of the transaction that writes to the index: "srch" in ASCII. */
const INDEX_LOCK = 0x73726368;

/**
 * So many of the newest entries are looked at one by one first: of common words that is enough, and far less than
 * the index would have to gather and sort.
 */
const NEWEST = 2_000;

/** The index in a tsvector for each entry, with a GIN index over them. */
export const postgresIndex: IndexStore = {
  async claim(sql) {
    const [row] = await sql<{ claimed: boolean }>`select pg_try_advisory_xact_lock(${INDEX_LOCK}) as claimed`;
    return row?.claimed === true;
  },

  async remove(sql, { entries }, ids) {
    await sql`delete from ${entries} where id in ${ids}`;
  },

  async add(sql, { entries }, added) {
    const rows = added.map(
      ({ record: { id, createdAt, title, page, host }, document }) =>
        fragment`(${id}, ${new Date(createdAt)}, ${title}, ${page}, ${host}, cast(${tsvector(document)} as tsvector))`,
    );
    await sql`insert into ${entries} (id, created_at, title, page, host, words) values ${joined(rows, fragment`, `)}`;
    return [];
  },

  async findTier(sql, lookup) {
    const matches = tierCondition(lookup);
    return matches === undefined ? [] : newestFirst(sql, lookup, matches);
  },

  async findSorted(sql, lookup) {
    const { tables, sort, after, limit } = lookup;
    if (sort === "newest") {
      const position = after && { createdAt: Number(after.key), id: after.id };
      return newestFirst(sql, { ...lookup, after: position }, matching(lookup));
    }
    const rows = await sql<FoundRow>`
      with found as ${lookup.query === undefined ? fragment`not materialized` : fragment`materialized`} (
        select e.id, e.created_at, e.title from ${tables.entries} e
        where ${matching(lookup)} ${range(lookup)} ${visible(lookup)} ${afterSorted(lookup)})
      select id, created_at, title from found
      order by ${sort === "title" ? fragment`left(title, 16), title, id` : fragment`created_at, id`} limit ${limit}`;
    return rows.map(toFound);
  },

  async count(sql, lookup, max) {
    const [row] = await sql<{ n: number }>`
      select count(*) as n from (select 1 from ${lookup.tables.entries} e
        where ${matching(lookup)} ${range(lookup)} ${visible(lookup)} limit ${max}) as found`;
    return Number(row?.n);
  },

  async isBroken(sql) {
    const names = joined(
      tablesIn(script).map((name) => fragment`${name}`),
      fragment`, `,
    );
    const rows = await sql`
      select relname from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname in (${names})`;
    return rows.length < tablesIn(script).length;
  },

  async recreate(sql) {
    for (const name of tablesIn(script)) await sql`${new Fragment([`drop table if exists ${name}`], [])}`;
    for (const statement of splitStatements(script)) await sql`${new Fragment([statement], [])}`;
  },

  // The server looks after what it stores itself.
  faults: async () => [],
};

interface FoundRow {
  readonly id: number;
  readonly created_at: Instant;
  readonly title: string;
}

function toFound({ id, created_at, title }: FoundRow): FoundEntry {
  return { id: Number(id), createdAt: Number(new Date(created_at)), title };
}

/** Looks at the newest entries one by one, and asks the index when they are not enough. */
async function newestFirst(
  sql: Sql,
  lookup: EntryFilter & { readonly after: AgePosition | undefined; readonly limit: number },
  matches: Fragment,
): Promise<FoundEntry[]> {
  const { tables, after, limit } = lookup;
  const bound = after
    ? fragment`and (e.created_at, e.id) < (${new Date(after.createdAt)}, ${after.id})`
    : fragment``;
  const conditions = fragment`${range(lookup)} ${bound} ${visible(lookup)}`;
  // Read in the order of an index, and no further than the page: whether there are more than these is not counted.
  const newest = await sql<FoundRow>`
    select id, created_at, title from (
      select e.id, e.created_at, e.title, e.words from ${tables.entries} e where true ${conditions}
      order by e.created_at desc, e.id desc limit ${NEWEST}) e
    where ${matches} order by created_at desc, id desc limit ${limit}`;
  if (newest.length === limit) return newest.map(toFound);
  const rows = await sql<FoundRow>`
    with found as materialized (
      select e.id, e.created_at, e.title from ${tables.entries} e where ${matches} ${conditions})
    select id, created_at, title from found order by created_at desc, id desc limit ${limit}`;
  return rows.map(toFound);
}

/** The words of a tier that are of no tier above; undefined when the tier above has them all. */
function tierCondition({ query, tier }: TierLookup): Fragment | undefined {
  if (query === undefined) return tier === 1 ? fragment`true` : undefined;
  const wanted = tsquery(query, tier);
  if (tier === 1) return fragment`e.words @@ cast(${wanted} as tsquery)`;
  const above = tsquery(query, tier === 3 ? 2 : 1);
  return wanted === above ? undefined : fragment`e.words @@ cast(${`${wanted} & !${above}`} as tsquery)`;
}

function matching({ query }: EntryFilter): Fragment {
  return query === undefined ? fragment`true` : fragment`e.words @@ cast(${tsquery(query, 3)} as tsquery)`;
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
      and left(e.title, 16) >= left(${key}, 16) and (e.title, e.id) > (${key}, ${id})`;
  return fragment`and (e.created_at, e.id) > (${new Date(key)}, ${id})`;
}
