import { Refusal } from "../../errors.ts";
import type { Client } from "../client/client.ts";
import type { Cors } from "./cors.ts";

/**
 * Refuses a cross-site request with a session's cookie. Clients that are no browsers send neither header and pass.
 *
 * @throws Refusal `forbidden`
 */
export function refuseCrossSite(request: Request, client: Client, cors: Cors): void {
  const origin = request.headers.get("origin");
  if (origin !== null && cors.trusts(origin)) return;
  const site = request.headers.get("sec-fetch-site");
  const own =
    site === null ? origin === null || isOwn(origin, client) : site === "same-origin" || site === "none";
  if (!own) throw crossSite();
}

/**
 * Refuses a form that a page of another site sent, whoever the caller is: a page may send forms anywhere without
 * asking first, and a server without accounts would obey. Every browser says where a form comes from.
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
