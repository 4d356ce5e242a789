import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { timeLimit } from "../time-limit.ts";
import { VERSION } from "../version.ts";
import { CookieJar } from "./cookie-jar.ts";
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
  /** The value of the header `Accept-Language`; none is sent when absent. */
  readonly languages?: string;
  /** How many redirects are followed; five when absent. */
  readonly redirects?: number;
  /** Whether other ports than 80 for http and 443 for https are refused, also behind a redirect. */
  readonly usualPorts?: boolean;
  /** Ends the fetch early, as the timeout does. */
  readonly signal?: AbortSignal;
}

/** What a server has sent, but for the body. */
export interface ResponseHead {
  /** Where the last redirect led. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  /** The header `Content-Type`; empty when there is none. */
  readonly contentType: string;
}

export interface FetchedPage extends ResponseHead {
  /** The beginning of the body. */
  readonly bytes: Uint8Array;
}

/** A response whose body is read while it comes. */
export interface PublicResponse extends ResponseHead {
  /**
   * The decoded body, up to the maximum of the limits, once.
   * @throws FetchError when the connection breaks or the time is over; what came before has been passed on
   */
  body(): AsyncGenerator<Uint8Array, void>;
}

/** Where a page leads that is not what was asked for: it is fetched, by the same rules as the first. */
export class LeadsTo<T> {
  readonly url: URL;
  /** The result when nothing can be read there; without one, the fetch fails. */
  readonly otherwise: T | undefined;

  constructor(url: URL, otherwise?: T) {
    this.url = url;
    this.otherwise = otherwise;
  }
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
  /** Why another attempt would end in the same way; undefined where it may not. */
  readonly lasting: "not-public" | "redirects" | undefined;

  constructor(
    message: string,
    { lasting, ...options }: ErrorOptions & Partial<Pick<FetchError, "lasting">> = {},
  ) {
    super(message, options);
    this.lasting = lasting;
  }
}

/** This process fetches too many pages already. */
export class TooManyFetches extends FetchError {
  constructor() {
    super("Too many pages are being fetched.");
  }
}

let atOnce = 0;

/** Fetches the beginning of a page; see {@link readPublic}. @throws FetchError */
export function fetchPublic(url: URL, limits: FetchLimits, network: Network): Promise<FetchedPage> {
  return readPublic(url, limits, network, async ({ body, ...head }) => {
    const pieces = await Array.fromAsync(body());
    return { ...head, bytes: new Uint8Array(Buffer.concat(pieces)) };
  });
}

/** Reads a response that is no redirect, as far as it likes. */
export type Reading<T> = (response: PublicResponse) => Promise<T | LeadsTo<T>>;

/**
 * Reads a page of the public internet, and nothing else: a URL chosen by a user can never reach this machine or its
 * network.
 *
 * A host is resolved here, its addresses are checked, and the connection goes to exactly the address that was
 * checked, so that a second resolution cannot lead elsewhere. Each redirect is checked like the first URL. No
 * connection is used twice, since a reused one would bypass the check. No credentials or referrer are sent, and no cookies but
 * those of the same chain of redirects.
 *
 * @param read may lead to another page, once; undefined from there is nothing
 * @throws FetchError
 */
export async function readPublic<T>(
  url: URL,
  limits: FetchLimits,
  network: Network,
  read: Reading<T>,
): Promise<T> {
  if (atOnce >= AT_ONCE_MAX) throw new TooManyFetches();
  atOnce++;
  // One signal for everything: the parts cannot add up to more than the timeout.
  const stop = new AbortController();
  const timer = setTimeout(
    () => stop.abort(new FetchError("The request timed out.")),
    timeLimit(limits.timeout),
  );
  const end = () => stop.abort(new FetchError("The request was given up."));
  limits.signal?.addEventListener("abort", end);
  if (limits.signal?.aborted) end();
  try {
    return await new Chain(limits, network, stop.signal).read(url, read);
  } finally {
    clearTimeout(timer);
    limits.signal?.removeEventListener("abort", end);
    // Also closes the connection of a body that was not read to its end.
    stop.abort(new FetchError("The request is finished."));
    atOnce--;
  }
}

function asFetchError(error: unknown): FetchError {
  return error instanceof FetchError
    ? error
    : new FetchError("The page cannot be reached.", { cause: error });
}

/** A request, and those to which it is redirected. */
class Chain {
  readonly #limits: FetchLimits;
  readonly #network: Network;
  readonly #signal: AbortSignal;
  readonly #cookies = new CookieJar();
  #redirects: number;

  constructor(limits: FetchLimits, network: Network, signal: AbortSignal) {
    this.#limits = limits;
    this.#network = network;
    this.#signal = signal;
    this.#redirects = limits.redirects ?? REDIRECTS_MAX;
  }

  async read<T>(url: URL, read: Reading<T>): Promise<T> {
    const first = await read(await this.#follow(url));
    if (!(first instanceof LeadsTo)) return first;
    try {
      this.#countRedirect();
      const second = await read(await this.#follow(first.url));
      const found = second instanceof LeadsTo ? second.otherwise : second;
      return (found ?? first.otherwise) as T;
    } catch (error) {
      if (error instanceof FetchError && first.otherwise !== undefined) return first.otherwise;
      throw error;
    }
  }

  async #follow(first: URL): Promise<PublicResponse> {
    for (let url = first; ; this.#countRedirect()) {
      const response = await this.#request(url);
      this.#cookies.keep(url, response.headers);
      const location = redirectOf(response);
      if (location === null) return this.#opened(url, response);
      const next = URL.parse(location, url.href);
      if (next === null)
        throw new FetchError("The page redirects to an invalid URL.", { lasting: "redirects" });
      url = next;
    }
  }

  async #request(url: URL): Promise<Response> {
    try {
      return await request(url, this.#limits, this.#network, this.#signal, this.#cookies);
    } catch (error) {
      throw asFetchError(error);
    }
  }

  #countRedirect(): void {
    if (this.#redirects-- <= 0)
      throw new FetchError("The page redirects too often.", { lasting: "redirects" });
  }

  #opened(url: URL, response: Response): PublicResponse {
    const { status, headers } = response;
    return {
      ...{ url, status, headers, contentType: headers.get("content-type") ?? "" },
      body: () => beginningOf(response, this.#limits.maxBytes, this.#signal),
    };
  }
}

function redirectOf({ status, headers }: Response): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get("location") : null;
}

async function request(
  url: URL,
  { accept, languages, usualPorts = false }: FetchLimits,
  network: Network,
  signal: AbortSignal,
  cookies: CookieJar,
): Promise<Response> {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchError("Only http and https are fetched.", { lasting: "not-public" });
  if (usualPorts && url.port !== "")
    throw new FetchError("Only the usual ports of web sites are asked.", { lasting: "not-public" });
  const addresses = await publicAddresses(url, network, signal);
  const cookie = cookies.headerFor(url);
  let failure: unknown;
  for (const address of addresses.slice(0, ADDRESSES_TRIED)) {
    try {
      return await network.fetch(urlAt(url, address), {
        headers: {
          host: url.host,
          accept,
          "accept-encoding": "gzip",
          ...(languages !== undefined && { "accept-language": languages }),
          ...(cookie !== undefined && { cookie }),
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
  if (addresses.length === 0)
    throw new FetchError("The host has no public address.", { lasting: "not-public" });
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

async function* beginningOf(
  response: Response,
  max: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  try {
    for (let left = max; reader !== undefined && left > 0; ) {
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) return;
      yield value.subarray(0, left);
      left -= value.length;
    }
  } catch (error) {
    throw asFetchError(error);
  }
}

/** Waits for something that cannot be aborted itself. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
