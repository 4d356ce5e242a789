import { Clients } from "../http/client/client.ts";
import { Dispatcher, type Handler } from "../http/dispatch.ts";
import type { Routes } from "../http/endpoint.ts";
import { Cors } from "../http/guards/cors.ts";
import { Hosts, isLoopback } from "../http/guards/hosts.ts";
import { socketPathOf } from "../http/unix-socket.ts";
import { Log } from "../log.ts";
import { rateLimits } from "./configured-access.ts";

import { type AppDependencies, partsOf } from "./parts.ts";
import { surfaceOf } from "./routes.ts";

/** @returns a function from request to response that needs no socket */
export function createApp(dependencies: AppDependencies): Handler {
  const { config, database, log, load, observers } = dependencies;
  const { publicUrl } = config;
  const parts = partsOf(dependencies, () => surface.routes);
  const surface = surfaceOf(parts);
  const isSocket = socketPathOf(config.host) !== undefined;
  const dispatcher = new Dispatcher({
    ...surface,
    clients: new Clients(config.trustedProxies, publicUrl, {
      trustsEveryPeer: isSocket,
      onUntrusted: (proxy) => log.warn(untrustedProxy(proxy)),
    }),
    stamps: database,
    storage: database,
    authenticator: parts.authenticator,
    hosts: new Hosts({
      loopback: isSocket || isLoopback(config.host),
      publicHost: publicUrl && new URL(publicUrl).hostname,
      allowed: config.allowedHosts,
    }),
    cors: new Cors(config.corsOrigins),
    isOverTls: publicUrl?.startsWith("https:"),
    log,
    // Looking an address up costs some microseconds.
    logAddress: log.hasRequests ? config.logAddress : "off",
    bodyLimit: config.bodyLimit,
    limits: rateLimits(config),
    load,
    observe: observers?.requests,
  });
  return dispatcher.handle;
}

/** The contracts of everything that the application serves, by path. */
export function createRoutes(dependencies: Pick<AppDependencies, "config" | "database">): Routes {
  const log = new Log({ level: "silent", format: "json" });
  const { routes } = surfaceOf(partsOf({ ...dependencies, log }, () => routes));
  return routes;
}

function untrustedProxy(proxy: string): string {
  return (
    `Requests from ${proxy} have X-Forwarded-For, which is not used, since TRUSTED_PROXIES does not name ${proxy}. ` +
    "All clients behind it count as one, so that one of them can use up the limits of all. If it is your proxy, set TRUSTED_PROXIES."
  );
}
