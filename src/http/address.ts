import { isIP } from "node:net";

/** An address without port, brackets and IPv4 mapping: one spelling for one client; undefined when it is none. */
export function plainAddress(text: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, "");
  return isIP(address) === 0 ? undefined : address;
}

/** An address or a host name as it stands in a URL: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** What one client can be told by: its IPv4 address, or its IPv6 network (/64), all of whose addresses it has. */
export function networkOf(text: string): string {
  const address = plainAddress(text) ?? text;
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;
}

/** The eight groups of an IPv6 address, in the shortest spelling of each. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [head = "", tail = ""] = hostname.slice(1, -1).split("::");
  const before = head.split(":").filter((group) => group !== "");
  const after = tail.split(":").filter((group) => group !== "");
  return [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
}
