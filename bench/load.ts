import { autocannonLoad } from "./load/autocannon.ts";
import { wrkLoad } from "./load/wrk.ts";
import type { Stage } from "./stage.ts";

/** Connections that a load keeps open, each with one request at a time. */
export const CONNECTIONS = 64;

/**
 * The share of requests that a server may refuse because it is too busy (503). They do not count as answered, and the
 * report shows them.
 */
export const REFUSED_AT_MOST = 0.05;

/** A request to be sent over and over. */
export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

/** The results of a load. */
export interface Tally {
  /** Answers of success, and those that say that nothing has changed (304). */
  readonly answered: number;
  /** Answers of any other status. */
  readonly refused: number;
  /** Connections that failed or timed out. */
  readonly broken: number;
  readonly seconds: number;
}

/** Sends requests to a server for a number of seconds. */
export type LoadRunner = (seconds: number) => Promise<Tally>;

export interface LoadOptions {
  readonly connections: number;
  /** The cores that the load may use. */
  readonly cores: readonly string[];
}

/** A program that sends requests as fast as they are answered. */
export interface Load {
  /** With its version. */
  readonly name: string;
  /**
   * Prepares a load on a server: the requests are sent in turn, repeatedly, on a number of connections. Each
   * measurement continues where the previous one stopped.
   */
  prepare(stage: Stage, url: string, requests: readonly Request[], options: LoadOptions): Promise<LoadRunner>;
}

/** `wrk` where it is installed, since it takes the least of the machine, else `autocannon`. */
export function chooseLoad(): Load {
  return Bun.which("wrk") === null ? autocannonLoad() : wrkLoad();
}

/** The headers that a request is sent with, besides those that every request has. */
export function headersOf({ headers, body }: Request): Readonly<Record<string, string>> {
  return { ...headers, ...(body !== undefined && { "content-type": "application/json" }) };
}
