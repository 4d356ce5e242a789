import { type Awaitable, thenSync } from "../awaitable.ts";
import { Refusal, type ValidationError } from "../errors.ts";
import type { Log, RequestLine } from "../log.ts";
import { ANONYMOUS, type Authenticator, authorize, type Caller } from "./access.ts";
import { type Answer, noContent, type ReadyBody, type StreamedAnswer } from "./answer.ts";
import { checkMediaType, parseJson, readBody } from "./body.ts";
import type { Client, Clients, Peer } from "./client.ts";
import { type EncodedStream, encodeAnswer, isStreamed } from "./encoding/encoded-answer.ts";
import { textBody } from "./encoding/text-stream.ts";
import type { Call, Endpoint, Method, Resource, Routes } from "./endpoint.ts";
import type { Cors } from "./guards/cors.ts";
import type { Hosts } from "./guards/hosts.ts";
import type { LoadShedder } from "./guards/load-shedding.ts";
import type { Allowance, RateLimits } from "./guards/rate-limits.ts";
import { refuseCrossSite } from "./guards/same-site.ts";
import { idempotencyKeyOf } from "./idempotency.ts";
import { internalErrorAnswer, refusalAnswer } from "./problems.ts";
import { requestIdOf } from "./request-id.ts";
import { respond } from "./respond.ts";
import { fillPath, type Match, Router } from "./router.ts";
import { queryValues, throwIfInvalid, validate } from "./validation.ts";

export interface DispatchParts {
  readonly routes: Routes;
  readonly hosts: Hosts;
  readonly clients: Clients;
  readonly authenticator: Authenticator;
  readonly cors: Cors;
  readonly log: Log;
  /** The most bytes that a body may have. */
  readonly bodyLimit: number;
  /** Tells when there is too much to do; without it everything is done. */
  readonly load?: LoadShedder | undefined;
  /** How often one client may ask; without it as often as it likes. */
  readonly limits?: RateLimits | undefined;
  /** Told of every request once it is answered. */
  readonly observe?: Observer | undefined;
}

/** A request that was answered; of one that is answered in pieces, the first is on its way. */
export interface Answered extends RequestLine {
  /** The path of its route as the table has it, such as `/bookmarks/{id}`. */
  readonly route: string | undefined;
}

export type Observer = (answered: Answered) => void;

/** The whole service as a function from request to response; it never throws. */
export type Handler = (request: Request, peer: Peer) => Awaitable<Response>;

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** What a supervisor asks is answered however often it does, and however much there is to do. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
const NO_BODY = new Uint8Array();
const JSON_TYPES = ["application/json"];

/** A request, and what of it is needed until it is answered. */
interface Exchange {
  readonly request: Request;
  readonly peer: Peer;
  readonly requestId: string;
  /** By the monotonic clock, in milliseconds. */
  readonly started: number;
  readonly path: string;
  /** The raw query, `?` included; empty when there is none. */
  readonly search: string;
  readonly match: Match | undefined;
  /** What is left to the client, where requests are limited. */
  readonly allowance: Allowance | undefined;
}

/** A call that is allowed, before its body and values are looked at. */
interface Allowed extends Pick<Call, "request" | "client" | "caller" | "path" | "search"> {
  readonly endpoint: Endpoint;
  readonly pathParams: Readonly<Record<string, string>>;
}

/**
 * Takes every request through the checks of the contract, in its order of refusal: the host, how much there is to
 * do, how often it asks, the path, its slash, the method, who asks, the body's size, type and syntax, and last the
 * values; then the endpoint.
 *
 * What needs no waiting is answered without any: a promise for each step would cost a read of SQLite a tenth
 * of its speed.
 */
export function createHandler(parts: DispatchParts): Handler {
  const { hosts, clients, authenticator, cors, log, bodyLimit, load, limits, observe } = parts;
  const router = new Router(parts.routes);
  const logRequest: Observer = (answered) => log.request(answered);
  const tell = observe === undefined ? logRequest : both(logRequest, observe);

  return function handle(request, peer) {
    const { path, search } = splitUrl(request.url);
    const exchange: Exchange = {
      request,
      peer,
      requestId: requestIdOf(request),
      started: performance.now(),
      path,
      search,
      match: router.match(path),
      allowance: limits?.begin(),
    };
    try {
      const answer = thenSync(answerTo(exchange), (given) => ready(exchange, given));
      return answer instanceof Promise ? finishLater(exchange, answer) : finish(exchange, answer);
    } catch (error) {
      return finish(exchange, answerToError(error, exchange.requestId));
    }
  };

  async function finishLater(exchange: Exchange, answer: Promise<Answer<ReadyBody>>): Promise<Response> {
    try {
      return finish(exchange, await answer);
    } catch (error) {
      return finish(exchange, answerToError(error, exchange.requestId));
    }
  }

  function finish(exchange: Exchange, answer: Answer<ReadyBody>): Response {
    const { request, peer, requestId, started, path, match, allowance } = exchange;
    const shared = cors.enabled
      ? { vary: "Accept-Encoding, Origin", ...cors.headersFor(request) }
      : undefined;
    const response = respond(answer, requestId, allowance ? { ...shared, ...allowance.headers() } : shared);
    if (peer.ending) response.headers.set("connection", "close");
    tell({
      requestId,
      method: request.method,
      path,
      route: match?.route.path,
      status: answer.status,
      milliseconds: performance.now() - started,
    });
    return response;
  }

  function answerTo(exchange: Exchange): Awaitable<Answer | StreamedAnswer> {
    const { request, peer, started, path, search, match, allowance } = exchange;
    const client = clients.of(request, peer);
    hosts.check(client.host);
    if (!ALWAYS_ANSWERED.has(path)) {
      load?.check(!SAFE_METHODS.has(request.method), started);
      // A page cannot read why its preflight was refused, nor when to try again.
      if (allowance !== undefined && !cors.isPreflight(request)) allowance.countAddress(client);
    }
    if (match === undefined) throw new Refusal("not_found", "There is nothing at this path.");
    const { route, params, canonical } = match;
    if (request.method === "OPTIONS") return answerOptions(request, route.resource);
    const canonicalPath = canonical ? path : fillPath(route.path, params);
    if (!canonical) return { status: 308, body: null, location: canonicalPath + search };
    const endpoint = endpointFor(route.resource, request.method);
    const { contract } = endpoint;
    const identified = contract.skipsAuthentication ? ANONYMOUS : authenticator.authenticate(request, client);
    return thenSync(identified, (caller) => {
      // Who it is can only be told now; the address was counted at once.
      allowance?.countAccount(caller);
      authorizeCall(request, client, caller, contract);
      const allowed = { request, client, caller, path: canonicalPath, search, endpoint, pathParams: params };
      if (contract.body === undefined) return perform(allowed, NO_BODY);
      return readBody(request, bodyLimit).then((rawBody) => perform(allowed, rawBody));
    });
  }

  /** An answer in the form that its client wants. */
  function ready(
    { request, requestId }: Exchange,
    given: Answer | StreamedAnswer,
  ): Awaitable<Answer<ReadyBody>> {
    return thenSync(encodeAnswer(request, given), (answer) =>
      isStreamed(answer) ? streamed(answer, requestId) : answer,
    );
  }

  /** A body in pieces becomes a stream; when it breaks off, the answer has begun, and only the log can tell. */
  async function streamed(answer: EncodedStream, requestId: string): Promise<Answer<ReadyBody>> {
    const onBreak = (error: unknown) => log.error("An answer broke off.", error, { request_id: requestId });
    return { ...answer, body: await textBody(answer.body, { onBreak }) };
  }

  function answerOptions(request: Request, resource: Resource): Answer {
    const allow = methodsOf(resource).join(", ");
    return noContent({ allow, ...acceptPatch(resource), ...cors.preflightHeaders(request, allow) });
  }

  function authorizeCall(
    request: Request,
    client: Client,
    caller: Caller,
    contract: Endpoint["contract"],
  ): void {
    if (contract.access !== undefined) authorize(caller, contract.access);
    const byCookie = caller.by === "session" && !SAFE_METHODS.has(request.method);
    if (byCookie || contract.changesSession) refuseCrossSite(request, client, cors);
  }

  function answerToError(error: unknown, requestId: string): Answer<string> {
    if (error instanceof Refusal) {
      if (error.cause !== undefined) log.error(error.message, error, { request_id: requestId });
      return refusalAnswer(error);
    }
    log.error("A request failed.", error, { request_id: requestId });
    return internalErrorAnswer(requestId);
  }
}

function both(first: Observer, second: Observer): Observer {
  return (answered) => {
    first(answered);
    second(answered);
  };
}

/** Checks the body and all values, and only then has the endpoint answer. */
function perform(allowed: Allowed, rawBody: Uint8Array): Awaitable<Answer | StreamedAnswer> {
  const { request, client, caller, path, search, endpoint, pathParams } = allowed;
  const { contract } = endpoint;
  const body = contract.body && parseBody(request, rawBody, contract);
  const idempotencyKey = contract.headers?.includes("Idempotency-Key")
    ? idempotencyKeyOf(request)
    : undefined;
  const errors: ValidationError[] = [];
  const call: Call = {
    request,
    client,
    caller,
    path,
    search,
    params: contract.params && validate(contract.params, pathParams, "parameters", errors),
    query:
      contract.query &&
      validate(contract.query, queryValues(search, contract.query, errors), "parameters", errors),
    body: contract.body && validate(contract.bodyFor?.(caller) ?? contract.body, body, "body", errors),
    rawBody,
    idempotencyKey,
  };
  throwIfInvalid(errors);
  return endpoint.answer(call);
}

/** All methods of a path, those that come by themselves too. */
export function methodsOf(resource: Resource): string[] {
  const methods = Object.keys(resource);
  return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"];
}

/** @throws Refusal `method_not_allowed` with all methods that the path has */
function endpointFor(resource: Resource, method: string): Endpoint {
  const found = Object.hasOwn(resource, method) ? resource[method as Method] : undefined;
  const endpoint = method === "HEAD" ? resource.GET : found;
  if (endpoint !== undefined) return endpoint;
  throw new Refusal("method_not_allowed", `${method} is not possible here.`, {
    headers: { allow: methodsOf(resource).join(", "), ...acceptPatch(resource) },
  });
}

function acceptPatch(resource: Resource): Record<string, string> {
  const takes = resource.PATCH?.contract.takes ?? (resource.PATCH && JSON_TYPES);
  return takes === undefined ? {} : { "accept-patch": takes.join(", ") };
}

function parseBody(
  request: Request,
  bytes: Uint8Array,
  { takes = JSON_TYPES }: Endpoint["contract"],
): unknown {
  checkMediaType(request, takes);
  return parseJson(bytes);
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
