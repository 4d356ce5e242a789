/** Response headers that a page of another origin may read. */
const EXPOSED =
  "ETag, Link, Location, Content-Location, Retry-After, X-Request-Id, Idempotency-Replayed, RateLimit, RateLimit-Policy";

/** Request headers that a page of another origin may send. */
const TAKEN = "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, X-Request-Id";

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

  /** Headers for the answer to a preflight; undefined when the request is none, or not from an allowed origin. */
  preflightHeaders(request: Request, methods: string): Record<string, string> | undefined {
    const origin = request.headers.get("origin");
    if (origin === null || !this.allows(origin)) return undefined;
    if (!request.headers.has("access-control-request-method")) return undefined;
    return {
      "access-control-allow-methods": methods,
      "access-control-allow-headers": TAKEN,
      "access-control-max-age": "600",
    };
  }
}
