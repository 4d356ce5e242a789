import { isIP } from "node:net";

/** Normalizes an IP address: no port, brackets or IPv4 mapping. Undefined for anything else. */
export function normalizeIp(text: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  const family = isIP(bare);
  if (family === 0) return undefined;
  return family === 6 ? (mappedIPv4(bare) ?? bare) : bare;
}

/** The IPv4 address in an IPv6 one (`::ffff:192.0.2.1` in any spelling); undefined when there is none. */
function mappedIPv4(address: string): string | undefined {
  if (!/ffff/i.test(address)) return undefined;
  const groups = groupsOf(address);
  if (groups.slice(0, 6).join(":") !== "0:0:0:0:0:ffff") return undefined;
  const bytes = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return bytes.flatMap((group) => [group >> 8, group & 0xff]).join(".");
}

/** An address or host name for a URL: IPv6 in brackets. */
export function hostInUrl(host: string): string {
  return host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
}

/** The network that identifies a client: an IPv4 address, or an IPv6 /64. */
export function networkOf(text: string): string {
  const address = normalizeIp(text) ?? text;
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;
}

/** The IPv6 /48 that a provider gives to one customer, with 65,536 networks in it; undefined for IPv4. */
export function ipv6Slash48Of(text: string): string | undefined {
  const address = normalizeIp(text) ?? text;
  return isIP(address) === 6 ? `${groupsOf(address).slice(0, 3).join(":")}::/48` : undefined;
}

/** How much of a client's address the lines of requests have: all, its network, or nothing. */
export type LoggedAddress = "full" | "net" | "off";

/** The address of a client as the log may show it. A network is shown by its first address, so that every tool can read it. */
export function loggedAddress(address: string, detail: LoggedAddress): string | undefined {
  if (detail === "off" || address === "") return undefined;
  if (detail === "full") return address;
  const family = isIP(address);
  if (family === 4) return `${address.slice(0, address.lastIndexOf("."))}.0`;
  return family === 6 ? `${groupsOf(address).slice(0, 3).join(":")}::` : address;
}

/** The eight groups of an IPv6 address, each without leading zeros. */
function groupsOf(address: string): string[] {
  const { hostname } = new URL(`http://[${address.split("%", 1)[0]}]`);
  const [head = "", tail = ""] = hostname.slice(1, -1).split("::");
  const before = head.split(":").filter((group) => group !== "");
  const after = tail.split(":").filter((group) => group !== "");
  return [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
}
