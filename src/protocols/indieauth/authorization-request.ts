import { type FetchClient, mayRedirect, parseClientId, parseRedirectUri } from "./client-url.ts";

/** The scopes of Micropub that a program may ask for, and `profile`, with which it learns the account's name. */
export const INDIEAUTH_SCOPES = ["create", "update", "delete", "media", "draft", "profile"] as const;
export type IndieAuthScope = (typeof INDIEAUTH_SCOPES)[number];

/** What a program asks of the person at the authorization page. */
export interface AuthorizationRequest {
  readonly client: URL;
  /** As it was sent. */
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly scopes: readonly IndieAuthScope[];
}

/** A request that is granted to nobody: an error page when it cannot be sent back to a program, else where to. */
export type BadRequest =
  | { readonly problem: "client" | "redirect" }
  | {
      readonly error: string;
      readonly description: string;
      readonly redirectUri: string;
      readonly state: string | undefined;
    };

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const STATE_MAX = 2_000;

/**
 * Reads the parameters of an authorization request, from the query or from the consent form.
 * @param get all values of a parameter; one that is given twice is an error (RFC 6749, section 3.1)
 */
export async function readRequest(
  get: (name: string) => readonly string[],
  fetch: FetchClient,
): Promise<AuthorizationRequest | BadRequest> {
  const [clientId = "", ...otherClients] = get("client_id");
  const client = otherClients.length === 0 ? parseClientId(clientId) : undefined;
  if (client === undefined) return { problem: "client" };
  const [redirectUri = "", ...otherUris] = get("redirect_uri");
  const redirect = otherUris.length === 0 ? parseRedirectUri(redirectUri) : undefined;
  if (redirect === undefined || !(await mayRedirect(client, redirect, redirectUri, fetch)))
    return { problem: "redirect" };
  const [state] = get("state");
  const bad = (error: string, description: string) => ({ error, description, redirectUri, state });
  const repeated = ["state", "response_type", "code_challenge", "code_challenge_method", "scope"].find(
    (name) => get(name).length > 1,
  );
  if (repeated !== undefined) return bad("invalid_request", `${repeated} is given twice.`);
  if (state !== undefined && state.length > STATE_MAX) return bad("invalid_request", "state is too long.");
  if (get("response_type")[0] !== "code") return bad("unsupported_response_type", "response_type is code.");
  const [challenge = ""] = get("code_challenge");
  if (get("code_challenge_method")[0] !== "S256" || !CHALLENGE.test(challenge))
    return bad("invalid_request", "PKCE is required: code_challenge, with code_challenge_method=S256.");
  return { client, clientId, redirectUri, state, challenge, scopes: scopesIn(get("scope")[0] ?? "") };
}

export function isBadRequest(request: AuthorizationRequest | BadRequest): request is BadRequest {
  return "problem" in request || "error" in request;
}

/** The scopes of a list that there are; others are not granted. `undelete` is a part of `delete`. */
export function scopesIn(text: string): IndieAuthScope[] {
  const words = new Set(text.split(" ").map((word) => (word === "undelete" ? "delete" : word)));
  return INDIEAUTH_SCOPES.filter((scope) => words.has(scope));
}

/** Where the browser goes with an answer: the program's own URL as it was sent, with parameters behind it. */
export function answerUrl(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}

/** Who gives the answer (RFC 9207): a program that knows several servers is not mixed up. */
export function issuerOf(origin: string): string {
  return `${origin}/`;
}
