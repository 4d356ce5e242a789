import type { Network } from "../../../src/outbound/fetch-public.ts";
import { isPublicAddress } from "../../../src/outbound/public-address.ts";

/**
 * An internet whose every site is one server on loopback, over real connections. Nothing is resolved: `inner.example` is a
 * machine of a local network, `nowhere.example` cannot be reached.
 */
export function loopbackNetwork(answer: (request: Request) => Response) {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: answer });
  const network: Network = {
    resolve: async (name) => [name === "inner.example" ? "10.0.0.5" : "93.184.215.14"],
    isPublic: isPublicAddress,
    own: async () => [],
    async fetch(url, init) {
      if (new Headers(init.headers).get("host") === "nowhere.example") throw new Error("no such host");
      const { pathname, search } = new URL(url);
      return fetch(`http://127.0.0.1:${server.port}${pathname}${search}`, init);
    },
  };
  return { network, stop: () => server.stop(true) };
}
