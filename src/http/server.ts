import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../awaitable.ts";
import { StartError } from "../errors.ts";
import { limits } from "../limits.ts";
import type { Log } from "../log.ts";
import { closeBeforeBody } from "./body/unread-body.ts";
import type { Peer } from "./client/client.ts";
import type { Handler } from "./dispatch.ts";
import { socketPathOf, withSocketMode } from "./unix-socket.ts";

/** After this long without a request at the shutdown, all active clients have seen `Connection: close`, in milliseconds. */
const QUIET_MS = 100;

/** The maximum time for which requests are still accepted after the stop signal, in milliseconds. */
const LATE_REQUESTS_MS = 1_000;

export interface ListenOptions {
  /** An address or a name, or `unix:` and the path of a socket. */
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** Whether other processes share the port. */
  readonly shared?: boolean;
}

/** A listening server. */
export interface Server {
  /** Its actual port, also for port 0. */
  readonly port: number;
  /** Requests whose responses are not sent completely. */
  readonly inFlight: number;
  /**
   * Announces the end on every connection and serves for `delay` milliseconds more. Then accepts no new connections,
   * and resolves when every request in flight is answered, or after `grace` milliseconds.
   */
  stop(grace: number, delay?: number): Promise<void>;
}

/**
 * Listens with the runtime's own HTTP server.
 * @throws StartError when the address cannot be listened on
 */
export function listen(handler: Handler, options: ListenOptions): Server {
  const { host, port, log, shared = false } = options;
  const { connectionIdle } = limits();
  const activity: ServerActivity = { ending: false, requests: 0 };
  const path = socketPathOf(host);
  try {
    const handlers = {
      idleTimeout: connectionIdle / 1_000,
      // Beyond this the runtime refuses with an empty response; our own limit, with a better one, is lower.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // The runtime's own error pages would show internals.
      development: false,
      fetch: (request: Request, server: Bun.Server<undefined>) => {
        activity.requests++;
        const peer = new Connection(request, server, { activity, idle: connectionIdle });
        const response = closeBeforeBody(request, () => handler(request, peer));
        return request.method === "HEAD" ? dated(response) : response;
      },
      error: (error: Error) => {
        log.error("The request handler threw an error.", error);
        return new Response(null, { status: 500 });
      },
    };
    const server =
      path === undefined
        ? Bun.serve({ ...handlers, hostname: host, port, reusePort: shared })
        : // The types know no idle timeout of connections to a socket, but the runtime does.
          withSocketMode(() => Bun.serve({ ...handlers, unix: path } as Bun.Serve.Options<undefined>));
    return {
      port: server.port ?? port,
      get inFlight() {
        return server.pendingRequests;
      },
      stop: (grace, delay = 0) => stopWithin(server, activity, { delay, grace }),
    };
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new StartError(
      path === undefined
        ? `HOST, PORT: cannot listen on ${host}:${port} (${reason})${HINTS[reason] ?? "."}`
        : `HOST: cannot listen on ${path} (${reason}).`,
      1,
      error,
    );
  }
}

const UNRESOLVED = ": there is no such address; a name must be one that this machine can resolve.";

/** Hints for the usual reasons. */
const HINTS: Readonly<Record<string, string>> = {
  EADDRINUSE: ": another program, perhaps another server, listens there. Stop it, or choose another PORT.",
  EACCES: ": ports below 1024 need special privileges. Choose another PORT, and put a proxy in front.",
  EADDRNOTAVAIL: ": this machine does not have that address.",
  EINVAL: UNRESOLVED,
  ENOTFOUND: UNRESOLVED,
};

/** The runtime adds `Date` to every response except those to HEAD (RFC 9110, section 6.6.1). */
async function dated(given: Awaitable<Response>): Promise<Response> {
  const response = await given;
  response.headers.set("date", new Date().toUTCString());
  return response;
}

/** What a running server is doing. */
interface ServerActivity {
  ending: boolean;
  /** Requests so far. */
  requests: number;
}

class Connection implements Peer {
  readonly #request: Request;
  readonly #server: Bun.Server<undefined>;
  readonly #activity: ServerActivity;
  readonly #idle: number;

  /** @param idle its idle timeout, in milliseconds */
  constructor(
    request: Request,
    server: Bun.Server<undefined>,
    { activity, idle }: { readonly activity: ServerActivity; readonly idle: number },
  ) {
    this.#request = request;
    this.#server = server;
    this.#activity = activity;
    this.#idle = idle;
  }

  address(): string {
    return this.#server.requestIP(this.#request)?.address ?? "";
  }

  get ending(): boolean {
    return this.#activity.ending;
  }

  /** To the runtime, a connection is idle while its request is being answered, too. */
  async withoutIdleTimeout<T>(work: () => Promise<T>): Promise<T> {
    this.#server.timeout(this.#request, 0);
    try {
      return await work();
    } finally {
      this.#server.timeout(this.#request, this.#idle / 1_000);
    }
  }
}

/**
 * The runtime closes idle connections at once, which would reset a request that is just being sent. So the server first
 * answers with `Connection: close` for a while, and stops the runtime when no more requests come.
 */
async function stopWithin(
  server: Bun.Server<undefined>,
  activity: ServerActivity,
  { delay, grace }: { readonly delay: number; readonly grace: number },
): Promise<void> {
  activity.ending = true;
  await sleep(delay);
  const latest = performance.now() + LATE_REQUESTS_MS;
  for (let before = -1; before !== activity.requests && performance.now() < latest; ) {
    before = activity.requests;
    await sleep(QUIET_MS);
  }
  // Waits until connections are accepted, since waiting ones are reset when the socket closes.
  await setImmediate();
  const finished = server.stop();
  const cutOff = setTimeout(() => server.stop(true), grace);
  await finished;
  clearTimeout(cutOff);
}

/** A free port, for processes that will share it. */
export async function freePort(host: string): Promise<number> {
  const server = Bun.serve({ hostname: host, port: 0, fetch: () => new Response() });
  const { port = 0 } = server;
  await server.stop();
  return port;
}
