import { RequestStamp, type Stamps } from "../database/request-stamp.ts";
import type { Refusal } from "../errors.ts";
import type { Access, Caller } from "./access.ts";
import type { FormFields } from "./body/body-decoders.ts";
import type { Client, Peer } from "./client/client.ts";
import type { Operation, RefusedRequest } from "./endpoint.ts";
import type { RequestKind } from "./guards/load-shedding.ts";
import type { Allowance } from "./guards/rate-limits.ts";
import { internalProblem, type Problem, problemOf } from "./problems.ts";
import { findOperation, type Match, type Router } from "./router.ts";

/** The ids that this process gives to requests: a beginning that no other process has, and a count. */
const prefix = crypto.randomUUID().slice(0, 8);
let count = 0;

const NO_BODY = new Uint8Array();
const NO_PARAMS: Readonly<Record<string, string>> = {};

/**
 * A request, from the socket to the answer: the dispatcher writes down here what it learns. Handlers get the same object, as
 * a `Call` (`endpoint.ts` explains its members), pages add what they show, and the writers of refusals get it as a
 * `RefusedRequest`.
 */
export class Exchange implements RefusedRequest {
  readonly request: Request;
  readonly peer: Peer;
  readonly client: Client;
  readonly requestId: string;
  /** When it began, by the monotonic clock, in milliseconds. */
  readonly started = performance.now();
  readonly path: string;
  readonly search: string;
  readonly match: Match | undefined;
  /** What is called: by path and method, or the page at a path without a route. */
  operation: Operation | undefined;
  readonly stamp: RequestStamp;
  /** The client's remaining rate limit, if requests are limited. */
  readonly allowance: Allowance | undefined;
  /** The path for the log, without the value of a parameter called `secret`. */
  readonly loggedPath: string;
  /** The client's address for the log. */
  loggedAddress: string | undefined;
  /** The kind as which it counts among the requests in progress; undefined while it does not count. */
  inProgress: RequestKind | undefined;
  caller: Caller | undefined;
  access: Access | undefined;
  mayRead = true;
  rawBody: Uint8Array = NO_BODY;
  idempotencyKey: string | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
  fields: FormFields | undefined;
  refusal: Refusal | undefined;
  /** Called at the end of its streamed response, with the number of bytes. */
  streamEnded: ((bytes: number) => void) | undefined;

  constructor(
    request: Request,
    peer: Peer,
    {
      client,
      router,
      stamps,
      allowance,
    }: Pick<Exchange, "client" | "allowance"> & { readonly router: Router; readonly stamps: Stamps },
  ) {
    this.request = request;
    this.peer = peer;
    this.client = client;
    this.requestId = requestIdOf(request);
    const { path, search } = splitUrl(request.url);
    this.path = path;
    this.search = search;
    const match = router.match(path);
    this.match = match;
    this.operation = match && findOperation(match.route.resource, request.method);
    this.stamp = new RequestStamp(stamps);
    this.allowance = allowance;
    this.loggedPath =
      match === undefined
        ? router.withoutSecret(path)
        : match.params.secret === undefined
          ? path
          : match.route.path;
  }

  get pathParams(): Readonly<Record<string, string>> {
    return this.match?.params ?? NO_PARAMS;
  }

  get problem(): Problem {
    return this.refusal ? problemOf(this.refusal) : internalProblem(this.requestId);
  }
}

function splitUrl(url: string): { path: string; search: string } {
  const scheme = url.indexOf("://");
  const start = scheme === -1 ? 0 : url.indexOf("/", scheme + 3);
  const hash = url.indexOf("#", start);
  const end = hash === -1 ? url.length : hash;
  const question = url.indexOf("?", start);
  if (question === -1 || question > end) return { path: url.slice(start, end), search: "" };
  return { path: url.slice(start, question), search: url.slice(question, end) };
}

/** The id of a request: the client's own when it is valid, else a new unique one. */
export function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id");
  if (given !== null && /^[A-Za-z0-9._-]{1,128}$/.test(given)) return given;
  count++;
  return `${prefix}-${count.toString(36)}`;
}

/**
 * The trace that a request is part of, from `traceparent` (W3C Trace Context, section 3.2); undefined when there is none,
 * or it is invalid. Later versions of the header begin like the first one.
 */
export function traceIdOf(request: Request): string | undefined {
  const given = request.headers.get("traceparent");
  if (given === null) return undefined;
  const [, version, traceId, parentId, rest] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/.exec(given) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  return /^0+$/.test(traceId ?? "") || /^0+$/.test(parentId ?? "") ? undefined : traceId;
}
