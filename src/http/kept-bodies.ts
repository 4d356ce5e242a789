import type { Awaitable } from "../awaitable.ts";
import type { Database } from "../database/database.ts";
import { type Answer, type AnswerInPieces, notModified } from "./answer.ts";
import { holdsCurrent } from "./validators.ts";

/** How much is kept ready, in bytes. */
const CAPACITY = 32 * 1024 * 1024;
/** A body above this many bytes would push too many others out. */
const BODY_MAX = CAPACITY / 16;
/** A longer key is some client's invention. */
const KEY_MAX = 512;
/** How often a body is made again because something was written meanwhile. */
const ATTEMPTS = 3;

type Stamp = number | string;

interface Kept {
  readonly etag: string;
  readonly body: Uint8Array;
  /** The database's stamp when the tag was last known to be current. */
  stamp: Stamp;
}

/** How to tell whether a body is current, and how to make it. */
export interface BodySource {
  readonly tag: () => Awaitable<string>;
  /** Its text, in pieces when it is long. */
  readonly render: () => AsyncGenerator<string>;
  readonly caching: "public" | "private";
}

/** How well keeping answers goes. */
export interface KeepingState {
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
export class KeptBodies {
  readonly #database: Database;
  /** In the order of last use, oldest first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  get state(): KeepingState {
    return { hits: this.#hits, misses: this.#misses, bodies: this.#kept.size, bytes: this.#bytes };
  }

  /** @param key names the body: everything that it is made of besides the database's content */
  async answer(request: Request, key: string, source: BodySource): Promise<Answer | AnswerInPieces> {
    const { caching } = source;
    // Asked for before anything is read: what is committed meanwhile changes it.
    const stamp = await this.#database.stamp();
    const kept = this.#kept.get(key);
    const etag = kept?.stamp === stamp ? kept.etag : await source.tag();
    if (holdsCurrent(request, etag)) {
      this.#hits++;
      return notModified(etag, caching);
    }
    if (kept?.etag === etag) {
      this.#hits++;
      kept.stamp = stamp;
      this.#use(key, kept);
      return { status: 200, body: kept.body, etag, caching };
    }
    return this.#render(key, source, stamp, etag);
  }

  /**
   * What is written while a body is made of several reads may be in it in part: then it is made again. A body that is
   * too long to be kept is sent in pieces, as they are made, with the tag from before the first.
   */
  async #render(
    key: string,
    source: BodySource,
    stamp: Stamp,
    first: string,
  ): Promise<Answer | AnswerInPieces> {
    const { tag, render, caching } = source;
    let etag = first;
    this.#misses++;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const pieces = render();
      const beginning = await beginningOf(pieces, BODY_MAX);
      if (!beginning.isWhole) return { status: 200, body: continued(beginning.text, pieces), etag, caching };
      const body = Buffer.from(beginning.text);
      const after = await tag();
      if (after === etag) {
        this.#keep(key, { etag, body, stamp });
        return { status: 200, body, etag, caching };
      }
      etag = after;
    }
    // Under writes that never pause, an answer without a tag says no more than it knows.
    return { status: 200, body: render(), caching };
  }

  #use(key: string, kept: Kept): void {
    if (this.#kept.get(key) !== kept) return;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
  }

  #keep(key: string, kept: Kept): void {
    this.#drop(key);
    if (key.length > KEY_MAX || kept.body.length > BODY_MAX) return;
    this.#kept.set(key, kept);
    this.#bytes += sizeOf(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= CAPACITY) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#bytes -= sizeOf(key, kept);
    this.#kept.delete(key);
  }
}

/** The pieces of a text until it is longer than `max`. */
async function beginningOf(
  pieces: AsyncGenerator<string>,
  max: number,
): Promise<{ text: string; isWhole: boolean }> {
  let text = "";
  while (text.length <= max) {
    const { done, value } = await pieces.next();
    if (done) return { text, isWhole: true };
    text += value;
  }
  return { text, isWhole: false };
}

async function* continued(beginning: string, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield beginning;
  yield* rest;
}

/** What an entry takes of the memory, near enough. */
function sizeOf(key: string, { body }: Kept): number {
  return body.length + 2 * key.length + 200;
}
