import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database, Sql } from "../../database/database.ts";
import { notModified, type ResponseData, type StreamedResponseData } from "../response-data.ts";
import { CachedBodies, type CachedBody } from "./cached-bodies.ts";
import { isNotModified } from "./etags.ts";
import { type Basis, type Begun, begin, continued, type ResponseSource, type Version } from "./rendering.ts";

/** Size of the cache, in bytes. */
const CAPACITY = 32 * 1024 * 1024;

type Stamp = CachedBody["stamp"];

/** A version, and the basis from before it was read. */
interface Known<V extends Version> {
  readonly version: V;
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
 * committed anywhere, and after a commit if its entity tag is still current.
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
    request: Request,
    key: string,
    source: ResponseSource<V>,
  ): Awaitable<ResponseData | StreamedResponseData> {
    // Taken before anything is read, so that commits during the reading invalidate the result.
    return thenSync((source.moment ?? this.#database).stamp(), (stamp) => {
      const cached = this.#bodies.get(key);
      if (cached?.stamp === stamp && this.#database.clock.now().getTime() < cached.validUntil)
        return this.#answerCached(request, key, cached, source.caching);
      return this.#answerCurrent(request, key, cached, source, stamp);
    });
  }

  #answerCached(
    request: Request,
    key: string,
    cached: CachedBody,
    caching: "public" | "private",
  ): ResponseData {
    const { body, etag, headers } = cached;
    this.#hits++;
    if (isNotModified(request, etag)) return notModified(etag, caching);
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
    const basis = await source.basis?.(this.#database.read);
    if (cached !== undefined && basis !== undefined && cached.basis === basis.value) {
      cached.stamp = stamp;
      cached.validUntil = basis.validUntil;
      return this.#answerCached(request, key, cached, source.caching);
    }
    const version = await source.version(this.#database.read);
    const { etag, validUntil } = version;
    if (cached?.etag === etag) {
      cached.basis = basis?.value;
      cached.stamp = stamp;
      cached.validUntil = earlier(validUntil, basis?.validUntil);
      return this.#answerCached(request, key, cached, source.caching);
    }
    if (!isNotModified(request, etag)) return this.#render(key, source, stamp, { version, basis });
    this.#hits++;
    return notModified(etag, source.caching);
  }

  /**
   * Renders a body once. What is written meanwhile may be in it, or not: then it is sent under the tag from before, and not
   * kept. A body too long for the cache is streamed.
   */
  async #render<V extends Version>(
    key: string,
    source: ResponseSource<V>,
    stamp: Stamp,
    { version, basis }: Known<V>,
  ): Promise<ResponseData | StreamedResponseData> {
    const { read, readMany } = this.#database;
    const { caching } = source;
    this.#misses++;
    if (version.isLong) {
      const { text, headers } = await source.body(version, readMany);
      return { status: 200, etag: version.etag, caching, headers, body: text };
    }
    const begun = source.inSnapshot
      ? await this.#beginInSnapshot(source)
      : { ...version, ...(await begin(source, version, readMany, this.#bodies.bodyMax)) };
    const { etag, validUntil, headers, text, chunks, isWhole } = begun;
    const answer = { status: 200, etag, caching, headers };
    if (!isWhole) return { ...answer, body: continued(chunks, text) };
    const whole = chunks.join("");
    const after = await source.basis?.(read);
    const isCurrent =
      source.inSnapshot ||
      (after === undefined ? (await source.version(read)).etag === etag : after.value === basis?.value);
    if (!isCurrent) return { ...answer, body: whole };
    const until = earlier(validUntil, after?.validUntil);
    const cached = { etag, basis: after?.value, headers, stamp, validUntil: until };
    return { ...answer, body: this.#bodies.set(key, whole, cached) };
  }

  /** Reads the version and the beginning of the body in one snapshot, so that they agree. The rest is read after it. */
  #beginInSnapshot<V extends Version>(source: ResponseSource<V>): Promise<Begun & V> {
    let isOpen = true;
    return this.#database.snapshot(async (snapshot) => {
      const sql = <Row>(...statement: Parameters<Sql>) =>
        isOpen ? snapshot<Row>(...statement) : this.#database.read<Row>(...statement);
      const read = Object.assign(sql, { engine: snapshot.engine, slot: 0 });
      try {
        const version = await source.version(read);
        return { ...version, ...(await begin(source, version, read, this.#bodies.bodyMax)) };
      } finally {
        isOpen = false;
      }
    });
  }
}

function earlier(one = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY): number {
  return Math.min(one, other);
}
