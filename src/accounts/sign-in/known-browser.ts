import { randomBytes } from "node:crypto";
import type { Signer } from "../../database/signer.ts";
import type { Client } from "../../http/client/client.ts";
import { cookieValue } from "../../web/cookies.ts";
import { usernameKey } from "../account.ts";

/** How long a browser is known after a sign-in, in seconds. */
const LIFETIME = 365 * 24 * 60 * 60;

/**
 * The id of a browser that has signed in to an account before, from its cookie; undefined for any other. Its failures are
 * counted on their own: nobody else can lock it out, also when all clients seem to have one address.
 */
export async function knownBrowser(
  signer: Signer,
  request: Request,
  { scheme }: Client,
  username: string,
): Promise<string | undefined> {
  const [id = "", signature = ""] = cookieValue(request, nameOf(scheme))?.split(".") ?? [];
  return id !== "" && (await signer.isSigned(signedText(id, username), signature)) ? id : undefined;
}

/** `Set-Cookie` for a browser that has signed in to an account. */
export async function knownBrowserCookie(
  signer: Signer,
  { scheme }: Client,
  username: string,
): Promise<string> {
  const id = randomBytes(16).toString("base64url");
  const value = `${id}.${await signer.sign(signedText(id, username))}`;
  const secure = scheme === "https" ? "; Secure" : "";
  return `${nameOf(scheme)}=${value}; Max-Age=${LIFETIME}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

function nameOf(scheme: Client["scheme"]): string {
  return scheme === "https" ? "__Host-commonplace_known" : "commonplace_known";
}

function signedText(id: string, username: string): string {
  return `known browser ${id} ${usernameKey(username)}`;
}
