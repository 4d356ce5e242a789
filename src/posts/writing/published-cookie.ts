import type { Client } from "../../http/client/client.ts";
import { cookieValue } from "../../web/cookies.ts";

const COOKIE = "commonplace_published";
/** How long the Back button is expected to lead to the editor of a published text, in seconds. */
const MAX_AGE = 24 * 60 * 60;

/** `Set-Cookie` that records, for the address of a published text, which post it has become. */
export function publishedCookie(key: string, post: number, scheme: Client["scheme"]): string {
  const secure = scheme === "https" ? "; Secure" : "";
  return `${COOKIE}=${post}; Max-Age=${MAX_AGE}; Path=/write/${key}; HttpOnly; SameSite=Lax${secure}`;
}

/** The post that the text at this address has become; undefined if it is not known. */
export function publishedAs(request: Request): string | undefined {
  const value = cookieValue(request, COOKIE) ?? "";
  return /^\d{1,15}$/.test(value) ? value : undefined;
}
