import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Database, Sql } from "../../database/database.ts";
import { type Answer, notModified, type StreamedAnswer } from "../answer.ts";
import { EncodedBody } from "../encoding/content-coding.ts";
import { isNotModified } from "./etags.ts";

/** How much is kept ready, in bytes. */
const CAPACITY = 32 * 1024 * 1024;
/** A body above this many bytes would push too many others out. */
const BODY_MAX = CAPACITY / 16;
/** Of a body in batches so many characters are waited for: who asks for a long list gets the first ones soon. */
const BUFFER_MAX = 350 * 1024;
/** A longer key is some client's invention. */
const KEY_MAX = 512;
/** How often a body is made again because something was written meanwhile. */
const ATTEMPTS = 3;

type Stamp = number | string;

interface Kept {
  readonly etag: string;
  readonly body: EncodedBody;
  readonly headers: Answer["headers"];
  /** What it takes of the room, in bytes: more with each coding that it is made in. */
  size: number;
  /** The database's stamp when the tag was last known to be current. */
  stamp: Stamp;
  /** Until when that holds though nothing is committed, in milliseconds since 1970. */
  validUntil: number;
}

/** What an answer is made of. */
export interface Rendering {
  /** Its text, in pieces when it is long. */
  readonly body: AsyncGenerator<string>;
  /** Headers that come with it. */
  readonly headers?: Answer["headers"];
}

/** What a body is to be now. */
export interface Current {
  readonly etag: string;
  readonly render: () => Awaitable<Rendering>;
  /** When it changes by the clock alone, in milliseconds since 1970; never when absent. */
  readonly validUntil?: number;
}

/** Where a body comes from. */
export interface ResponseSource {
  /**
   * Reads little: it is asked whenever something was committed.
   * @param read to be used for all that has to agree with each other
   */
  readonly current: (read: Sql) => Awaitable<Current>;
  readonly caching: "public" | "private";
  /**
   * Whether each part is as of its own moment, and the tag of before the first: then nothing is made again when
   * something is written meanwhile.
   */
  readonly inBatches?: boolean;
}

/** How well keeping answers goes. */
export interface ResponseCacheState {
  /** Answers so far that were kept, or that the client still had. */
  readonly hits: number;
  /** Answers so far that had to be made. */
  readonly misses: number;
  readonly bodies: number;
  /** What is kept takes so many bytes. */
  readonly bytes: number;
}

/**
 * Answers to reads, kept as ready bytes and never stale: as long as nothing was committed anywhere they are
 * sent as they are, and after a commit as long as their entity tag is still the current one.
 */
export class ResponseCache {
  readonly #database: Database;
  /** In the order of last use, oldest first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  get state(): ResponseCacheState {
    return { hits: this.#hits, misses: this.#misses, bodies: this.#kept.size, bytes: this.#bytes };
  }

  /** @param key names the body: everything that it is made of besides the database's content */
  answer(request: Request, key: string, source: ResponseSource): Awaitable<Answer | StreamedAnswer> {
    // Asked for before anything is read: what is committed meanwhile changes it.
    return thenSync(this.#database.stamp(), (stamp) => {
      const kept = this.#kept.get(key);
      if (kept?.stamp === stamp && Date.now() < kept.validUntil)
        return this.#answerKept(request, key, kept, source);
      return this.#answerCurrent(request, key, kept, source, stamp);
    });
  }

  #answerKept(request: Request, key: string, kept: Kept, { caching }: ResponseSource): Answer {
    const { body, etag, headers } = kept;
    this.#hits++;
    if (isNotModified(request, etag)) return notModified(etag, caching);
    this.#use(key, kept);
    return { status: 200, body, etag, caching, headers };
  }

  async #answerCurrent(
    request: Request,
    key: string,
    kept: Kept | undefined,
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
   * What is written while a body is made of several reads may be in it in part: then it is made again. A body that is
   * too long to be kept is sent in pieces, as they are made, with the tag from before the first.
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

  #use(key: string, kept: Kept): void {
    if (this.#kept.get(key) !== kept) return;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
  }

  /** @returns the bytes, kept when there is room for them */
  #keep(
    key: string,
    { etag, validUntil = Number.POSITIVE_INFINITY }: Current,
    headers: Answer["headers"],
    stamp: Stamp,
    text: string,
  ): EncodedBody {
    const body = new EncodedBody(text, (added) => this.#grow(key, kept, added));
    const kept: Kept = { etag, body, headers, stamp, validUntil, size: sizeOf(key, body) };
    this.#drop(key);
    if (key.length > KEY_MAX || body.plain.size > BODY_MAX) return body;
    this.#kept.set(key, kept);
    this.#bytes += kept.size;
    this.#makeRoom();
    return body;
  }

  #grow(key: string, kept: Kept, added: number): void {
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

/** The pieces of a text until they are longer than `max`. */
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

/** What was read already, piece by piece so that it can be let go of, and then the rest. */
async function* continued(beginning: string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (let text = beginning.shift(); text !== undefined; text = beginning.shift()) yield text;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/** What an entry takes of the memory at first, near enough. */
function sizeOf(key: string, { plain }: EncodedBody): number {
  return plain.size + 2 * key.length + 200;
}
