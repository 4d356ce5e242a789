import { Registry } from "prom-client";
import { StartError } from "../errors.ts";
import { hostInUrl } from "../http/client/address.ts";
import { Hosts, isLoopback } from "../http/guards/hosts.ts";
import type { Log } from "../log.ts";

export interface MetricsListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** Whether another process of this server may listen there, too. */
  readonly shared: boolean;
  /** The current metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>;
}

/** The default path of Prometheus. */
const PATH = "/metrics";

/**
 * Serves `GET /metrics` on a port of its own, which should not be public.
 * @throws StartError when the address cannot be listened on
 */
export function listenForMetrics({ host, port, log, shared, text }: MetricsListenerOptions): void {
  const hosts = new Hosts({ loopback: isLoopback(host), allowed: [] });
  try {
    Bun.serve({
      hostname: host,
      port,
      reusePort: shared,
      development: false,
      fetch: async (request) => {
        const refused = refusal(request, hosts);
        if (refused !== undefined) return new Response(null, { status: refused });
        return new Response(await text(), { headers: { "content-type": Registry.PROMETHEUS_CONTENT_TYPE } });
      },
      error: (error) => {
        log.error("Could not collect the metrics.", error);
        return new Response(null, { status: 500 });
      },
    });
    log.info(`Metrics at http://${hostInUrl(host)}:${port}${PATH}`);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new StartError(`METRICS_PORT: cannot listen on ${host}:${port} (${reason}).`, 1, error);
  }
}

/** Like the service itself, it refuses foreign host names on loopback. */
function refusal(request: Request, hosts: Hosts): number | undefined {
  try {
    hosts.check(request.headers.get("host"));
  } catch {
    return 421;
  }
  if (new URL(request.url).pathname !== PATH) return 404;
  return request.method === "GET" || request.method === "HEAD" ? undefined : 405;
}
