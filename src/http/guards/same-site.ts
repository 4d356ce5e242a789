import { Refusal } from "../../errors.ts";
import type { Client } from "../client.ts";
import type { Cors } from "./cors.ts";

/**
 * Refuses a request that a page of another site made a browser send: the cookie that comes with it is not
 * the page's to use. Programs that are no browsers send neither header and are let through.
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

/** 403 for what a page of another site makes a browser send. */
export function crossSite(): Refusal {
  return new Refusal("forbidden", "A page of another site may not write with your session.");
}

/** Whether an origin is this server's, as the client names it; a port that the scheme implies may be left out. */
function isOwn(origin: string, client: Client): boolean {
  const url = URL.parse(origin);
  if (url === null) return false;
  return origin === client.origin || url.host === URL.parse(`${url.protocol}//${client.host}`)?.host;
}
