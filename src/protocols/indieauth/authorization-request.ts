import type { AssistantScope } from "../../accounts/scope.ts";
import { type Assistant, type AssistantProblem, findAssistant } from "./assistant.ts";
import { type FetchClient, isAllowedRedirect, parseClientId, parseRedirectUri } from "./client-url.ts";
import { isAssistantResource } from "./protected-resource.ts";

/** The scopes that a program may request: those of Micropub, and `profile` for the account's name. */
export const INDIEAUTH_SCOPES = ["create", "update", "delete", "media", "draft", "profile"] as const;
export type IndieAuthScope = (typeof INDIEAUTH_SCOPES)[number];

/** A valid authorization request of a program. */
export interface AuthorizationRequest {
  readonly client: URL;
  /** The id exactly as it was sent. */
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly scopes: readonly (IndieAuthScope | AssistantScope)[];
  /** Set for a token that is for `/mcp` alone. */
  readonly assistant?: Assistant;
}

/** Who may ask for access to a server. */
export interface Audience {
  /** The origin of the server. */
  readonly origin: string;
  /** Whether programs for Micropub may. */
  readonly programs: boolean;
  /** What assistants may ask for; nothing where there are none. */
  readonly assistants: readonly AssistantScope[];
  readonly fetchClient: FetchClient;
}

/** An invalid request: shown as an error page, or sent back to the program if its redirect URI is valid. */
export type InvalidAuthorization =
  | { readonly problem: "client" | "redirectForm" | "redirect" | AssistantProblem }
  | {
      readonly error: string;
      readonly description: string;
      readonly redirectUri: string;
      readonly state: string | undefined;
    };

const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const STATE_MAX = 2_000;

/**
 * Parses the parameters of an authorization request, from the query or from the consent form.
 * @param get returns all values of a parameter; a repeated one is an error (RFC 6749, section 3.1)
 */
export async function parseAuthorizationRequest(
  get: (name: string) => readonly string[],
  { origin, programs, assistants, fetchClient }: Audience,
): Promise<AuthorizationRequest | InvalidAuthorization> {
  const [clientId = "", ...otherClients] = get("client_id");
  const client = otherClients.length === 0 ? parseClientId(clientId) : undefined;
  if (client === undefined) return { problem: "client" };
  const [redirectUri = "", ...otherUris] = get("redirect_uri");
  const redirect = otherUris.length === 0 ? parseRedirectUri(redirectUri) : undefined;
  if (redirect === undefined) return { problem: "redirectForm" };
  const resources = get("resource");
  const isForAssistants =
    assistants.length > 0 &&
    resources.length > 0 &&
    resources.every((one) => isAssistantResource(one, origin));
  const assistant = isForAssistants
    ? await findAssistant(client, clientId, redirectUri, fetchClient)
    : undefined;
  if (typeof assistant === "string") return { problem: assistant };
  if (assistant === undefined && !(await isAllowedRedirect(client, redirect, redirectUri, fetchClient)))
    return { problem: "redirect" };
  const [state] = get("state");
  const bad = (error: string, description: string) => ({ error, description, redirectUri, state });
  const repeated = ["state", "response_type", "code_challenge", "code_challenge_method", "scope"].find(
    (name) => get(name).length > 1,
  );
  if (repeated !== undefined) return bad("invalid_request", `${repeated} is given twice.`);
  if (state !== undefined && state.length > STATE_MAX) return bad("invalid_request", "state is too long.");
  // A token for another server, whatever that one has told the program, is not ours to give.
  if (assistant === undefined && (resources.length > 0 || !programs))
    return bad("invalid_target", "resource is not the address that this site has for assistants.");
  if (get("response_type")[0] !== "code")
    return bad("unsupported_response_type", "response_type must be code.");
  const [challenge = ""] = get("code_challenge");
  if (get("code_challenge_method")[0] !== "S256" || !CHALLENGE.test(challenge))
    return bad("invalid_request", "PKCE is required: code_challenge, with code_challenge_method=S256.");
  const scope = get("scope")[0] ?? "";
  const request = { client, clientId, redirectUri, state, challenge };
  return assistant === undefined
    ? { ...request, scopes: parseScopes(scope) }
    : { ...request, assistant, scopes: parseAssistantScopes(scope, assistants) };
}

export function isInvalidAuthorization(
  request: AuthorizationRequest | InvalidAuthorization,
): request is InvalidAuthorization {
  return "problem" in request || "error" in request;
}

/** The host, or the scheme of an app, to which a program returns, if that is not its own host. */
export function otherTargetOf({
  client,
  redirectUri,
}: Pick<AuthorizationRequest, "client" | "redirectUri">): string | undefined {
  const target = new URL(redirectUri);
  return target.host === client.host ? undefined : target.host || target.protocol;
}

/** The known scopes of a list; unknown ones are ignored. `undelete` is part of `delete`. */
export function parseScopes(text: string): IndieAuthScope[] {
  const words = new Set(text.split(" ").map((word) => (word === "undelete" ? "delete" : word)));
  return INDIEAUTH_SCOPES.filter((scope) => words.has(scope));
}

/** What an assistant asks for, of what it may; all of that when it names nothing that is known here. */
function parseAssistantScopes(text: string, all: readonly AssistantScope[]): readonly AssistantScope[] {
  const words = new Set(text.split(" "));
  const asked = all.filter((scope) => words.has(scope));
  return asked.length > 0 ? asked : all;
}

/** The redirect URI exactly as sent, with the parameters of the response appended. */
export function callbackUrl(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}

/** The issuer identifier (RFC 9207): protects programs that use several servers against mix-up attacks. */
export function issuerUrl(origin: string): string {
  return `${origin}/`;
}
