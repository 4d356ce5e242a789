import { createServer, type Server } from "node:net";
import type { Network } from "../../../src/outbound/fetch-public.ts";
import { isPublicAddress } from "../../../src/outbound/public-address.ts";

/**
 * An internet whose every site is one server on loopback, over real connections. Nothing is resolved: `inner.example` is a
 * machine of a local network, `nowhere.example` cannot be reached.
 *
 * @param wire what is sent as it is, without the server of HTTP, before the connection is closed; undefined for other paths
 */
export function loopbackNetwork(
  answer: (request: Request) => Response,
  wire: (path: string) => string | Uint8Array | undefined = () => undefined,
) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  const raw = rawServer(wire);
  const network: Network = {
    resolve: async (name) => [name === "inner.example" ? "10.0.0.5" : "93.184.215.14"],
    isPublic: isPublicAddress,
    own: async () => [],
    async fetch(url, init) {
      if (new Headers(init.headers).get("host") === "nowhere.example") throw new Error("no such host");
      const { pathname, search } = new URL(url);
      const port = wire(pathname) === undefined ? server.port : await raw.port;
      return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
    },
  };
  const stop = async () => {
    raw.server.close();
    await server.stop(true);
  };
  return { network, stop };
}

function rawServer(wire: (path: string) => string | Uint8Array | undefined): {
  server: Server;
  port: Promise<number>;
} {
  const server = createServer((socket) => {
    // The client may have enough before the end.
    socket.on("error", () => {});
    socket.once("data", (request) => {
      const [, path = ""] = /^GET (\S+)/.exec(String(request)) ?? [];
      socket.end(wire(path) ?? "");
    });
  });
  const { promise: port, resolve } = Promise.withResolvers<number>();
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) resolve(address.port);
  });
  return { server, port };
}
