import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { timeLimit } from "../time-limit.ts";
import { VERSION } from "../version.ts";
import { isPublicAddress } from "./public-address.ts";

const REDIRECTS_MAX = 5;
/** A host may have many addresses, of which the first may be unreachable; each costs a connection. */
const ADDRESSES_TRIED = 3;
/** The maximum number of simultaneous fetches: each uses a socket and up to its limit of memory. */
const AT_ONCE_MAX = 16;

export interface FetchLimits {
  /** For everything: name resolution, redirects and body, in milliseconds. */
  readonly timeout: number;
  /** The maximum number of decoded bytes of the body; the rest is not read. */
  readonly maxBytes: number;
  /** The value of the header `Accept`. */
  readonly accept: string;
  /** How many redirects are followed; five when absent. */
  readonly redirects?: number;
  /** Whether other ports than 80 for http and 443 for https are refused, also behind a redirect. */
  readonly usualPorts?: boolean;
}

export interface FetchedPage {
  /** Where the last redirect led. */
  readonly url: URL;
  readonly status: number;
  /** The header `Content-Type`; empty when there is none. */
  readonly contentType: string;
  /** The beginning of the body. */
  readonly bytes: Uint8Array;
}

/** The network of a fetch; tests replace it. */
export interface Network {
  /** All addresses of a host name. */
  resolve(hostname: string): Promise<readonly string[]>;
  isPublic(address: string): boolean;
  /** The addresses that lead to this machine now, public ones too. */
  own(): Promise<readonly string[]>;
  fetch(url: string, init: BunFetchRequestInit): Promise<Response>;
}

/**
 * The public internet without this machine: a connection from here to its own public address comes from behind its
 * firewall. Its addresses are those of its interfaces, and those of the name under which it is published.
 */
export function publicInternet(publicUrl: string | undefined): Network {
  return {
    resolve: addressesOf,
    isPublic: isPublicAddress,
    async own() {
      const published = await publishedAddresses(publicUrl);
      const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
      return [...published, ...interfaces.map(({ address }) => address)];
    },
    fetch,
  };
}

/** None when the name cannot be resolved: then nothing can be reached by it. */
async function publishedAddresses(publicUrl: string | undefined): Promise<string[]> {
  return publicUrl === undefined ? [] : addressesOf(bareHost(new URL(publicUrl))).catch(() => []);
}

async function addressesOf(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}

/** A page that is not fetched: its address is not public, it cannot be reached, or it takes too long. */
export class FetchError extends Error {
  override readonly name = "FetchError";
}

/** This process fetches too many pages already. */
export class TooManyFetches extends FetchError {
  constructor() {
    super("Too many pages are being fetched.");
  }
}

let atOnce = 0;

/**
 * Fetches a page of the public internet, and nothing else: a URL chosen by a user can never reach this machine or its
 * network.
 *
 * A host is resolved here, its addresses are checked, and the connection goes to exactly the address that was
 * checked, so that a second resolution cannot lead elsewhere. Each redirect is checked like the first URL. No
 * connection is used twice, since a reused one would bypass the check. No cookies, credentials or
 * referrer are sent.
 *
 * @throws FetchError
 */
export async function fetchPublic(url: URL, limits: FetchLimits, network: Network): Promise<FetchedPage> {
  if (atOnce >= AT_ONCE_MAX) throw new TooManyFetches();
  atOnce++;
  // One signal for everything: the parts cannot add up to more than the timeout.
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new FetchError("The request timed out.")),
    timeLimit(limits.timeout),
  );
  try {
    return await follow(url, limits, network, stop.signal);
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError("The page cannot be reached.", { cause: error });
  } finally {
    clearTimeout(timer);
    // Also closes the connection of a body that was not read to its end.
    stop.abort(new FetchError("The request is finished."));
    atOnce--;
  }
}

async function follow(
  first: URL,
  limits: FetchLimits,
  network: Network,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const { redirects: most = REDIRECTS_MAX } = limits;
  let url = first;
  for (let redirects = 0; redirects <= most; redirects++) {
    const response = await request(url, limits, network, signal);
    const location = redirectOf(response);
    if (location === null) {
      const bytes = await beginningOf(response, limits.maxBytes, signal);
      const contentType = response.headers.get("content-type") ?? "";
      return { url, status: response.status, contentType, bytes };
    }
    const next = URL.parse(location, url.href);
    if (next === null) throw new FetchError("The page redirects to an invalid URL.");
    url = next;
  }
  throw new FetchError("The page redirects too often.");
}

function redirectOf({ status, headers }: Response): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get("location") : null;
}

async function request(
  url: URL,
  { accept, usualPorts = false }: FetchLimits,
  network: Network,
  signal: AbortSignal,
): Promise<Response> {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchError("Only http and https are fetched.");
  if (usualPorts && url.port !== "") throw new FetchError("Only the usual ports of web sites are asked.");
  const addresses = await publicAddresses(url, network, signal);
  let failure: unknown;
  for (const address of addresses.slice(0, ADDRESSES_TRIED)) {
    try {
      return await network.fetch(urlAt(url, address), {
        headers: {
          host: url.host,
          accept,
          "accept-encoding": "gzip",
          "user-agent": `Mozilla/5.0 (compatible; Commonplace/${VERSION})`,
        },
        // The certificate must match the host name, although the connection is to an IP address.
        ...(isIP(bareHost(url)) === 0 && { tls: { serverName: url.hostname } }),
        keepalive: false,
        redirect: "manual",
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}

/** The public addresses of a URL's host; IPv4 first, since not every network has a way out for IPv6. */
async function publicAddresses(url: URL, network: Network, signal: AbortSignal): Promise<string[]> {
  const host = bareHost(url);
  const [all, own] = await unlessAborted(
    Promise.all([isIP(host) === 0 ? network.resolve(host) : [host], network.own()]),
    signal,
  );
  const addresses = all.filter((address) => network.isPublic(address) && !own.includes(address));
  if (addresses.length === 0) throw new FetchError("The host has no public address.");
  return addresses.toSorted((one, other) => isIP(one) - isIP(other));
}

/** The URL with an address in place of its host, and without user name and password. */
function urlAt(url: URL, address: string): string {
  const at = new URL(url);
  at.hostname = isIP(address) === 6 ? `[${address}]` : address;
  at.username = "";
  at.password = "";
  at.hash = "";
  return at.href;
}

/** The URL parser has turned every spelling of an IPv4 address (`0x7f.1`, `2130706433`) into the usual one. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

async function beginningOf(response: Response, max: number, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && length < max) {
    const { done, value } = await unlessAborted(reader.read(), signal);
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, max));
}

/** Waits for something that cannot be aborted itself. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
