import type { Awaitable } from "../awaitable.ts";
import type { StampedRequest } from "../database/request-stamp.ts";
import { Refusal } from "../errors.ts";
import type { Client } from "./client/client.ts";

const BEARER = 'Bearer realm="commonplace"';
const TOKEN = 'Token realm="commonplace"';

/** The sender of a request. */
export interface Caller {
  /** The owner of its idempotency keys: `anonymous`, or `account:` and the id. */
  readonly key: string;
  readonly account?: { readonly id: number; readonly username: string; readonly displayName: string };
  /** How it authenticated. Browsers send the cookie of a session with requests of any site. */
  readonly by?: "token" | "session";
  /** The id of the token in the request. */
  readonly tokenId?: number;
  /** Its scopes (`accounts/scope.ts`). */
  readonly scopes: ReadonlySet<string>;
}

/** A caller without credentials. */
export const ANONYMOUS: Caller = { key: "anonymous", scopes: new Set() };

/** A request, and the client that has sent it. */
export interface SentByClient {
  readonly request: Request;
  readonly client: Client;
}

/** Authenticates requests by token or session. */
export interface Authenticator {
  /**
   * @param takesAssistants whether tokens that were given to assistants are valid here
   * @throws Refusal `unauthenticated` for a token that is wrong, expired or revoked, `forbidden` for one that is not valid here
   */
  authenticate(sent: StampedRequest & SentByClient, takesAssistants?: boolean): Awaitable<Caller>;
  /** For pages, where only people count: a token is like no credentials. */
  authenticatePerson(sent: SentByClient): Awaitable<Caller>;
}

/** Access rule of an operation. */
export interface Access {
  /** The required scope; when absent, any authenticated caller is allowed. */
  readonly scope?: string;
  /** Additional required scopes, for an operation that changes several kinds of records. */
  readonly alsoScopes?: readonly string[];
  /** Whether only a person signed in in a browser is allowed: a token must not make keys that outlive it. */
  readonly person?: boolean;
  /** Whether anonymous callers are allowed, too. */
  readonly anonymous: boolean;
}

/** An access rule that can change while the server runs. */
export interface AccessPolicy {
  /** @throws Refusal `forbidden` if it is not allowed for this request, whatever the caller */
  current(asked: StampedRequest): Awaitable<Access>;
  /** The rule in the OpenAPI document. */
  readonly documented: Access;
}

/** Who may call an operation now. */
export function currentAccess(access: Access | AccessPolicy, asked: StampedRequest): Awaitable<Access> {
  return "current" in access ? access.current(asked) : access;
}

/** The access rule of an operation for the OpenAPI document. */
export function documentedAccess(access: Access | AccessPolicy | undefined): Access | undefined {
  return access !== undefined && "documented" in access ? access.documented : access;
}

/** Whether caches may share the responses of an operation, judged by its access rule alone. */
export function cachingFor(access: Access | undefined): "public" | "private" {
  return access === undefined || access.anonymous ? "public" : "private";
}

/**
 * Checks a caller against an access rule.
 * @throws Refusal `unauthenticated` (401) or `forbidden` (403)
 */
export function authorize(caller: Caller, access: Access): void {
  const refusal = refusalFor(caller, access);
  if (refusal !== undefined) throw refusal;
}

/** Whether a caller passes an access rule. */
export function isAllowed(caller: Caller, access: Access): boolean {
  return refusalFor(caller, access) === undefined;
}

function refusalFor(
  caller: Caller,
  { scope, alsoScopes = [], person, anonymous }: Access,
): Refusal | undefined {
  if (anonymous) return undefined;
  if (caller.account === undefined) return unauthenticated();
  const required = scope === undefined ? [] : [scope, ...alsoScopes];
  const missing = required.find((one) => !caller.scopes.has(one));
  if (missing !== undefined)
    return new Refusal("forbidden", `This token lacks the scope ${missing}.`, {
      headers: {
        "www-authenticate": `${BEARER}, error="insufficient_scope", scope="${required.join(" ")}"`,
      },
    });
  if (person && caller.by !== "session")
    return new Refusal("forbidden", "Only a person who is signed in in a browser can do this, not a token.");
  return undefined;
}

const HOW_TO_GET_IN =
  "Sign in first: POST /api/token/ with username and password gives a token for the Authorization header. " +
  "To create an account, run: commonplace account add NAME.";

/** 401 for a request without credentials. The default detail explains how to get a token. */
export function unauthenticated(detail = HOW_TO_GET_IN): Refusal {
  return new Refusal("unauthenticated", detail, { headers: { "www-authenticate": `${BEARER}, ${TOKEN}` } });
}

/** 401 for a token that is wrong, expired or revoked (RFC 6750, section 3.1). */
export function invalidToken(): Refusal {
  return new Refusal(
    "unauthenticated",
    "The token is invalid, expired or revoked. Get a new one from POST /api/token/ with username and password.",
    { headers: { "www-authenticate": `${BEARER}, error="invalid_token", ${TOKEN}` } },
  );
}

/** The token that a request sends, if any. Other schemes, such as the Basic of a proxy in front, are ignored. */
export function tokenOf(request: Request): string | undefined {
  const found = /^(?:token|bearer)(?: +(.*))?$/is.exec(request.headers.get("authorization") ?? "");
  return found === null ? undefined : (found[1]?.trim() ?? "");
}
