import { isIP } from "node:net";
import { Refusal } from "../../errors.ts";

export interface HostRules {
  /** Whether the server listens on loopback only. */
  readonly loopback: boolean;
  /** The host of PUBLIC_URL, if set. */
  readonly publicHost?: string | undefined;
  /** ALLOWED_HOSTS: names, `*.example.com` for all names below, `*` for any. */
  readonly allowed: readonly string[];
}

/**
 * Checks the Host header against DNS rebinding, by which a web page could reach this server under a name of its own,
 * and against made-up hosts in links.
 */
export class Hosts {
  readonly #rules: HostRules;
  /** The header that passed last: most requests have the same. */
  #passed: string | null = null;

  constructor(rules: HostRules) {
    this.#rules = rules;
  }

  /** @throws Refusal `misdirected` for a host that is not served, `malformed` for an invalid one */
  check(header: string | null): void {
    if (header !== null && header === this.#passed) return;
    const name = hostName(header ?? "");
    if (name === null) throw new Refusal("malformed", "The Host header is missing or invalid.");
    if (!this.#answersTo(name))
      throw new Refusal("misdirected", "This server does not serve that host; see ALLOWED_HOSTS.");
    this.#passed = header;
  }

  #answersTo(name: string): boolean {
    const { loopback, publicHost, allowed } = this.#rules;
    if (name === publicHost || allowed.some((pattern) => covers(pattern, name))) return true;
    if (loopback) return isLoopback(name);
    return allowed.length === 0;
  }
}

/** The lower-case name or address in a Host header, without the port, which may be empty; null when it is invalid. */
export function hostName(header: string): string | null {
  if (!/^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?$/.test(header)) return null;
  // The URL standard's parser validates the port and normalizes IPv6 addresses.
  const url = URL.parse(`http://${header}`);
  if (url === null) return null;
  const name = header.replace(/:\d*$/, "").toLowerCase();
  if (name.startsWith("[")) return url.hostname;
  return name.replace(/\.$/, "");
}

/** Whether a host name or address is loopback by definition (RFC 6761, section 6.3). */
export function isLoopback(name: string): boolean {
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  return name === "[::1]" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

function covers(pattern: string, name: string): boolean {
  if (pattern === "*" || pattern === name) return true;
  return pattern.startsWith("*.") && name.endsWith(pattern.slice(1));
}
