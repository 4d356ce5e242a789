import { setTimeout as sleep } from "node:timers/promises";
import { thenSync } from "../awaitable.ts";
import { StartError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Peer } from "./client.ts";
import type { Handler } from "./dispatch.ts";
import { closeBeforeBody } from "./unread-body.ts";

/** When no request has come for so long, those who are at work have been told that the server ends, in milliseconds. */
const QUIET = 100;

/** How long, at most, requests are taken once the server is told to stop, in milliseconds. */
const FAREWELL = 1_000;

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** After how long a connection is closed on which (next to) nothing comes: whole seconds, in milliseconds. */
  readonly connectionIdle?: number;
  /** Whether other processes listen on the same port, and share its connections. */
  readonly shared?: boolean;
}

/** A server that listens. */
export interface Server {
  /** The port that it listens on, when it was asked for any. */
  readonly port: number;
  /** Requests whose answers have not been sent to their end. */
  readonly inFlight: number;
  /**
   * Tells everyone who is connected that the next answer is the last, takes no new connections, and resolves when every request in flight is answered, or `grace`
   * milliseconds later: a client that sends its request for ever is not waited for.
   */
  stop(grace: number): Promise<void>;
}

/**
 * Listens with the runtime's own HTTP server.
 * @throws StartError when the address cannot be listened on
 */
export function listen(handler: Handler, options: ListenOptions): Server {
  const { host, port, log, connectionIdle = 75_000, shared = false } = options;
  const life: Life = { ending: false, requests: 0 };
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      reusePort: shared,
      idleTimeout: connectionIdle / 1_000,
      // The runtime refuses what is longer with an empty answer; our own limit, with a better one, is lower.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // The runtime's own error pages would show the inside.
      development: false,
      fetch: (request, server) => {
        life.requests++;
        const answer = handler(request, new Connection(request, server, life));
        const response = closeBeforeBody(request, answer);
        return request.method === "HEAD" ? thenSync(response, dated) : response;
      },
      error: (error) => {
        log.error("A response broke off.", error);
        return new Response(null, { status: 500 });
      },
    });
    return {
      port: server.port ?? port,
      get inFlight() {
        return server.pendingRequests;
      },
      stop: (grace) => stopWithin(server, life, grace),
    };
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new StartError(`HOST, PORT: cannot listen on ${host}:${port} (${reason}).`, 1, error);
  }
}

/** The runtime dates every answer but those to HEAD (RFC 9110, section 6.6.1). */
function dated(response: Response): Response {
  response.headers.set("date", new Date().toUTCString());
  return response;
}

/** What a server tells of itself while it runs. */
interface Life {
  ending: boolean;
  /** How many requests came so far. */
  requests: number;
}

class Connection implements Peer {
  readonly #request: Request;
  readonly #server: Bun.Server<undefined>;
  readonly #life: Life;

  constructor(request: Request, server: Bun.Server<undefined>, life: Life) {
    this.#request = request;
    this.#server = server;
    this.#life = life;
  }

  address(): string {
    return this.#server.requestIP(this.#request)?.address ?? "";
  }

  get ending(): boolean {
    return this.#life.ending;
  }
}

/**
 * The runtime closes connections at once on which no request is under way, and whoever is just sending one on
 * such a connection finds it reset. So it is told only when those who are at work have been told: each answer
 * carries `Connection: close` meanwhile.
 */
async function stopWithin(server: Bun.Server<undefined>, life: Life, grace: number): Promise<void> {
  life.ending = true;
  const latest = performance.now() + FAREWELL;
  for (let before = -1; before !== life.requests && performance.now() < latest; ) {
    before = life.requests;
    await sleep(QUIET);
  }
  const finished = server.stop();
  const cutOff = setTimeout(() => server.stop(true), grace);
  await finished;
  clearTimeout(cutOff);
}

/** A port that nobody listens on, for processes that are to share one. */
export async function freePort(host: string): Promise<number> {
  const server = Bun.serve({ hostname: host, port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop();
  return port;
}
