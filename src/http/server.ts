import { StartError } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Handler } from "./dispatch.ts";

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** Whether other processes listen on the same port, and share its connections. */
  readonly shared?: boolean;
}

/** A server that listens. */
export interface Server {
  /** The port that it listens on, when it was asked for any. */
  readonly port: number;
  /**
   * Takes no new connections, and resolves when every request in flight is answered, or `grace`
   * milliseconds later: a client that sends its request for ever is not waited for.
   */
  stop(grace: number): Promise<void>;
}

/**
 * Listens with the runtime's own HTTP server.
 * @throws StartError when the address cannot be listened on
 */
export function listen(handler: Handler, { host, port, log, shared = false }: ListenOptions): Server {
  try {
    const server = Bun.serve({
      hostname: host,
      port,
      reusePort: shared,
      // The runtime refuses what is longer with an empty answer; our own limit, with a better one, is lower.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      // The runtime's own error pages would show the inside.
      development: false,
      fetch: (request, server) => {
        const response = handler(request, { address: () => server.requestIP(request)?.address ?? "" });
        return request.method === "HEAD" ? response.then(dated) : response;
      },
      error: (error) => {
        log.error("A response broke off.", error);
        return new Response(null, { status: 500 });
      },
    });
    return { port: server.port ?? port, stop: (grace) => stopWithin(server, grace) };
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

async function stopWithin(server: Bun.Server<undefined>, grace: number): Promise<void> {
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
