import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database, Sql } from "../../database/database.ts";
import { type Answer, notModified, type StreamedAnswer } from "../answer.ts";
import { EncodedBody } from "../encoding/content-coding.ts";
import { isNotModified } from "./etags.ts";

/** Size of the cache, in bytes. */
const CAPACITY = 32 * 1024 * 1024;
/** Largest cached body, in bytes: a larger one would evict too many others. */
const BODY_MAX = CAPACITY / 16;
/** Buffer at most this many characters before streaming, so that long lists start early. */
const BUFFER_MAX = 350 * 1024;
/** Longest cached key, in characters: only made-up URLs are longer. */
const KEY_MAX = 512;
/** Attempts at rendering a body consistently while others write. */
const ATTEMPTS = 3;

type Stamp = number | string;

interface Entry {
  readonly etag: string;
  readonly body: EncodedBody;
  readonly headers: Answer["headers"];
  /** Its size in the cache, in bytes; grows with each content coding. */
  size: number;
  /** The database's stamp when the tag was last known to be current. */
  stamp: Stamp;
  /** Until when that holds though nothing is committed, in milliseconds since 1970. */
  validUntil: number;
}

/** A rendered answer. */
export interface Rendering {
  /** Its text, in chunks when it is long. */
  readonly body: AsyncGenerator<string>;
  /** Additional headers. */
  readonly headers?: Answer["headers"];
}

/** The current version of a body. */
export interface Current {
  readonly etag: string;
  readonly render: () => Awaitable<Rendering>;
  /** When it changes by the clock alone, in milliseconds since 1970; never when absent. */
  readonly validUntil?: number;
}

/** The source of a cached body. */
export interface ResponseSource {
  /**
   * Reads little: it is asked whenever something was committed.
   * @param read to be used for all that has to agree with each other
   */
  readonly current: (read: Sql) => Awaitable<Current>;
  readonly caching: "public" | "private";
  /**
   * Whether the body is read in batches, each of its own moment, under the tag from before the first: then it is not
   * rendered again when something is written meanwhile.
   */
  readonly inBatches?: boolean;
}

/** Statistics of the response cache. */
export interface ResponseCacheState {
  /** Answers from the cache, and 304s, so far. */
  readonly hits: number;
  /** Rendered answers so far. */
  readonly misses: number;
  readonly bodies: number;
  /** Used bytes. */
  readonly bytes: number;
}

/**
 * Caches answers to reads as ready bytes, never stale: they are sent as long as nothing was committed anywhere, and
 * after a commit as long as their entity tag is still current.
 */
export class ResponseCache {
  readonly #database: Database;
  /** Least recently used first. */
  readonly #kept = new Map<string, Entry>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  get state(): ResponseCacheState {
    return { hits: this.#hits, misses: this.#misses, bodies: this.#kept.size, bytes: this.#bytes };
  }

  /** @param key identifies the body: all its inputs besides the database */
  answer(request: Request, key: string, source: ResponseSource): Awaitable<Answer | StreamedAnswer> {
    // Taken before anything is read, so that commits during the reading invalidate the result.
    return thenSync(this.#database.stamp(), (stamp) => {
      const kept = this.#kept.get(key);
      if (kept?.stamp === stamp && Date.now() < kept.validUntil)
        return this.#answerKept(request, key, kept, source);
      return this.#answerCurrent(request, key, kept, source, stamp);
    });
  }

  #answerKept(request: Request, key: string, kept: Entry, { caching }: ResponseSource): Answer {
    const { body, etag, headers } = kept;
    this.#hits++;
    if (isNotModified(request, etag)) return notModified(etag, caching);
    this.#use(key, kept);
    return { status: 200, body, etag, caching, headers };
  }

  async #answerCurrent(
    request: Request,
    key: string,
    kept: Entry | undefined,
    source: ResponseSource,
    stamp: Stamp,
  ): Promise<Answer | StreamedAnswer> {
    const current = await source.current(this.#database.read);
    const { etag, validUntil = Number.POSITIVE_INFINITY } = current;
    if (kept?.etag === etag) {
      kept.stamp = stamp;
      kept.validUntil = validUntil;
      return this.#answerKept(request, key, kept, source);
    }
    if (!isNotModified(request, etag)) return this.#render(key, source, stamp, current);
    this.#hits++;
    return notModified(etag, source.caching);
  }

  /**
   * Renders a body, and again when a write came between its reads. A body too long for the cache is streamed under
   * the tag from before its first read.
   */
  async #render(
    key: string,
    source: ResponseSource,
    stamp: Stamp,
    first: Current,
  ): Promise<Answer | StreamedAnswer> {
    const { caching, inBatches = false } = source;
    let current = first;
    this.#misses++;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { etag } = current;
      const { body: pieces, headers } = await current.render();
      const beginning = await beginningOf(pieces, inBatches ? BUFFER_MAX : BODY_MAX);
      const answer = { status: 200, etag, caching, headers };
      const isStreamed = !beginning.isWhole;
      if (isStreamed && inBatches) return { ...answer, body: continued(beginning.texts, pieces) };
      current = await source.current(this.#database.read);
      const isCurrent = current.etag === etag;
      if (isStreamed && isCurrent) return { ...answer, body: continued(beginning.texts, pieces) };
      if (isStreamed) {
        await pieces.return(undefined);
        continue;
      }
      const text = beginning.texts.join("");
      if (isCurrent) return { ...answer, body: this.#keep(key, current, headers, stamp, text) };
      if (inBatches) return { ...answer, body: text };
    }
    return this.#renderSnapshot(source);
  }

  /**
   * Under writes that never pause: made of reads that see one moment, so that its parts agree. What of a long body is
   * read later is as of later. It has no tag, since it may be no longer current.
   */
  #renderSnapshot({ current, caching }: ResponseSource): Promise<Answer | StreamedAnswer> {
    let isOpen = true;
    return this.#database.snapshot(async (snapshot) => {
      try {
        const read = <Row>(...statement: Parameters<Sql>) =>
          isOpen ? snapshot<Row>(...statement) : this.#database.read<Row>(...statement);
        const { render } = await current(Object.assign(read, { slot: 0 }));
        const { body: pieces, headers } = await render();
        const { texts, isWhole } = await beginningOf(pieces, BODY_MAX);
        const answer = { status: 200, caching, headers };
        return isWhole ? { ...answer, body: texts.join("") } : { ...answer, body: continued(texts, pieces) };
      } finally {
        isOpen = false;
      }
    });
  }

  #use(key: string, kept: Entry): void {
    if (this.#kept.get(key) !== kept) return;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
  }

  /** @returns the bytes, cached when they fit */
  #keep(
    key: string,
    { etag, validUntil = Number.POSITIVE_INFINITY }: Current,
    headers: Answer["headers"],
    stamp: Stamp,
    text: string,
  ): EncodedBody {
    const body = new EncodedBody(text, (added) => this.#grow(key, kept, added));
    const kept: Entry = { etag, body, headers, stamp, validUntil, size: sizeOf(key, body) };
    this.#drop(key);
    if (key.length > KEY_MAX || body.plain.size > BODY_MAX) return body;
    this.#kept.set(key, kept);
    this.#bytes += kept.size;
    this.#makeRoom();
    return body;
  }

  #grow(key: string, kept: Entry, added: number): void {
    if (this.#kept.get(key) !== kept) return;
    kept.size += added;
    this.#bytes += added;
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= CAPACITY) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#bytes -= kept.size;
    this.#kept.delete(key);
  }
}

/** Reads chunks of a text until they are longer than `max`. */
async function beginningOf(
  pieces: AsyncGenerator<string>,
  max: number,
): Promise<{ texts: string[]; isWhole: boolean }> {
  const texts: string[] = [];
  for (let length = 0; length <= max; ) {
    const { done, value } = await pieces.next();
    if (done) return { texts, isWhole: true };
    texts.push(value);
    length += value.length;
  }
  return { texts, isWhole: false };
}

/** The chunks read so far, each released once it is sent, then the rest. */
async function* continued(beginning: string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (let text = beginning.shift(); text !== undefined; text = beginning.shift()) yield text;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** The approximate initial size of an entry, in bytes. */
function sizeOf(key: string, { plain }: EncodedBody): number {
  return plain.size + 2 * key.length + 200;
}
