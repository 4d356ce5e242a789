import { availableParallelism } from "node:os";
import { allEnded } from "../awaitable.ts";
import type { Database, Instant, Sql } from "../database/database.ts";
import { ReadTimeout } from "../database/errors/read-timeout.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import { Refusal } from "../errors.ts";
import { INDEX_TABLES, type IndexedCollection } from "./collection.ts";
import { NO_PAIRS } from "./index/common-pairs.ts";
import type { EntryFilter, IndexStore } from "./index/index-store.ts";
import { indexStores } from "./index/index-stores.ts";
import type { IndexChange, IndexView } from "./index/index-view.ts";
import type { Indexer } from "./index/indexer.ts";
import { extractDateRange } from "./query/created-range.ts";
import type { ParsedQuery } from "./query/query.ts";
import { SearchAttempts, TIME_MAX } from "./search-attempts.ts";
import {
  mergeSorted,
  type PlacedEntry,
  placeOf,
  positionOf,
  type SearchPosition,
  type Sort,
} from "./search-position.ts";
import type { ThreadResult, ThreadSearch } from "./thread-search.ts";

/** How often a search is tried. Between attempts, a corrupt index is repaired. */
const ATTEMPTS = 3;
/** The cores on which threads can search at the same time. */
const CORES = availableParallelism();
/** The maximum count of matches. */
export const COUNT_MAX = 1_000;

/** What to search for. */
export interface SearchScope {
  /** Undefined matches every record. */
  readonly query: ParsedQuery | undefined;
  /** An SQL condition on the entry `e`. Other entries are ignored. */
  readonly visible?: Fragment | undefined;
  /** With a view, a search may use pairs of common words. It must then be repeated if they have changed. */
  readonly view?: IndexView | undefined;
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

/** Searches one collection. */
export class Search {
  readonly #database: Database;
  readonly #store: IndexStore;
  readonly #indexer: Indexer;
  readonly #collection: IndexedCollection;
  readonly #observe: SearchObserver | undefined;

  constructor(database: Database, indexer: Indexer, collection: IndexedCollection, observe?: SearchObserver) {
    this.#database = database;
    this.#store = indexStores[database.engine];
    this.#indexer = indexer;
    this.#collection = collection;
    this.#observe = observe;
  }

  /**
   * Waits briefly until earlier writes are indexed, then runs a search. The search is repeated if any process
   * changed the index during it: it may have missed records.
   *
   * @param work may run more than once
   * @throws Refusal `unavailable` when the search takes too long, or is repeated for too long
   */
  async following<T>(work: (view: IndexView) => Promise<T>): Promise<T> {
    const attempts = this.attempts();
    for (;;) {
      const view = await attempts.begin();
      const result = await work(view);
      if (!(await attempts.mustRepeat(view))) return result;
    }
  }

  /** For a search whose end is not known: see {@link following}. */
  attempts(): SearchAttempts {
    return new SearchAttempts(this);
  }

  /** Waits briefly until earlier writes are indexed. @param options whether the search may use pairs of common words */
  catchUp(options?: { readonly withPairs: boolean }): Promise<IndexView> {
    return this.#timed(() => this.#indexer.catchUp(this.#collection, options));
  }

  /** The change of the index since `catchUp`, if searches with this view may have missed records because of it. */
  changeSince(view: IndexView): Promise<IndexChange | undefined> {
    return this.#indexer.changeSince(this.#collection, view);
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
    const lookup = query?.page === undefined ? this.#lookup(request) : undefined;
    if (sort !== "relevance" || lookup === undefined) {
      const [page, count] = await Promise.all([this.page(request), this.count(request)]);
      return { page, count };
    }
    return this.#timed(async () => {
      const wanted = { ...lookup, after: placeOf(after), limit: limit + 1 };
      const { found, count } = await this.#store.findAndCount(this.#sql(), wanted, COUNT_MAX + 1);
      return { page: pageOf(found, request), count: countOf(count, COUNT_MAX) };
    });
  }

  /**
   * Like {@link pageAndCount}. Where threads search, a module finds the page in one of them and renders its records. On
   * several cores, another thread counts meanwhile.
   * @param module the path of its file below `src/`; it takes a `ThreadSearch` and returns a `ThreadResult`
   * @param options for the module
   */
  async renderedPage(
    request: SearchRequest,
    module: string,
    options: unknown,
  ): Promise<{ readonly page: SearchPage; readonly count: MatchCount; readonly text: string | undefined }> {
    const { query, sort, limit, after, visible } = request;
    const isOfWords = query !== undefined && query.page === undefined && visible === undefined;
    const lookup = isOfWords && sort === "relevance" ? this.#lookup(request) : undefined;
    const database = this.#database;
    if (lookup === undefined || database.runApart === undefined)
      return { ...(await this.pageAndCount(request)), text: undefined };
    const place = { after: placeOf(after), limit: limit + 1 };
    const countsMeanwhile = CORES > 1 && !this.#store.sharesCount({ ...lookup, ...place });
    const wanted: ThreadSearch<unknown> = {
      collection: this.#collection.name,
      query: lookup.query,
      from: lookup.from,
      to: lookup.to,
      ...place,
      countMax: countsMeanwhile ? undefined : COUNT_MAX + 1,
      commonWords: lookup.pairs.list,
      shown: limit,
      options,
    };
    return this.#timed(async () => {
      const [result, counted] = await allEnded([
        database.runApart?.(module, wanted, performance.now() + TIME_MAX),
        countsMeanwhile ? this.#store.count(this.#sql(), lookup, COUNT_MAX + 1) : undefined,
      ]);
      const { found, count = counted ?? 0, text, hasUsedPairs } = result as ThreadResult;
      if (hasUsedPairs) lookup.pairs.noteUse();
      return { page: pageOf(found, request), count: countOf(count, COUNT_MAX), text };
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
      const lookup = this.#lookup(scope);
      const ofPage =
        query?.page === undefined ? 0 : (await this.#ofPage(sql, { query, visible, limit: max })).length;
      const ofWords = lookup === undefined ? 0 : await this.#store.count(sql, lookup, max + 1);
      return countOf(ofPage + ofWords, max);
    });
  }

  /** The records that share a page, by the hash of its key, newest first. */
  async samePage(hash: string): Promise<number[]> {
    const { entries } = INDEX_TABLES[this.#collection.name];
    const rows = await this.apart(
      (sql) => sql<{ id: number }>`
        select id from ${entries} where page = ${hash} order by created_at desc, id desc limit 100`,
    );
    return rows.map(({ id }) => Number(id));
  }

  /**
   * Reads on the search connections, within the time limit of one search.
   * @throws Refusal `unavailable` when it takes too long
   */
  apart<T>(read: (sql: Sql) => PromiseLike<T> | T): Promise<T> {
    return this.#timed(async () => read(this.#sql()));
  }

  #sql(): Sql {
    return this.#database.readApart(performance.now() + TIME_MAX);
  }

  /** The part of the query to search by words; undefined if nothing can match. */
  #lookup({ query, visible, view }: SearchScope): EntryFilter | undefined {
    const tables = INDEX_TABLES[this.#collection.name];
    const condition = {
      tables,
      pairs: view?.pairs ?? NO_PAIRS,
      visible: query?.page === undefined ? visible : notOfPage(query.page, visible),
    };
    if (query === undefined) return { ...condition, query: undefined, from: undefined, to: undefined };
    return query.root && { ...condition, ...extractDateRange(query.root) };
  }

  async #find(request: SearchRequest): Promise<PlacedEntry[]> {
    const { query, sort, limit, after, visible } = request;
    const sql = this.#sql();
    const lookup = this.#lookup(request);
    if (sort === "relevance") return this.#byTier(sql, lookup, request);
    const position = after && { key: after.key, id: after.id };
    const byWords =
      lookup && (await this.#store.findSorted(sql, { ...lookup, sort, limit, after: position }));
    const ofPage = await this.#ofPage(sql, { query, visible, after: undefined, limit: COUNT_MAX });
    if (ofPage.length === 0) return (byWords ?? []).map((entry) => ({ entry, tier: 3 }));
    return mergeSorted([...ofPage.map(({ entry }) => entry), ...(byWords ?? [])], sort, after).map(
      (entry) => ({
        entry,
        tier: 3,
      }),
    );
  }

  async #byTier(sql: Sql, lookup: EntryFilter | undefined, request: SearchRequest): Promise<PlacedEntry[]> {
    const { after, limit } = request;
    const found = await this.#ofPage(sql, request);
    if (lookup === undefined || found.length >= limit) return found;
    const wanted = { ...lookup, after: placeOf(after), limit: limit - found.length };
    return [...found, ...(await this.#store.findRelevant(sql, wanted))];
  }

  /** The entries of the first tier: records of the page whose URL is the query. */
  async #ofPage(
    sql: Sql,
    { query, visible, after, limit }: Pick<SearchRequest, "query" | "visible" | "after" | "limit">,
  ): Promise<PlacedEntry[]> {
    if (query?.page === undefined || (after !== undefined && after.tier > 0)) return [];
    const { entries, records } = INDEX_TABLES[this.#collection.name];
    const bound = after ? fragment`and (created_at, id) < (${new Date(after.key)}, ${after.id})` : fragment``;
    const rows = await sql<{ id: number; created_at: Instant; title: string }>`
      select id, created_at, coalesce((select title from ${records} r where r.id = e.id), '') as title from ${entries} e
      where page = ${query.page} ${bound} ${visible ? fragment`and ${visible}` : fragment``}
      order by created_at desc, id desc limit ${limit}`;
    return rows.map(({ id, created_at, title }) => ({
      entry: { id: Number(id), createdAt: Number(new Date(created_at)), title },
      tier: 0,
    }));
  }

  async #timed<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    try {
      const result = await this.#mended(work);
      this.#observe?.(performance.now() - started, false);
      return result;
    } catch (error) {
      if (!(error instanceof ReadTimeout)) throw error;
      this.#observe?.(performance.now() - started, true);
      throw tooSlow();
    }
  }

  /** Repairs a corrupt index and repeats the search on the part that is rebuilt by then. */
  async #mended<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const { generation } = this.#indexer;
      try {
        return await work();
      } catch (error) {
        if (error instanceof ReadTimeout || attempt === ATTEMPTS) throw error;
        if (!(await this.#indexer.mend(error, generation).catch(() => false)))
          throw (await this.#indexer.isForeign().catch(() => false)) ? ofOtherVersion(error) : error;
        await this.#indexer.catchUp(this.#collection);
      }
    }
  }
}

/** The refusal of a search that takes too long. */
export function tooSlow(): Refusal {
  const detail = "This search takes too long: be more precise, with more or longer words.";
  return new Refusal("unavailable", detail, { retryAfter: 1 });
}

function ofOtherVersion(cause: unknown): Refusal {
  const detail = "The search index belongs to another version of Commonplace, which uses this database, too.";
  return new Refusal("unavailable", detail, { retryAfter: 30, cause });
}

function notOfPage(hash: string, visible: Fragment | undefined): Fragment {
  return visible === undefined ? fragment`e.page <> ${hash}` : fragment`e.page <> ${hash} and ${visible}`;
}

function pageOf(found: readonly PlacedEntry[], { limit, sort }: SearchRequest): SearchPage {
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
