import { createHash } from "node:crypto";
import { BlockList, isIP } from "node:net";
import { isPublicAddress } from "../../outbound/public-address.ts";
import { normalizeIp } from "./address.ts";

/** The client of a request, as far as its headers can be trusted. */
export interface Client {
  /** Its address: the peer's, or the one reported by a trusted proxy. */
  readonly address: string;
  /** `https` when a trusted proxy says so, or when PUBLIC_URL does. */
  readonly scheme: "http" | "https";
  /** The requested host; checked by `guards/hosts.ts` before anything uses it. */
  readonly host: string | null;
  /** The origin that links to this server are built from. */
  readonly origin: string;
  /**
   * What the origin adds to the entity tag of a response with absolute links: if a proxy's headers determine the origin, two
   * clients may read different bytes at one URL.
   */
  readonly originParts: readonly string[];
}

/** The peer of a connection. */
export interface Peer {
  /** Its address; looked up on demand, since only some requests need it. */
  address(): string;
  /** Whether the server is shutting down: the response is then the last on its connection. */
  readonly ending?: boolean;
  /** Does work that may take longer than a connection may be idle. */
  withoutIdleTimeout?<T>(work: () => Promise<T>): Promise<T>;
}

/** What stands for the address of a peer on a Unix socket, which has none. */
const SOCKET_PEER = "unix";

interface ClientsOptions {
  /** Whether only proxies can connect, as to a Unix socket. */
  readonly trustsEveryPeer?: boolean;
  /** Called once, when a proxy on this machine or network is not trusted. */
  readonly onUntrusted?: (proxy: string) => void;
}

/** Determines the client of a request, using forwarding headers of trusted proxies only. */
export class Clients {
  readonly #trusted = new BlockList();
  readonly #trustsAny: boolean;
  readonly #publicUrl: string | undefined;
  readonly #trustsEveryPeer: boolean;
  #onUntrusted: ((proxy: string) => void) | undefined;

  /** @param trusted addresses and CIDR blocks of proxies */
  constructor(
    trusted: readonly string[],
    publicUrl: string | undefined,
    { trustsEveryPeer = false, onUntrusted }: ClientsOptions = {},
  ) {
    this.#onUntrusted = onUntrusted;
    for (const block of trusted) this.#trust(block);
    this.#trustsAny = trusted.length > 0;
    this.#publicUrl = publicUrl;
    this.#trustsEveryPeer = trustsEveryPeer;
  }

  of(request: Request, peer: Peer): Client {
    if (this.#trustsEveryPeer) return this.#behindProxy(request, SOCKET_PEER);
    if (this.#trustsAny) {
      const proxy = normalizeIp(peer.address());
      if (proxy !== undefined && this.#isTrusted(proxy)) return this.#behindProxy(request, proxy);
    }
    if (this.#onUntrusted !== undefined && request.headers.has("x-forwarded-for"))
      this.#reportProxy(normalizeIp(peer.address()));
    return new DirectClient(request, peer, this.#publicUrl);
  }

  /** Only a proxy nearby is reported: anybody else may send this header, too, and it proves nothing. */
  #reportProxy(address: string | undefined): void {
    if (address === undefined || isPublicAddress(address)) return;
    this.#onUntrusted?.(address);
    this.#onUntrusted = undefined;
  }

  #behindProxy(request: Request, proxy: string): Client {
    const { headers } = request;
    const host = lastOf(headers.get("x-forwarded-host")) ?? requestHost(request);
    const secure = lastOf(headers.get("x-forwarded-proto"))?.toLowerCase() === "https";
    const scheme = secure || this.#publicUrl?.startsWith("https:") ? "https" : "http";
    const origin = this.#publicUrl ?? `${scheme}://${host}`;
    return {
      address: this.#nearestUntrusted(headers.get("x-forwarded-for"), proxy),
      scheme,
      host,
      origin,
      originParts: this.#publicUrl === undefined ? [digestOf(origin)] : [],
    };
  }

  /** The last hop that is not a trusted proxy. Earlier entries, or those before an invalid one, cannot be trusted. */
  #nearestUntrusted(forwardedFor: string | null, proxy: string): string {
    let nearest = proxy;
    for (const hop of (forwardedFor ?? "").split(",").reverse()) {
      const address = normalizeIp(hop.trim());
      if (address === undefined) return nearest;
      nearest = address;
      if (!this.#isTrusted(address)) return nearest;
    }
    return nearest;
  }

  #isTrusted(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#trusted.check(address, family === 6 ? "ipv6" : "ipv4");
  }

  #trust(block: string): void {
    const [given = "", bits] = block.split("/");
    const address = bits === undefined ? (normalizeIp(given) ?? given) : given;
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) this.#trusted.addAddress(address, family);
    else this.#trusted.addSubnet(address, Number(bits), family);
  }
}

function digestOf(origin: string): string {
  return createHash("sha256").update(origin).digest("base64url").slice(0, 11);
}

/** A client without a proxy; its properties are computed on demand. */
class DirectClient implements Client {
  readonly originParts: readonly string[] = [];
  readonly #request: Request;
  readonly #peer: Peer;
  readonly #publicUrl: string | undefined;
  #address: string | undefined;

  constructor(request: Request, peer: Peer, publicUrl: string | undefined) {
    this.#request = request;
    this.#peer = peer;
    this.#publicUrl = publicUrl;
  }

  /** Looked up once: that costs as much as a fifth of answering without it. */
  get address(): string {
    if (this.#address === undefined) {
      const address = this.#peer.address();
      this.#address = normalizeIp(address) ?? address;
    }
    return this.#address;
  }

  get scheme(): "http" | "https" {
    return this.#publicUrl?.startsWith("https:") ? "https" : "http";
  }

  get host(): string | null {
    return requestHost(this.#request);
  }

  get origin(): string {
    return this.#publicUrl ?? `http://${this.host}`;
  }
}

/** The Host header; a request made in process has it only in its URL. */
export function requestHost(request: Request): string | null {
  return request.headers.get("host") ?? /^https?:\/\/([^/?#]*)/.exec(request.url)?.[1] ?? null;
}

/** The last value of a list header, added by the nearest proxy. */
function lastOf(header: string | null): string | undefined {
  return header?.split(",").at(-1)?.trim() || undefined;
}
