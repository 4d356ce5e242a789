import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database, Sql } from "../../database/database.ts";
import { readTogether } from "../../database/read-together.ts";
import type { StampedRequest } from "../../database/request-stamp.ts";
import { notModified, type ResponseData, type StreamedResponseData } from "../response-data.ts";
import { CachedBodies, type CachedBody } from "./cached-bodies.ts";
import { isNotModified } from "./etags.ts";
import { type Basis, begin, continued, type ResponseSource, type Version } from "./rendering.ts";

/** Size of the cache, in bytes. */
const CAPACITY = 32 * 1024 * 1024;

type Stamp = CachedBody["stamp"];

/** What a body is read from, and the stamp and basis from before. */
interface Reading {
  readonly read: Sql;
  readonly stamp: Stamp;
  readonly basis: Basis | undefined;
}

/** Statistics of the response cache. */
export interface ResponseCacheState {
  /** Answers from the cache, and 304s, so far. */
  readonly hits: number;
  /** Rendered responses so far. */
  readonly misses: number;
  readonly bodies: number;
  /** Used bytes. */
  readonly bytes: number;
}

/**
 * Caches the responses to reads as bytes, and never sends stale ones: a response is sent again while nothing was
 * committed anywhere, and after a commit if its entity tag is still current. Everything in a response is read in one
 * snapshot, so that its parts agree with each other and with its tag.
 */
export class ResponseCache {
  readonly #database: Database;
  readonly #bodies = new CachedBodies(CAPACITY);
  #hits = 0;
  #misses = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  get state(): ResponseCacheState {
    const { count: bodies, bytes } = this.#bodies;
    return { hits: this.#hits, misses: this.#misses, bodies, bytes };
  }

  /** @param key identifies the body: all its inputs besides the database */
  answer<V extends Version>(
    { request, stamp }: StampedRequest,
    key: string,
    source: ResponseSource<V>,
  ): Awaitable<ResponseData | StreamedResponseData> {
    // Taken before anything is read, so that commits during the reading invalidate the result.
    return thenSync(stamp.stamp(), (current) => {
      const cached = this.#bodies.get(key);
      if (cached?.stamp === current && this.#database.clock.now().getTime() < cached.validUntil)
        return this.#answerCached(request, key, cached, source);
      return this.#answerCurrent(request, key, cached, source, current);
    });
  }

  #answerCached(
    request: Request,
    key: string,
    cached: CachedBody,
    { caching, repeatsHeaders }: Pick<ResponseSource<Version>, "caching" | "repeatsHeaders">,
  ): ResponseData {
    const { body, etag, headers } = cached;
    this.#hits++;
    if (isNotModified(request, etag))
      return repeatsHeaders ? { ...notModified(etag, caching), headers } : notModified(etag, caching);
    this.#bodies.touch(key);
    return { status: 200, body, etag, caching, headers };
  }

  async #answerCurrent<V extends Version>(
    request: Request,
    key: string,
    cached: CachedBody | undefined,
    source: ResponseSource<V>,
    stamp: Stamp,
  ): Promise<ResponseData | StreamedResponseData> {
    const basis = await source.basis?.();
    if (cached !== undefined && (await this.#isStillCurrent(cached, source, stamp, basis)))
      return this.#answerCached(request, key, cached, source);
    const render = (read: Sql) => this.#render(request, key, cached, source, { stamp, basis, read });
    return source.searches ? render(this.#database.read) : readTogether(this.#database, render);
  }

  /** Whether a cached body is current after commits: by its basis, or else by its entity tag. */
  async #isStillCurrent<V extends Version>(
    cached: CachedBody,
    source: ResponseSource<V>,
    stamp: Stamp,
    basis: Basis | undefined,
  ): Promise<boolean> {
    if (basis === undefined) {
      const { etag, validUntil } = await source.version(this.#database.read);
      if (cached.etag !== etag) return false;
      cached.validUntil = earlier(validUntil);
    } else {
      if (cached.basis !== basis.value) return false;
      cached.validUntil = basis.validUntil;
    }
    cached.stamp = stamp;
    return true;
  }

  /** Renders a body, unless client or cache have it. One too long for the cache is streamed. */
  async #render<V extends Version>(
    request: Request,
    key: string,
    cached: CachedBody | undefined,
    source: ResponseSource<V>,
    { stamp, basis, read }: Reading,
  ): Promise<ResponseData | StreamedResponseData> {
    const { caching } = source;
    const version = await source.version(read);
    const { etag } = version;
    if (cached?.etag === etag) {
      const validUntil = await this.#validUntil(source, version, basis);
      if (validUntil !== undefined) Object.assign(cached, { basis: basis?.value, stamp, validUntil });
      return this.#answerCached(request, key, cached, source);
    }
    if (isNotModified(request, etag)) {
      this.#hits++;
      return notModified(etag, caching);
    }
    this.#misses++;
    if (version.isLong) {
      const { text, headers } = await source.body(version, read);
      return { status: 200, etag, caching, headers, body: text };
    }
    const { headers, text, chunks, isWhole } = await begin(source, version, read, this.#bodies.bodyMax);
    const answer = { status: 200, etag, caching, headers };
    if (!isWhole) return { ...answer, body: continued(chunks, text) };
    const body = chunks.join("");
    const validUntil = await this.#validUntil(source, version, basis);
    if (validUntil === undefined) return { ...answer, body };
    const rest = { etag, basis: basis?.value, headers, stamp, validUntil };
    return { ...answer, body: this.#bodies.set(key, body, rest) };
  }

  /**
   * Until when a rendered body may be kept.
   * @returns undefined when what is not in its snapshot has changed meanwhile: then it may not be kept at all
   */
  async #validUntil<V extends Version>(
    source: ResponseSource<V>,
    { etag, validUntil }: Version,
    basis: Basis | undefined,
  ): Promise<number | undefined> {
    if (source.searches && (await source.version(this.#database.read)).etag !== etag) return undefined;
    const after = await source.basis?.();
    return after?.value === basis?.value ? earlier(validUntil, after?.validUntil) : undefined;
  }
}

function earlier(one = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY): number {
  return Math.min(one, other);
}
