import type { Awaitable } from "../../awaitable.ts";
import type { Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { ResponseData } from "../response-data.ts";

/**
 * A record was changed or deleted while a response with it was being read. It is refused, or aborted once it has begun,
 * so that no client gets mixed versions.
 */
export class ChangedDuringRead extends Error {
  override readonly name = "ChangedDuringRead";
}

/** The version of a resource, with the data that rendering it needs. */
export interface Version {
  readonly etag: string;
  /** Whether the body is known to be too long for the cache: then nothing is rendered before a client reads it. */
  readonly isLong?: boolean;
  /** When it expires even without a commit, in milliseconds since 1970; never when absent. */
  readonly validUntil?: number;
}

/** The basis of a body, if it is cheaper to determine than its version. */
export interface Basis {
  /** Equal as long as none of the body's inputs has changed. */
  readonly value: string;
  /** When it expires even without a commit, in milliseconds since 1970. */
  readonly validUntil: number;
}

/** A rendered response. */
export interface Rendering {
  /** Its text, in chunks when it is long. */
  readonly text: AsyncGenerator<string>;
  /** Additional headers. */
  readonly headers?: ResponseData["headers"];
}

/** The source of a cached response. */
export interface ResponseSource<V extends Version> {
  readonly caching: "public" | "private";
  /** Whether a 304 has the additional headers, too: a client replaces those that it has stored (RFC 9111, section 3.2). */
  readonly repeatsHeaders?: boolean;
  /**
   * Whether it searches, which is done apart from all other reads and may take long: then no snapshot is kept open
   * meanwhile, and the body may be a little newer than its version. It is kept only if the version is the same afterwards:
   * the number of records that wait for the index, which is a part of it, rises and falls again.
   */
  readonly searches?: boolean;
  /**
   * The basis of the body. If given, the version may be expensive, such as a hash of the body: it is computed only
   * when the basis has changed. It is not read in the snapshot, since parts of it are in the memory of this process: so a
   * body during whose rendering it has changed is sent, but not kept.
   */
  basis?(): Awaitable<Basis>;
  /** The current version. Without a basis it must be cheap, since it is called after every commit. */
  version(read: Sql): Awaitable<V>;
  /**
   * Renders a version.
   * @param read in the snapshot of the version
   * @throws ChangedDuringRead when the parts would disagree
   */
  body(version: V, read: Sql): Awaitable<Rendering>;
}

/** The beginning of a rendered body. */
interface Begun extends Rendering {
  readonly chunks: string[];
  readonly isWhole: boolean;
}

/**
 * Renders a version until it is longer than `max` characters.
 * @throws Refusal `unavailable` when a record changed between the reads, so that the parts would disagree
 */
export async function begin<V extends Version>(
  source: ResponseSource<V>,
  version: V,
  read: Sql,
  max: number,
): Promise<Begun> {
  try {
    const rendering = await source.body(version, read);
    const chunks: string[] = [];
    for (let length = 0; length <= max; ) {
      const { done, value } = await rendering.text.next();
      if (done) return { ...rendering, chunks, isWhole: true };
      chunks.push(value);
      length += value.length;
    }
    return { ...rendering, chunks, isWhole: false };
  } catch (error) {
    if (!(error instanceof ChangedDuringRead)) throw error;
    throw new Refusal("unavailable", "A record changed while it was read. Try again.", { retryAfter: 1 });
  }
}

/** The chunks read so far, each released once it is sent, then the rest. */
export async function* continued(beginning: string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (let text = beginning.shift(); text !== undefined; text = beginning.shift()) yield text;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
