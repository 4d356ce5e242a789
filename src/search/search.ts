import type { Database, Instant, Sql } from "../database/database.ts";
import { ReadTimeout } from "../database/errors.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import { Refusal } from "../errors.ts";
import { timeLimit } from "../time-limit.ts";
import { INDEX_TABLES, type IndexedCollection } from "./collection.ts";
import { countWaiting, indexStores, repairAfter } from "./index/entries.ts";
import type { EntryFilter, IndexStore } from "./index/index-store.ts";
import { extractDateRange, type RangedQuery } from "./query/created-range.ts";
import { allOf, type ParsedQuery, type TimeRange, wholeQuery } from "./query/query.ts";
import { BEGINNING_TIER, LAST_TIER } from "./query/tiers.ts";
import {
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
}

export interface SearchRequest extends SearchScope {
  readonly sort: Sort;
  readonly limit: number;
  readonly after?: SearchPosition | undefined;
}

export interface SearchPage {
  readonly ids: readonly number[];
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

/** Searches one collection. */
export class Search {
  readonly #database: Database;
  readonly #store: IndexStore;
  readonly #collection: IndexedCollection;
  readonly #observe: SearchObserver | undefined;
  readonly #onDamage: DamageHandler | undefined;
  /** Of all searches that find the index damaged, one repairs it. */
  #repairing: Promise<boolean> | undefined;

  constructor(database: Database, collection: IndexedCollection, { observe, onDamage }: SearchHandlers = {}) {
    this.#database = database;
    this.#store = indexStores[database.engine];
    this.#collection = collection;
    this.#observe = observe;
    this.#onDamage = onDamage;
  }

  /** The number of records that searches may miss, after a large import or an upgrade; otherwise 0. */
  behind(): Promise<number> {
    return this.#withRepair(() => countWaiting(this.#database.read, this.#collection));
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
    if (sort !== "relevance" || lookup === undefined) {
      const [page, count] = await Promise.all([this.page(request), this.count(request)]);
      return { page, count };
    }
    return this.#timed(async () => {
      const wanted = { ...lookup, after: rankedPosition(after), limit: limit + 1 };
      const { found, count } = await this.#store.findAndCount(this.#sql(), wanted, COUNT_MAX + 1);
      return { page: pageOf(found, request), count: countOf(count, COUNT_MAX) };
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
      return countOf(ofWebPage + ofWords, max);
    });
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
  #lookup({ query, visible }: SearchScope): EntryFilter | undefined {
    if (query === undefined)
      return { ...this.#condition(query, visible), query: undefined, from: undefined, to: undefined };
    return query.root && this.#within({ query, visible }, extractDateRange(query.root));
  }

  /**
   * The same for records in which the last word only begins a word. They have the dates of the whole query, and not all of
   * its words.
   */
  #beginningLookup({ query, visible }: SearchScope): EntryFilter | undefined {
    const { beginning, root } = query ?? {};
    if (beginning === undefined) return undefined;
    const ranged = extractDateRange(beginning);
    if (root === undefined) return this.#within({ query, visible }, ranged);
    const words = extractDateRange(root).query;
    if (words === undefined) return undefined;
    const others = allOf([...(ranged.query ? [ranged.query] : []), { type: "not", node: words }]);
    return this.#within({ query, visible }, { ...ranged, query: others });
  }

  #within({ query, visible }: SearchScope, { outside, ...range }: RangedQuery): EntryFilter {
    const condition = this.#condition(query, visible);
    return { ...condition, ...range, visible: outside.reduce(alsoOutside, condition.visible) };
  }

  #condition(query: ParsedQuery | undefined, visible: Fragment | undefined) {
    const tables = INDEX_TABLES[this.#collection.name];
    return {
      tables,
      visible: query?.pageHash === undefined ? visible : notOfWebPage(query.pageHash, visible),
    };
  }

  async #find(request: SearchRequest): Promise<ListedEntry[]> {
    const { query, sort, limit, after, visible } = request;
    const sql = this.#sql();
    if (sort === "relevance") return this.#byTier(sql, request);
    const lookup = this.#lookup({ query: query && whole(query), visible });
    const position = after && { key: after.key, id: after.id };
    const byWords =
      lookup && (await this.#store.findSorted(sql, { ...lookup, sort, limit, after: position }));
    const ofWebPage = await this.#ofWebPage(sql, {
      query,
      visible,
      after: undefined,
      limit: OF_WEB_PAGE_MAX,
    });
    if (ofWebPage.length === 0) return (byWords ?? []).map((entry) => ({ entry, tier: LAST_TIER }));
    return mergeSorted([...ofWebPage.map(({ entry }) => entry), ...(byWords ?? [])], sort, after).map(
      (entry) => ({
        entry,
        tier: LAST_TIER,
      }),
    );
  }

  async #byTier(sql: Sql, request: SearchRequest): Promise<ListedEntry[]> {
    const { query, visible, after, limit } = request;
    const found = await this.#ofWebPage(sql, request);
    const lookup = this.#lookup(request);
    if (lookup !== undefined && found.length < limit && after?.tier !== BEGINNING_TIER) {
      const wanted = { ...lookup, after: rankedPosition(after), limit: limit - found.length };
      found.push(...(await this.#store.findRelevant(sql, wanted)));
    }
    // Those in which the last word only begins a word follow, newest first.
    const others = query && this.#beginningLookup({ query, visible });
    if (!others || found.length >= limit) return found;
    const position = after?.tier === BEGINNING_TIER ? { key: after.key, id: after.id } : undefined;
    const wanted = { ...others, sort: "newest" as const, after: position, limit: limit - found.length };
    const entries = await this.#store.findSorted(sql, wanted);
    return [...found, ...entries.map((entry) => ({ entry, tier: BEGINNING_TIER }) as const)];
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

  /** A damaged index is made again, and the search finds what the job has reached. */
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
  const detail = "This search takes too long: be more precise, with more or longer words.";
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

function alsoOutside(visible: Fragment | undefined, { from, to }: Required<TimeRange>): Fragment {
  const isOutside = fragment`not (e.created_at >= ${new Date(from)} and e.created_at < ${new Date(to)})`;
  return visible === undefined ? isOutside : fragment`${visible} and ${isOutside}`;
}

function pageOf(found: readonly ListedEntry[], { limit, sort }: SearchRequest): SearchPage {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    ids: page.map(({ entry }) => entry.id),
    next: found.length > limit && last ? positionOf(last, sort) : undefined,
  };
}

function countOf(count: number, max: number): MatchCount {
  return { matches: Math.min(count, max), more: count > max };
}
