import { createHash, randomBytes } from "node:crypto";
import type { Client } from "../../http/client/client.ts";

/** How long a session may last. */
export interface SessionLimits {
  /** Milliseconds without a request after which a session ends. */
  readonly idle: number;
  /** Milliseconds after signing in when it ends in any case. */
  readonly max: number;
}

/** Whether a session has expired. @param now in milliseconds since 1970 */
export function hasEnded(
  session: { readonly createdAt: Date; readonly lastSeenAt: Date },
  limits: SessionLimits,
  now: number,
): boolean {
  const { createdAt, lastSeenAt } = session;
  return now - lastSeenAt.getTime() >= limits.idle || now - createdAt.getTime() >= limits.max;
}

/** The cookie's name; over TLS the prefix makes browsers refuse it from anyone but this host (RFC 6265bis). */
export function cookieName(scheme: Client["scheme"]): string {
  return scheme === "https" ? "__Host-commonplace_session" : "commonplace_session";
}

/** The value of a new session's cookie: 256 random bits. */
export function newSessionKey(): string {
  return randomBytes(32).toString("base64url");
}

/** The stored form of a session; the cookie's value itself is not stored. */
export function hashOfSession(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/**
 * The session in a request's cookie, if any. Two cookies of that name count as none: the server sets only one, so
 * the other was planted, for example by another host of the domain, and they are indistinguishable.
 */
export function sessionKeyOf(request: Request, scheme: Client["scheme"]): string | undefined {
  const header = request.headers.get("cookie");
  if (header === null) return undefined;
  const start = `${cookieName(scheme)}=`;
  const pairs = header.split(";").filter((part) => part.trimStart().startsWith(start));
  return pairs.length === 1 ? pairs[0]?.trim().slice(start.length) || undefined : undefined;
}

/** `Set-Cookie` for a new session. The cookie lives as long as a session can; the server may end it earlier. */
export function setCookie(scheme: Client["scheme"], key: string, maxAgeSeconds: number): string {
  return `${cookieName(scheme)}=${key}; Max-Age=${maxAgeSeconds}; ${attributes(scheme)}`;
}

/** `Set-Cookie` that deletes the cookie. */
export function clearCookie(scheme: Client["scheme"]): string {
  return `${cookieName(scheme)}=; Max-Age=0; ${attributes(scheme)}`;
}

function attributes(scheme: Client["scheme"]): string {
  return `Path=/; HttpOnly; SameSite=Lax${scheme === "https" ? "; Secure" : ""}`;
}
