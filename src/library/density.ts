import { cookieValue } from "../web/cookies.ts";
import type { LibraryCall } from "./library-query.ts";

const COOKIE = "commonplace_density";
/** As long as browsers keep a cookie, in seconds. */
const MAX_AGE = 400 * 24 * 60 * 60;

/** The views of a list, the default first: links with their notes, or in one line each. */
export const DENSITIES = ["full", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

/** The density that the address asks for, or else the one that this browser asked for last. */
export function densityOf({ query: { view }, request }: LibraryCall): Density {
  return known(view) ?? remembered(request);
}

/** `Set-Cookie` that remembers the density of the address in this browser, if it is another one than before. */
export function densityCookies({ query: { view }, request, client }: LibraryCall): readonly string[] {
  if (known(view) === undefined || view === remembered(request)) return [];
  const secure = client.scheme === "https" ? "; Secure" : "";
  return [`${COOKIE}=${view}; Max-Age=${MAX_AGE}; Path=/library; HttpOnly; SameSite=Lax${secure}`];
}

function remembered(request: Request): Density {
  return known(cookieValue(request, COOKIE)) ?? DENSITIES[0];
}

function known(view: string | undefined): Density | undefined {
  return DENSITIES.find((one) => one === view);
}
