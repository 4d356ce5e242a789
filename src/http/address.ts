import { isIP } from "node:net";

/** Normalizes an IP address: no port, brackets or IPv4 mapping. Undefined for anything else. */
export function plainAddress(text: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  const address = bare.replace(/^::ffff:(?=[\d.]+$)/i, "");
  return isIP(address) === 0 ? undefined : address;
}

/** An address or host name for a URL: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** The network that identifies a client: an IPv4 address, or an IPv6 /64. */
export function networkOf(text: string): string {
  const address = plainAddress(text) ?? text;
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;
}

/** The eight groups of an IPv6 address, each without leading zeros. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [head = "", tail = ""] = hostname.slice(1, -1).split("::");
  const before = head.split(":").filter((group) => group !== "");
  const after = tail.split(":").filter((group) => group !== "");
  return [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
}
