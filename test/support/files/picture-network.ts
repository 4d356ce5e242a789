import type { Network } from "../../../src/outbound/fetch-public.ts";
import { isPublicAddress } from "../../../src/outbound/public-address.ts";

const PUBLIC = "93.184.215.14";

/**
 * A network without wires: what its sites have by URL, a body, `Location: URL` or `Status: 404`. Anything else cannot be
 * reached; `inner.example` is a machine of a local network.
 */
export function fakeNetwork(pages: Readonly<Record<string, Uint8Array | string>>) {
  const asked: string[] = [];
  const network: Network = {
    resolve: async (hostname) => [hostname === "inner.example" ? "10.0.0.5" : PUBLIC],
    isPublic: isPublicAddress,
    own: async () => [],
    async fetch(url, init) {
      const at = new URL(url);
      at.host = new Headers(init.headers).get("host") ?? "";
      asked.push(at.href);
      const page = pages[at.href];
      if (page === undefined) throw new Error("no such host");
      const [, name, value = ""] =
        typeof page === "string" ? (/^(Location|Status): (.*)$/.exec(page) ?? []) : [];
      if (name === "Location") return new Response("", { status: 302, headers: { location: value } });
      return new Response(page, { status: name === "Status" ? Number(value) : 200 });
    },
  };
  return { ...network, asked };
}
