import { FetchError } from "../../outbound/fetch-public.ts";
import { isReadable } from "../../text.ts";
import { type FetchClient, isJson, isListed, isLoopbackHost, type RedirectUris } from "./client-url.ts";

/** The longest name that an assistant gets from its document, in characters. */
const NAME_MAX = 60;

/** What an assistant says of itself: nobody has checked it, its host alone is known. */
export interface Assistant {
  readonly name: string;
}

/** Why an assistant cannot be connected. */
export type AssistantProblem = "notFetched" | "noDocument" | "unlisted";

/**
 * Reads the document at the address that an assistant has as its client id (OAuth Client ID Metadata Document). Unlike a
 * program of IndieAuth, it may return only where its document says.
 *
 * @param clientId as it was sent; the document has exactly this `client_id`
 */
export async function findAssistant(
  client: URL,
  clientId: string,
  redirectUri: string,
  fetch: FetchClient,
): Promise<Assistant | AssistantProblem> {
  if (fetch === undefined) return "notFetched";
  if (client.protocol !== "https:" || client.pathname === "/" || isLoopbackHost(client)) return "noDocument";
  try {
    const page = await fetch(client);
    const found = isJson(page) ? readDocument(new TextDecoder().decode(page.bytes), clientId) : undefined;
    if (found === undefined) return "noDocument";
    return isListed(redirectUri, found.redirectUris)
      ? { name: nameFrom(found.name) ?? client.host }
      : "unlisted";
  } catch (error) {
    if (error instanceof FetchError) return "noDocument";
    throw error;
  }
}

/** @returns undefined for anything but the document of a client that works without a secret, as all of ours do */
function readDocument(
  text: string,
  clientId: string,
): { readonly name: unknown; readonly redirectUris: RedirectUris } | undefined {
  try {
    const document = JSON.parse(text) as Record<string, unknown>;
    const { client_id, client_name: name, redirect_uris: uris } = document;
    const { token_endpoint_auth_method: method = "none", token_endpoint_auth_methods_supported: others } =
      document;
    if (client_id !== clientId || !Array.isArray(uris)) return undefined;
    if (method !== "none" && !(Array.isArray(others) && others.includes("none"))) return undefined;
    return { name, redirectUris: uris.filter((uri) => typeof uri === "string") };
  } catch {
    return undefined;
  }
}

/** A name in one line, without characters that are invisible or change its direction. */
function nameFrom(said: unknown): string | undefined {
  if (typeof said !== "string") return undefined;
  const line = said.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replace(/\s+/g, " ");
  const name = [...line.trim()].slice(0, NAME_MAX).join("").trim();
  return isReadable(name) ? name : undefined;
}
