import { cookieValue } from "../web/cookies.ts";
import type { LibraryCall } from "./library-query.ts";

const COOKIE = "commonplace_density";
/** As long as browsers keep a cookie, in seconds. */
const MAX_AGE = 400 * 24 * 60 * 60;

/** How close to each other links stand: in one line each, or with their notes. */
export type Density = "compact" | "full";

/** The density that the address asks for, or else the one that this browser asked for last. */
export function densityOf({ query: { view }, request }: LibraryCall): Density {
  return isDensity(view) ? view : remembered(request);
}

/** `Set-Cookie` that remembers the density of the address in this browser, if it is another one than before. */
export function densityCookies({ query: { view }, request, client }: LibraryCall): readonly string[] {
  if (!isDensity(view) || view === remembered(request)) return [];
  const secure = client.scheme === "https" ? "; Secure" : "";
  return [`${COOKIE}=${view}; Max-Age=${MAX_AGE}; Path=/library; HttpOnly; SameSite=Lax${secure}`];
}

function remembered(request: Request): Density {
  return cookieValue(request, COOKIE) === "compact" ? "compact" : "full";
}

function isDensity(view: string | undefined): view is Density {
  return view === "compact" || view === "full";
}
