import { autocannonLoad } from "./load/autocannon.ts";
import { wrkLoad } from "./load/wrk.ts";
import type { Stage } from "./stage.ts";

/** Connections that a load keeps open, each with one request at a time. */
export const CONNECTIONS = 64;

/** A request to be sent over and over. */
export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** What a load counted. */
export interface Tally {
  /** Answers of success. */
  readonly answered: number;
  /** Answers of any other status, and connections that failed. */
  readonly failed: number;
  readonly seconds: number;
}

/** A program that sends requests as fast as they are answered. */
export interface Load {
  /** With its version. */
  readonly name: string;
  /**
   * Takes aim at a server: the requests are sent in turn, again and again, for as many seconds as the
   * returned function is told.
   */
  aim(stage: Stage, url: string, requests: readonly Request[]): Promise<(seconds: number) => Promise<Tally>>;
}

/** `wrk` where it is installed, since it takes the least of the machine, else `autocannon`. */
export function chooseLoad(): Load {
  return Bun.which("wrk") === null ? autocannonLoad() : wrkLoad();
}
