import type { ProtocolRefusals, Resource, Routes } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";

/** Response headers that a page of another origin may read. */
const EXPOSED = [
  ...["ETag", "Link", "Location", "Content-Location", "Retry-After", "X-Total-Count", "Search-Matches"],
  ...["Search-Behind", "X-Request-Id", "Idempotency-Replayed", "RateLimit", "RateLimit-Policy"],
].join(", ");

/** Request headers that this server uses. */
const KNOWN = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id";

/** What a preflight allows where nothing is: any request may learn that. */
const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/** A list of header names (RFC 9110, section 5.1). */
const NAMES = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;

/** Cross-origin resource sharing (Fetch standard, section 3.2) for the origins of CORS_ORIGINS; off when empty. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  get enabled(): boolean {
    return this.#origins.size > 0;
  }

  /** Whether pages of this origin may read responses; `*` allows any, without credentials. */
  allows(origin: string): boolean {
    return this.#origins.has(origin) || this.#origins.has("*");
  }

  /** Whether the setting lists the origin itself: its pages may write with a session. `*` lists none. */
  trusts(origin: string): boolean {
    return this.#origins.has(origin) && origin !== "*";
  }

  /** Headers for a response to a page of another origin. */
  headersFor(request: Request): Record<string, string> | undefined {
    const origin = request.headers.get("origin");
    if (origin === null || !this.allows(origin)) return undefined;
    const shared = { "access-control-expose-headers": EXPOSED };
    if (!this.trusts(origin)) return { ...shared, "access-control-allow-origin": "*" };
    return {
      ...shared,
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
    };
  }

  /** Whether a request is a preflight from an allowed origin. */
  isPreflight({ method, headers }: Request): boolean {
    if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return false;
    const origin = headers.get("origin");
    return origin !== null && this.allows(origin);
  }

  /** Headers for the response to a preflight; undefined when the request is not a preflight, or its origin is not allowed. */
  preflightHeaders(request: Request, methods = METHODS): Record<string, string> | undefined {
    if (!this.isPreflight(request)) return undefined;
    return {
      "access-control-allow-methods": methods,
      "access-control-allow-headers": allowedHeaders(request),
      "access-control-max-age": "600",
    };
  }
}

/** The headers in use, and any others that the page's libraries add: they are ignored and harmless. */
function allowedHeaders(preflight: Request): string {
  const asked = preflight.headers.get("access-control-request-headers") ?? "";
  return NAMES.test(asked) ? `${KNOWN}, ${asked}` : KNOWN;
}

const ANY_ORIGIN = new Cors(["*"]);

/** The CORS rules of each operation: those of CORS_ORIGINS, or any origin where the contract says so. */
export class OperationCors {
  readonly #configured: Cors;
  /** Resources with an operation that pages of any origin may call. */
  readonly #open = new Set<Resource>();
  /** The beginnings of the paths of protocols that have such resources. */
  readonly #openBeginnings: readonly string[];

  constructor(routes: Routes, configured: Cors, protocolRefusals: ProtocolRefusals = {}) {
    this.#configured = configured;
    const openPaths: string[] = [];
    for (const [path, resource] of Object.entries(routes)) {
      if (!Object.values(resource).some(({ contract }) => contract.anyOrigin)) continue;
      this.#open.add(resource);
      openPaths.push(path);
    }
    this.#openBeginnings = Object.keys(protocolRefusals).filter((beginning) =>
      openPaths.some((path) => path.startsWith(beginning)),
    );
  }

  of({ match, path, operation }: Pick<Exchange, "match" | "path" | "operation">): Cors {
    if (match === undefined)
      return this.#openBeginnings.some((beginning) => path.startsWith(beginning))
        ? ANY_ORIGIN
        : this.#configured;
    if (!this.#open.has(match.route.resource)) return this.#configured;
    // OPTIONS and a 405 only name the methods.
    return operation === undefined || operation.contract.anyOrigin ? ANY_ORIGIN : this.#configured;
  }
}
