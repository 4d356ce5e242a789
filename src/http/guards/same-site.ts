import { Refusal } from "../../errors.ts";
import type { Client } from "../client/client.ts";
import type { Cors } from "./cors.ts";

/**
 * Refuses a cross-site request with a session's cookie. Clients other than browsers send neither header and pass.
 *
 * @throws Refusal `forbidden`
 */
export function refuseCrossSite(request: Request, client: Client, cors: Cors): void {
  const origin = request.headers.get("origin");
  if (origin !== null && cors.trusts(origin)) return;
  if (!isOfOwnPage(request, client)) throw crossSite();
}

/**
 * Refuses a request without credentials that a page of another site sends and no preflight has asked for, as for a form, or for
 * a request without a body: where nobody has an account, a server would do what it says.
 *
 * @throws Refusal `forbidden`
 */
export function refuseUnasked(request: Request, client: Client, cors: Cors): void {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";", 1);
  if (!UNASKED.has(type.trim().toLowerCase())) return;
  const origin = request.headers.get("origin");
  if (origin !== null && cors.allows(origin)) return;
  if (!isOfOwnPage(request, client))
    throw new Refusal("forbidden", "A page of another site may not write here.");
}

/** The types of bodies that pages may send anywhere without a preflight (Fetch standard, section 2.2.2). */
const UNASKED = new Set(["", "multipart/form-data", "application/x-www-form-urlencoded", "text/plain"]);

function isOfOwnPage(request: Request, client: Client): boolean {
  const site = request.headers.get("sec-fetch-site");
  const origin = request.headers.get("origin");
  return site === null ? origin === null || isOwn(origin, client) : site === "same-origin" || site === "none";
}

/**
 * Refuses a form sent from another site, for every caller: pages may send forms anywhere without a preflight, and a
 * server without accounts would accept them. All browsers send the origin of a form.
 *
 * @throws Refusal `forbidden`
 */
export function refuseForeignForm(request: Request, client: Client): void {
  const site = request.headers.get("sec-fetch-site");
  if (site === "same-origin") return;
  const origin = request.headers.get("origin");
  const isOurs = (site === null || site === "none") && origin !== null && isOwn(origin, client);
  if (!isOurs) throw new Refusal("forbidden", "This form was not sent from a page of this site.");
}

/**
 * Refuses a request of a page of another origin where it need not read the response to do harm, such as with a token that it was
 * given. Clients other than browsers send no origin and pass.
 *
 * @throws Refusal `forbidden`
 */
export function refuseForeignOrigin(request: Request, client: Client, cors: Cors): void {
  const origin = request.headers.get("origin");
  if (origin === null || cors.allows(origin) || isOwn(origin, client)) return;
  throw new Refusal("forbidden", "Pages of this origin may not call this: CORS_ORIGINS does not list it.");
}

/** 403 for a cross-site request. */
export function crossSite(): Refusal {
  return new Refusal("forbidden", "Cross-site requests may not write with your session.");
}

/** Whether an origin is this server's, by the request's Host; a default port may be left out. */
function isOwn(origin: string, client: Client): boolean {
  const url = URL.parse(origin);
  if (url === null) return false;
  return origin === client.origin || url.host === URL.parse(`${url.protocol}//${client.host}`)?.host;
}
