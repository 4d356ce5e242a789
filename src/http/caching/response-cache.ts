import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { notModified, type ResponseData, type StreamedResponseData } from "../response-data.ts";
import { CachedBodies, type CachedBody } from "./cached-bodies.ts";
import { isNotModified } from "./etags.ts";
import { type Basis, continued, type ResponseSource, renderBeginning, type Version } from "./rendering.ts";

/** Size of the cache, in bytes. */
const CAPACITY = 32 * 1024 * 1024;
/** Buffer at most this many characters before streaming, so that long lists start early. */
const BUFFER_MAX = 350 * 1024;
/** Attempts at rendering a body consistently while others write. */
const ATTEMPTS = 3;
/** How long a body is rendered again from a snapshot, in milliseconds. */
const SNAPSHOT_MAX = 5_000;

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
    const { etag, validUntil = Number.POSITIVE_INFINITY } = version;
    if (cached?.etag === etag) {
      cached.basis = basis?.value;
      cached.stamp = stamp;
      cached.validUntil = Math.min(validUntil, basis?.validUntil ?? validUntil);
      return this.#answerCached(request, key, cached, source.caching);
    }
    if (!isNotModified(request, etag)) return this.#render(key, source, stamp, { version, basis });
    this.#hits++;
    return notModified(etag, source.caching);
  }

  /**
   * Renders a body, and again when a write came between its reads. A body too long for the cache is streamed under
   * the tag from before its first read.
   */
  async #render<V extends Version>(
    key: string,
    source: ResponseSource<V>,
    stamp: Stamp,
    first: Known<V>,
  ): Promise<ResponseData | StreamedResponseData> {
    const { read, readMany } = this.#database;
    const { caching, inBatches = false } = source;
    this.#misses++;
    let { version, basis } = first;
    if (version.isLong) {
      const { text, headers } = await source.body(version, readMany);
      return { status: 200, etag: version.etag, caching, headers, body: text };
    }
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { etag, validUntil = Number.POSITIVE_INFINITY } = version;
      const max = inBatches ? BUFFER_MAX : this.#bodies.bodyMax;
      const rendered = await renderBeginning(source, version, readMany, max);
      if (rendered === undefined) {
        basis = await source.basis?.(read);
        version = await source.version(read);
        continue;
      }
      const { text, headers, chunks, isWhole } = rendered;
      const answer = { status: 200, etag, caching, headers };
      if (!isWhole && inBatches) return { ...answer, body: continued(chunks, text) };
      const usedBasis = basis?.value;
      basis = await source.basis?.(read);
      if (basis === undefined || basis.value !== usedBasis) version = await source.version(read);
      const isCurrent = version.etag === etag;
      if (isWhole) {
        const whole = chunks.join("");
        if (isCurrent) {
          const until = Math.min(validUntil, basis?.validUntil ?? validUntil);
          const cached = { etag, basis: usedBasis, headers, stamp, validUntil: until };
          return { ...answer, body: this.#bodies.set(key, whole, cached) };
        }
        if (inBatches) return { ...answer, body: whole };
      } else {
        if (isCurrent) return { ...answer, body: continued(chunks, text) };
        await text.return(undefined);
      }
    }
    return this.#renderSnapshot(source);
  }

  /**
   * For constant writes: renders from one snapshot, so that the parts agree. The rest of a long body is read after
   * the snapshot. The response has no tag, since it may be outdated already.
   */
  #renderSnapshot<V extends Version>(
    source: ResponseSource<V>,
  ): Promise<ResponseData | StreamedResponseData> {
    let isOpen = true;
    return this.#database.snapshot(async (snapshot) => {
      const sql = <Row>(...statement: Parameters<Sql>) =>
        isOpen ? snapshot<Row>(...statement) : this.#database.read<Row>(...statement);
      const read = Object.assign(sql, { engine: snapshot.engine, slot: 0 });
      try {
        for (const began = performance.now(); performance.now() - began < SNAPSHOT_MAX; ) {
          const rendered = await renderBeginning(
            source,
            await source.version(read),
            read,
            this.#bodies.bodyMax,
          );
          // Records do not change in a snapshot, but its source may have used an index that was recreated.
          if (rendered === undefined) continue;
          const { text, headers, chunks, isWhole } = rendered;
          const answer = { status: 200, caching: source.caching, headers };
          return isWhole
            ? { ...answer, body: chunks.join("") }
            : { ...answer, body: continued(chunks, text) };
        }
        const detail = "The records of this response change too fast. Try again in a moment.";
        throw new Refusal("unavailable", detail, { retryAfter: 1 });
      } finally {
        isOpen = false;
      }
    });
  }
}
