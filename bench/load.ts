/** The number of connections of a load, each with one request at a time. */
export const CONNECTIONS = 64;

/**
 * The share of requests that a server may refuse because it is too busy (503). They do not count as answered,
 * and the report shows them.
 */
export const REFUSED_AT_MOST = 0.05;

/** A request that a load repeats. */
export interface Request {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body of JSON. */
  readonly body?: string;
}

/** The results of a load. */
export interface Tally {
  /** Successful responses, and those with the status 304. */
  readonly answered: number;
  /** Responses with any other status. */
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

/** The means of a load that is a separate program: a folder for its files, and its processes. */
export interface LoadPlace {
  /** The path of a file in the folder. */
  file(name: string): string;
  /** Runs a command and waits until it ends. @returns its standard output. @throws when its exit code is not 0 */
  run(words: readonly string[]): Promise<string>;
}

/** A program that sends requests as fast as they are answered. */
export interface Load {
  /** The program's name and version. */
  readonly name: string;
  /**
   * Prepares a load on a server: it sends the requests in turn, repeatedly, over a number of connections.
   * Each measurement continues where the previous one stopped.
   */
  prepare(
    place: LoadPlace,
    url: string,
    requests: readonly Request[],
    options: LoadOptions,
  ): Promise<LoadRunner>;
}

/** The specific headers of a request, without those that every request has. */
export function headersOf({ headers, body }: Request): Readonly<Record<string, string>> {
  return { ...headers, ...(body !== undefined && { "content-type": "application/json" }) };
}
