import type { Database, Instant, Sql } from "../database/database.ts";
import { ReadTimeout } from "../database/errors.ts";
import { type Fragment, fragment, joined } from "../database/fragment.ts";
import { Refusal } from "../errors.ts";
import { timeLimit } from "../time-limit.ts";
import { INDEX_TABLES, type IndexedCollection } from "./collection.ts";
import { countWaiting, indexStores, repairAfter } from "./index/entries.ts";
import type { EntryFilter, IndexStore, InsideTables } from "./index/index-store.ts";
import { type EntryCondition, insideQueryOf } from "./query/conditions.ts";
import { extractDateRange, type RangedQuery } from "./query/created-range.ts";
import { allOf, anyOf, type ParsedQuery, type Query, type TimeRange, wholeQuery } from "./query/query.ts";
import { BEGINNING_TIER, INSIDE_TIER, LAST_TIER, type ListTier } from "./query/tiers.ts";
import {
  isBelowWords,
  type ListedEntry,
  mergeSorted,
  positionOf,
  rankedPosition,
  type SearchPosition,
  type Sort,
} from "./search-position.ts";

/** The time limit of one search, in milliseconds. */
export const SEARCH_TIME_MAX = 2_000;
/** The maximum count of matches; above it, there are only "more". */
export const COUNT_MAX = 1_000;
/** At most this many records of one web page are found. */
const OF_WEB_PAGE_MAX = 1_000;

/** What to search for. */
export interface SearchScope {
  /** Undefined matches every record. */
  readonly query: ParsedQuery | undefined;
  /** An SQL condition on the entry `e`. Other entries are ignored. */
  readonly visible?: Fragment | undefined;
  /** Whether records are also found by the texts inside them, which the caller may read; last of all. */
  readonly inside?: boolean | undefined;
}

export interface SearchRequest extends SearchScope {
  readonly sort: Sort;
  readonly limit: number;
  readonly after?: SearchPosition | undefined;
}

export interface SearchPage {
  readonly ids: readonly number[];
  /** Those of them that match only by the text inside them. */
  readonly inside: ReadonlySet<number>;
  /** The start of the next page; undefined on the last page. */
  readonly next: SearchPosition | undefined;
}

/** A count up to {@link COUNT_MAX}, and whether there are more matches. */
export interface MatchCount {
  readonly matches: number;
  readonly more: boolean;
}

/** Called after every search. */
export type SearchObserver = (milliseconds: number, isTimeout: boolean) => void;

/** Called when a search has found the index damaged, and a job is to make it again. */
export type DamageHandler = (error: unknown) => void;

export interface SearchHandlers {
  readonly observe?: SearchObserver | undefined;
  readonly onDamage?: DamageHandler | undefined;
}

/** Which entries to find. */
interface Lookup extends EntryFilter {
  /** Whether some are more relevant than others; otherwise they are listed newest first. */
  readonly isRanked: boolean;
}

/** Searches one collection. */
export class Search {
  readonly #database: Database;
  readonly #store: IndexStore;
  readonly #collection: IndexedCollection;
  readonly #observe: SearchObserver | undefined;
  readonly #onDamage: DamageHandler | undefined;
  /** Of all searches that find the index damaged, one repairs it. */
  #repairing: Promise<boolean> | undefined;
  /** Whether a text inside a record was seen. */
  #hasTexts = false;

  constructor(database: Database, collection: IndexedCollection, { observe, onDamage }: SearchHandlers = {}) {
    this.#database = database;
    this.#store = indexStores[database.engine];
    this.#collection = collection;
    this.#observe = observe;
    this.#onDamage = onDamage;
  }

  /**
   * The number of records that searches may miss, after a large import or an upgrade; otherwise 0.
   * @param inside whether the texts inside records are searched, too
   */
  behind(inside = false): Promise<number> {
    return this.#withRepair(async () => {
      const { read } = this.#database;
      const name = inside ? INDEX_TABLES[this.#collection.name].inside : undefined;
      const [own, texts] = await Promise.all([
        countWaiting(read, this.#collection),
        name === undefined ? 0 : countWaiting(read, { name }),
      ]);
      return own + texts;
    });
  }

  /** @throws Refusal `unavailable` when the search takes too long */
  async page(request: SearchRequest): Promise<SearchPage> {
    return pageOf(await this.#timed(() => this.#find({ ...request, limit: request.limit + 1 })), request);
  }

  /** A page, and the count of all matches. @throws Refusal `unavailable` when that takes too long */
  async pageAndCount(
    request: SearchRequest,
  ): Promise<{ readonly page: SearchPage; readonly count: MatchCount }> {
    const { query, sort, limit, after } = request;
    const isPlain = query?.pageHash === undefined && query?.beginning === undefined;
    const lookup = isPlain ? this.#lookup(request) : undefined;
    if (sort !== "relevance" || lookup === undefined || !lookup.isRanked) {
      const [page, count] = await Promise.all([this.page(request), this.count(request)]);
      return { page, count };
    }
    return this.#timed(async () => {
      const sql = this.#sql();
      const wanted = { ...lookup, after: rankedPosition(after), limit: limit + 1 };
      const isBelow = after !== undefined && isBelowWords(after);
      const { found: matches, count } = await this.#store.findAndCount(sql, wanted, COUNT_MAX + 1);
      const found: ListedEntry[] = isBelow ? [] : [...matches];
      const isFull = found.length > limit && count > COUNT_MAX;
      if (isFull || !(await this.#mayBeInside(sql, request)))
        return { page: pageOf(found, request), count: countOf(count, COUNT_MAX) };
      const [listed, ofTexts] = await Promise.all([
        this.#onlyInside(sql, request, limit + 1 - found.length),
        this.#countInside(sql, request, COUNT_MAX + 1 - count),
      ]);
      return { page: pageOf([...found, ...listed], request), count: countOf(count + ofTexts, COUNT_MAX) };
    });
  }

  /** All matches in batches; after the position `after`, if the request has one. */
  async *batches(request: SearchRequest): AsyncGenerator<readonly number[]> {
    for (let after = request.after, isLast = false; !isLast; ) {
      const page = await this.page({ ...request, after });
      yield page.ids;
      after = page.next;
      isLast = after === undefined;
    }
  }

  /** @throws Refusal `unavailable` when counting takes too long */
  count(scope: SearchScope, max = COUNT_MAX): Promise<MatchCount> {
    return this.#timed(async () => {
      const { query, visible } = scope;
      const sql = this.#sql();
      const lookup = this.#lookup({ query: query && whole(query), visible });
      const ofWebPage =
        query?.pageHash === undefined
          ? 0
          : (await this.#ofWebPage(sql, { query, visible, limit: max })).length;
      const ofWords = lookup === undefined ? 0 : await this.#store.count(sql, lookup, max + 1);
      const found = ofWebPage + ofWords;
      const ofTexts =
        found <= max && (await this.#mayBeInside(sql, scope))
          ? await this.#countInside(sql, scope, max + 1 - found)
          : 0;
      return countOf(found + ofTexts, max);
    });
  }

  /**
   * The same of a query of one mark, such as *untagged*, where a page reads its rows: that takes a moment.
   * @returns undefined while the index is damaged: whoever searches has it made again
   */
  async countIn(sql: Sql, query: Query): Promise<MatchCount | undefined> {
    const lookup = this.#lookup({ query: { root: query } });
    if (lookup === undefined) return { matches: 0, more: false };
    try {
      return countOf(await this.#store.count(sql, lookup, COUNT_MAX + 1), COUNT_MAX);
    } catch (error) {
      if ((await this.#store.damage(sql, error)) === undefined) throw error;
      return undefined;
    }
  }

  /**
   * The ids of the newest records of a query of one mark, such as a site, where a page reads its rows.
   * @returns none while the index is damaged, as above
   */
  async newestIn(sql: Sql, query: Query, limit: number): Promise<number[]> {
    const lookup = this.#lookup({ query: { root: query } });
    if (lookup === undefined) return [];
    try {
      const found = await this.#store.findSorted(sql, { ...lookup, sort: "newest", limit, after: undefined });
      return found.map(({ id }) => id);
    } catch (error) {
      if ((await this.#store.damage(sql, error)) === undefined) throw error;
      return [];
    }
  }

  /** Those of some records that match, as a transaction sees them that has changed them; not by the texts inside them. */
  async among(sql: Sql, { query, visible }: SearchScope, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const scope = {
      query: query && whole(query),
      visible: joinedConditions([visible, fragment`e.id in ${ids}`]),
    };
    const limit = ids.length;
    const lookup = this.#lookup(scope);
    const found =
      lookup && (await this.#store.findSorted(sql, { ...lookup, sort: "newest", after: undefined, limit }));
    const ofWebPage = await this.#ofWebPage(sql, { ...scope, after: undefined, limit });
    return [...(found ?? []), ...ofWebPage.map(({ entry }) => entry)].map(({ id }) => id);
  }

  /**
   * Reads on the search connections, within the time limit of one search.
   * @throws Refusal `unavailable` when it takes too long
   */
  apart<T>(read: (sql: Sql) => PromiseLike<T> | T): Promise<T> {
    return this.#timed(async () => read(this.#sql()));
  }

  #sql(): Sql {
    return this.#database.readApart(performance.now() + timeLimit(SEARCH_TIME_MAX));
  }

  /** The part of the query to search by words; undefined if nothing can match. */
  #lookup({ query, visible }: SearchScope): Lookup | undefined {
    if (query === undefined)
      return { ...this.#condition(query, visible), query: undefined, from: undefined, to: undefined };
    return query.root && this.#within({ query, visible }, extractDateRange(query.root));
  }

  /**
   * The same for records in which the last word only begins a word. They have the dates of the whole query, and not all of
   * its words.
   */
  #beginningLookup({ query, visible }: SearchScope): Lookup | undefined {
    const { beginning, root } = query ?? {};
    if (beginning === undefined) return undefined;
    const ranged = extractDateRange(beginning);
    if (root === undefined) return this.#within({ query, visible }, ranged);
    const words = extractDateRange(root).query;
    if (words === undefined) return undefined;
    const others = allOf([...(ranged.query ? [ranged.query] : []), { type: "not", node: words }]);
    return this.#within({ query, visible }, { ...ranged, query: others });
  }

  #within({ query, visible }: SearchScope, { outside, conditions, ...range }: RangedQuery): Lookup {
    const condition = this.#condition(query, visible);
    const texts = range.query === undefined ? this.#insideTables : undefined;
    const pages = texts && pagesOf(conditions);
    // Without words of their own, records are found by the texts inside them.
    const isByTexts = texts !== undefined && pages !== undefined;
    const others = isByTexts ? conditions.filter(isOfState) : conditions;
    const leads = range.query === undefined && !isByTexts;
    return {
      ...range,
      query: isByTexts ? pages : range.query,
      tables: isByTexts ? this.#store.foundInside(texts) : condition.tables,
      visible: joinedConditions([
        condition.visible,
        ...outside.map(isOutside),
        ...others.map((one, index) => this.#conditionOn(one, leads && index === 0)),
      ]),
      isRanked: conditions.length === 0 || range.query !== undefined,
    };
  }

  /**
   * The records that have the words in the texts inside them, and not by themselves; undefined if there can be none.
   * @param withOwn whether those are found, too, that have the words by themselves
   */
  #insideLookup({ query, visible }: SearchScope, { withOwn = false } = {}): Lookup | undefined {
    const whole = query && wholeQuery(query);
    const tables = this.#insideTables;
    if (whole === undefined || tables === undefined) return undefined;
    const { query: words, outside, conditions, ...range } = extractDateRange(whole);
    const split = words && insideQueryOf(words);
    if (words === undefined || split === undefined) return undefined;
    const pages = pagesOf(conditions);
    const has = (wanted: Query, isExcluded: boolean) => this.#store.hasWords(tables.own, wanted, isExcluded);
    const [wanted, unwanted] = [split.own.filter(({ type }) => type !== "not"), negated(split.own)];
    return {
      ...range,
      query: allOf([split.inside, ...(pages ? [pages] : [])]),
      tables: this.#store.foundInside(tables),
      visible: joinedConditions([
        this.#condition(query, visible).visible,
        ...outside.map(isOutside),
        ...(pages === undefined ? conditions : conditions.filter(isOfState)).map((one) =>
          this.#conditionOn(one, false),
        ),
        ...optional(allOf(wanted), (one) => has(one, false)),
        ...optional(anyOf(unwanted), (one) => has(one, true)),
        ...(withOwn ? [] : [has(words, true)]),
      ]),
      isRanked: false,
    };
  }

  get #insideTables(): InsideTables | undefined {
    const own = INDEX_TABLES[this.#collection.name];
    return own.inside && { own, inside: INDEX_TABLES[own.inside] };
  }

  #conditionOn({ condition, isExcluded }: EntryCondition, leads: boolean): Fragment {
    const tables = this.#insideTables;
    const states = tables?.own.states;
    if (tables === undefined || states === undefined) throw new Error("This collection has no conditions.");
    return condition.type === "state"
      ? this.#store.isAmong(states[condition.state], { isExcluded, leads: leads && !isExcluded })
      : this.#store.hasInside(tables, condition.query, isExcluded);
  }

  #condition(query: ParsedQuery | undefined, visible: Fragment | undefined) {
    const tables = INDEX_TABLES[this.#collection.name];
    return {
      tables,
      visible: query?.pageHash === undefined ? visible : notOfWebPage(query.pageHash, visible),
      isRanked: true,
    };
  }

  /** Whether texts inside records are searched, and there is one. */
  async #mayBeInside(sql: Sql, { query, inside }: SearchScope): Promise<boolean> {
    if (!inside || query === undefined || this.#insideTables === undefined) return false;
    if (!this.#hasTexts) {
      const rows = await sql`select 1 from ${this.#insideTables.inside.entries} limit 1`;
      this.#hasTexts = rows.length > 0;
    }
    return this.#hasTexts;
  }

  /** The entries of the last tier, newest first. */
  async #onlyInside(sql: Sql, request: SearchRequest, limit: number): Promise<ListedEntry[]> {
    const lookup = limit > 0 ? this.#insideLookup(request) : undefined;
    if (lookup === undefined) return [];
    const { after } = request;
    const position = after?.tier === INSIDE_TIER ? { key: after.key, id: after.id } : undefined;
    const entries = await this.#store.findSorted(sql, { ...lookup, sort: "newest", after: position, limit });
    return entries.map((entry) => ({ entry, tier: INSIDE_TIER }));
  }

  async #countInside(sql: Sql, scope: SearchScope, max: number): Promise<number> {
    const lookup = max > 0 ? this.#insideLookup(scope) : undefined;
    return lookup === undefined ? 0 : this.#store.count(sql, lookup, max);
  }

  async #find(request: SearchRequest): Promise<ListedEntry[]> {
    const { query, sort, limit, after, visible } = request;
    const sql = this.#sql();
    if (sort === "relevance") return this.#byTier(sql, request);
    const lookup = this.#lookup({ query: query && whole(query), visible });
    const position = after && { key: after.key, id: after.id };
    const sorted = async (wanted: Lookup | undefined, tier: ListTier) =>
      wanted === undefined
        ? []
        : (await this.#store.findSorted(sql, { ...wanted, sort, limit, after: position })).map((entry) => ({
            entry,
            tier,
          }));
    const byWords = await sorted(lookup, LAST_TIER);
    const ofWebPage = await this.#ofWebPage(sql, {
      query,
      visible,
      after: undefined,
      limit: OF_WEB_PAGE_MAX,
    });
    // In the same order up to the same length, those that have the words by themselves are in the first list, too.
    const inside = (await this.#mayBeInside(sql, request))
      ? await sorted(this.#insideLookup(request, { withOwn: true }), INSIDE_TIER)
      : [];
    if (ofWebPage.length === 0 && inside.length === 0) return byWords;
    const all = [ofWebPage.map(({ entry }) => ({ entry, tier: LAST_TIER }) as const), byWords, inside];
    return mergeSorted(all, sort, after);
  }

  async #byTier(sql: Sql, request: SearchRequest): Promise<ListedEntry[]> {
    const { query, visible, after, limit } = request;
    const found = await this.#ofWebPage(sql, request);
    const lookup = this.#lookup(request);
    const isBelow = after !== undefined && isBelowWords(after);
    if (lookup !== undefined && found.length < limit && !isBelow) {
      const wanted = { ...lookup, limit: limit - found.length };
      const position = rankedPosition(after);
      if (lookup.isRanked)
        found.push(...(await this.#store.findRelevant(sql, { ...wanted, after: position })));
      else {
        const last = position && { key: position.createdAt, id: position.id };
        const entries = await this.#store.findSorted(sql, { ...wanted, sort: "newest", after: last });
        found.push(...entries.map((entry) => ({ entry, tier: LAST_TIER }) as const));
      }
    }
    // Those in which the last word only begins a word follow, newest first.
    const others =
      after?.tier === INSIDE_TIER ? undefined : query && this.#beginningLookup({ query, visible });
    if (others !== undefined && found.length < limit) {
      const position = after?.tier === BEGINNING_TIER ? { key: after.key, id: after.id } : undefined;
      const wanted = { ...others, sort: "newest" as const, after: position, limit: limit - found.length };
      const entries = await this.#store.findSorted(sql, wanted);
      found.push(...entries.map((entry) => ({ entry, tier: BEGINNING_TIER }) as const));
    }
    if (found.length < limit && (await this.#mayBeInside(sql, request)))
      found.push(...(await this.#onlyInside(sql, request, limit - found.length)));
    return found;
  }

  /** The entries of the first tier: records of the web page whose URL is the query. */
  async #ofWebPage(
    sql: Sql,
    { query, visible, after, limit }: Pick<SearchRequest, "query" | "visible" | "after" | "limit">,
  ): Promise<ListedEntry[]> {
    if (query?.pageHash === undefined || (after !== undefined && after.tier > 0)) return [];
    const { entries, records } = INDEX_TABLES[this.#collection.name];
    const bound = after ? fragment`and (created_at, id) < (${new Date(after.key)}, ${after.id})` : fragment``;
    const rows = await sql<{ id: number; created_at: Instant; title: string }>`
      select id, created_at, coalesce((select title from ${records} r where r.id = e.id), '') as title from ${entries} e
      where page = ${query.pageHash} ${bound} ${visible ? fragment`and ${visible}` : fragment``}
      order by created_at desc, id desc limit ${limit}`;
    return rows.map(({ id, created_at, title }) => ({
      entry: { id: Number(id), createdAt: Number(new Date(created_at)), title },
      tier: 0,
    }));
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      const result = await this.#withRepair(work);
      this.#observe?.(performance.now() - started, false);
      return result;
    } catch (error) {
      if (!(error instanceof ReadTimeout)) throw error;
      this.#observe?.(performance.now() - started, true);
      throw error.isBusy ? tooBusy() : tooSlow();
    }
  }

  /** A damaged index is rebuilt, and the search finds what the job has reached. */
  async #withRepair<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ReadTimeout) throw error;
      this.#repairing ??= repairAfter(this.#database, error).finally(() => {
        this.#repairing = undefined;
      });
      if (!(await this.#repairing)) throw error;
      this.#onDamage?.(error);
      return await work();
    }
  }
}

/** The refusal of a search that takes too long. */
export function tooSlow(): Refusal {
  const detail = "This search took too long. Use more specific words.";
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}

function tooBusy(): Refusal {
  const detail = "The server is too busy to search: try again in a moment.";
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}

/** A query without tiers for its last word. */
function whole(query: ParsedQuery): ParsedQuery {
  return { ...query, root: wholeQuery(query) };
}

function notOfWebPage(hash: string, visible: Fragment | undefined): Fragment {
  return visible === undefined ? fragment`e.page <> ${hash}` : fragment`e.page <> ${hash} and ${visible}`;
}

function isOutside({ from, to }: Required<TimeRange>): Fragment {
  return fragment`not (e.created_at >= ${new Date(from)} and e.created_at < ${new Date(to)})`;
}

function joinedConditions(conditions: readonly (Fragment | undefined)[]): Fragment | undefined {
  const given = conditions.filter((one) => one !== undefined);
  return given.length === 0 ? undefined : joined(given, fragment` and `);
}

/** The query for the texts inside records that `page:` asks; undefined if it only excludes some. */
function pagesOf(conditions: readonly EntryCondition[]): Query | undefined {
  const pages = conditions.flatMap(({ condition, isExcluded }): Query[] =>
    condition.type !== "inside"
      ? []
      : [isExcluded ? { type: "not", node: condition.query } : condition.query],
  );
  return pages.some(({ type }) => type !== "not") ? allOf(pages) : undefined;
}

function isOfState({ condition }: EntryCondition): boolean {
  return condition.type === "state";
}

/** What the negations among some queries negate. */
function negated(queries: readonly Query[]): Query[] {
  return queries.flatMap((query) => (query.type === "not" ? [query.node] : []));
}

function optional<T>(query: Query | undefined, make: (query: Query) => T): T[] {
  return query === undefined ? [] : [make(query)];
}

function pageOf(found: readonly ListedEntry[], { limit, sort }: SearchRequest): SearchPage {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    ids: page.map(({ entry }) => entry.id),
    inside: new Set(page.flatMap(({ entry, tier }) => (tier === INSIDE_TIER ? [entry.id] : []))),
    next: found.length > limit && last ? positionOf(last, sort) : undefined,
  };
}

function countOf(count: number, max: number): MatchCount {
  return { matches: Math.min(count, max), more: count > max };
}
