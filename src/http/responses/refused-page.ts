import type { Refusal } from "../../errors.ts";
import type { ProtocolRefusals, RefusalWriter, RefusedRequest } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import { internalProblem, problemOf } from "../problems.ts";

/** How requests are refused whose paths have no route. */
interface Unrouted {
  readonly notFoundPage?: RefusalWriter | undefined;
  readonly protocolRefusals?: ProtocolRefusals | undefined;
}

/**
 * The writer of a refusal that is not a problem document: the requested page or protocol; where nothing is, the 404 page
 * for clients that accept HTML, and the protocol to whose paths the path belongs.
 */
export function refusalWriterFor(
  { request, match, path }: Exchange,
  { notFoundPage, protocolRefusals = {} }: Unrouted,
): RefusalWriter | undefined {
  if (match === undefined) {
    if (wantsHtml(request) && notFoundPage !== undefined) return notFoundPage;
    return Object.entries(protocolRefusals).find(([beginning]) => path.startsWith(beginning))?.[1];
  }
  const { resource } = match.route;
  const asked = resource[request.method === "HEAD" ? "GET" : (request.method as "GET")];
  if (asked !== undefined) return asked.kind === "api" ? undefined : asked.refuse;
  // Only programs use other methods: their paths such as /bookmarks/.. lead to a page.
  const isOfBrowsers = ["GET", "HEAD", "POST"].includes(request.method);
  for (const operation of Object.values(resource))
    if (operation.kind === "protocol" || (operation.kind === "page" && isOfBrowsers)) return operation.refuse;
  return undefined;
}

/** The details of a refused request. */
export function refusedRequest(exchange: Exchange, refusal: Refusal | undefined): RefusedRequest {
  const { request, requestId, path, search, match, client, caller, fields } = exchange;
  return {
    request,
    path,
    search,
    refusal,
    problem: refusal ? problemOf(refusal) : internalProblem(requestId),
    client,
    caller,
    pathParams: match?.params ?? {},
    fields,
  };
}

/** Whether `Accept` names HTML; wildcards do not count. */
function wantsHtml(request: Request): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*[,;]|$))/i.test(request.headers.get("accept") ?? "");
}
