import type { Network } from "../../../src/outbound/fetch-public.ts";
import { isPublicAddress } from "../../../src/outbound/public-address.ts";

export const image = (bytes: Uint8Array, type = "image/png") =>
  new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } });
export const html = (head: string | Uint8Array, type = "text/html") =>
  new Response(head as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } });
export const to = (location: string) => new Response(null, { status: 302, headers: { location } });
/** Zeros without an end. */
export const endless = (type = "image/png") =>
  new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }), {
    headers: { "content-type": type },
  });

/** What there is at some addresses. */
export type Site = Readonly<Record<string, () => Response>>;

/** An internet of these addresses; `inside.example` is a machine of the own network. */
export function internet(site: Site): Network & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name) => [name === "inside.example" ? "10.0.0.7" : "93.184.215.14"],
    isPublic: isPublicAddress,
    own: async () => [],
    async fetch(given, init) {
      const { protocol, pathname } = new URL(given);
      const url = `${protocol}//${(init.headers as Record<string, string>).host}${pathname}`;
      asked.push(url);
      return site[url]?.() ?? new Response("Not found", { status: 404 });
    },
  };
}
