/** Response headers that a page of another origin may read. */
const EXPOSED = [
  ...["ETag", "Link", "Location", "Content-Location", "Retry-After", "X-Total-Count", "Search-Matches"],
  ...["Search-Behind", "X-Request-Id", "Idempotency-Replayed", "RateLimit", "RateLimit-Policy"],
].join(", ");

/** Request headers that mean something here. */
const KNOWN = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id";

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

  /** Whether a page of this origin may use the server; `*` lets any, but none with credentials. */
  allows(origin: string): boolean {
    return this.#origins.has(origin) || this.#origins.has("*");
  }

  /** Whether an origin is named in the setting: its pages may write with a session. `*` names none. */
  trusts(origin: string): boolean {
    return this.#origins.has(origin) && origin !== "*";
  }

  /** Headers for an answer to a page of another origin. */
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

  /** Whether a browser asks on behalf of a page of an allowed origin what the page may send. */
  isPreflight({ method, headers }: Request): boolean {
    if (method !== "OPTIONS" || !headers.has("access-control-request-method")) return false;
    const origin = headers.get("origin");
    return origin !== null && this.allows(origin);
  }

  /** Headers for the answer to a preflight; undefined when the request is none, or not from an allowed origin. */
  preflightHeaders(request: Request, methods: string): Record<string, string> | undefined {
    if (!this.isPreflight(request)) return undefined;
    return {
      "access-control-allow-methods": methods,
      "access-control-allow-headers": allowedHeaders(request),
      "access-control-max-age": "600",
    };
  }
}

/** Those that mean something, and whatever else the page's libraries add: it means nothing here, and does no harm. */
function allowedHeaders(preflight: Request): string {
  const asked = preflight.headers.get("access-control-request-headers") ?? "";
  return NAMES.test(asked) ? `${KNOWN}, ${asked}` : KNOWN;
}
