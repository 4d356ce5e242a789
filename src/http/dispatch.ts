import { type Awaitable, thenSync } from "../awaitable.ts";
import type { Stamps } from "../database/moment.ts";
import { Refusal } from "../errors.ts";
import type { Log, RequestLine } from "../log.ts";
import {
  type Access,
  ANONYMOUS,
  type Authenticator,
  authorize,
  type Caller,
  currentAccess,
} from "./access.ts";
import { type Answer, noContent, type ReadyBody, type StreamedAnswer } from "./answer.ts";
import { readBody } from "./body/body.ts";
import type { Client, Clients, Peer } from "./client/client.ts";
import { encodeAnswer, isStreamed } from "./encoding/encoded-answer.ts";
import { streamAnswer } from "./encoding/stream-answer.ts";
import type { StreamBudget } from "./encoding/stream-budget.ts";
import {
  isPage,
  type Operation,
  type Page,
  type RefusalWriter,
  type Resource,
  type Routes,
} from "./endpoint.ts";
import { Exchange } from "./exchange.ts";
import { Cors } from "./guards/cors.ts";
import type { Hosts } from "./guards/hosts.ts";
import type { LoadShedder } from "./guards/load-shedding.ts";
import type { RateLimits } from "./guards/rate-limits.ts";
import { refuseCrossSite, refuseForeignForm } from "./guards/same-site.ts";
import { acceptPatch, findOperation, isSafe, methodsOf, operationFor } from "./methods.ts";
import { type AllowedCall, decodeBody, perform } from "./perform.ts";
import { internalErrorAnswer, refusalAnswer } from "./problems.ts";
import { refusalWriterFor, refusedRequest } from "./refused-page.ts";
import { respond } from "./respond.ts";
import { fillPath, Router } from "./router.ts";

/** Everything that requests can reach. */
export interface Surface {
  readonly routes: Routes;
  /** Pages whose paths are data; the first one that exists at a path answers. */
  readonly madePages?: readonly MadePage[] | undefined;
  /** Renders the 404 of an unknown path for clients that want HTML; without it all get JSON. */
  readonly notFoundPage?: RefusalWriter | undefined;
}

export interface DispatchParts extends Surface {
  /** Loads the whole surface, if these routes are only those needed first. They must not hide one of the others. */
  readonly loadWhole?: (() => Promise<Surface>) | undefined;
  readonly hosts: Hosts;
  readonly clients: Clients;
  readonly authenticator: Authenticator;
  /** The stamps of the database, each taken once for a request that needs it. */
  readonly stamps: Stamps;
  readonly cors: Cors;
  readonly log: Log;
  /** Largest body, in bytes. */
  readonly bodyLimit: number;
  /** Memory for long answers. */
  readonly streams: StreamBudget;
  /** Sheds load; without it every request is admitted. */
  readonly load?: LoadShedder | undefined;
  /** Rate limits per client; none when absent. */
  readonly limits?: RateLimits | undefined;
  /** Called for every request once it is answered. */
  readonly observe?: Observer | undefined;
}

/** A request whose answer has begun, for logs and metrics. */
export interface Answered extends RequestLine {
  /** The path of its route as the table has it, such as `/bookmarks/{id}`. */
  readonly route: string | undefined;
}

export type Observer = (answered: Answered) => void;

/** A page at a path without a route. */
export interface MadePage {
  readonly operation: Page;
  /** The parameters of its path; undefined when there is no such page. @param path as sent */
  readonly paramsAt: (path: string) => Awaitable<Readonly<Record<string, string>> | undefined>;
}

/** The whole service as a function from request to response; it never throws. */
export type Handler = (request: Request, peer: Peer) => Awaitable<Response>;

/** Health checks are exempt from load shedding and rate limits. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
const NO_BODY = new Uint8Array();
const ANY_ORIGIN = new Cors(["*"]);

/**
 * Takes every request through the checks of the contract, in its order of refusal.
 *
 * Synchronous steps stay synchronous: a promise for each would cost a read of SQLite a tenth of its speed.
 */
export class Dispatcher {
  readonly #parts: DispatchParts;
  #surface: Surface;
  #router: Router;
  /** The methods of a path that pages of any origin may call. */
  readonly #open = new Set<Resource>();
  #isWhole: boolean;
  #loading: Promise<void> | undefined;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.#surface = parts;
    this.#router = this.#routerOf(parts);
    this.#isWhole = parts.loadWhole === undefined;
  }

  /** Loads the whole surface, once. Until then, requests for paths without a route wait for it. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { loadWhole } = this.#parts;
    if (loadWhole === undefined) return;
    const surface = await loadWhole();
    this.#router = this.#routerOf(surface);
    this.#surface = surface;
    this.#isWhole = true;
  }

  #routerOf({ routes }: Surface): Router {
    for (const resource of Object.values(routes))
      if (Object.values(resource).some(({ contract }) => contract.anyOrigin)) this.#open.add(resource);
    return new Router(routes);
  }

  readonly handle: Handler = (request, peer) => {
    const { stamps, limits } = this.#parts;
    const exchange = new Exchange(request, peer, {
      router: this.#router,
      stamps,
      allowance: limits?.begin(),
    });
    if (!this.#isWhole && exchange.match === undefined)
      return this.load().then(() => this.handle(request, peer));
    try {
      const answer = thenSync(this.#answer(exchange), (given) => this.#encode(exchange, given));
      return answer instanceof Promise
        ? this.#respondLater(exchange, answer)
        : this.#respond(exchange, answer);
    } catch (error) {
      return this.#respondToError(exchange, error);
    }
  };

  #answer(exchange: Exchange): Awaitable<Answer | StreamedAnswer> {
    const { request, search } = exchange;
    const client = this.#clientOf(exchange);
    this.#checkHost(exchange, client); // 421
    this.#checkLoad(exchange); // 503
    this.#countAddress(exchange, client); // 429
    const { match } = exchange;
    if (match === undefined) return this.#answerUnrouted(exchange, client); // 404
    const { route, params } = match;
    if (request.method === "OPTIONS") return this.#answerOptions(exchange, route.resource);
    const path = match.canonical ? exchange.path : fillPath(route.path, params);
    if (!match.canonical) return { status: 308, body: null, location: path + search };
    const operation = operationFor(route.resource, request.method); // 405
    this.#refuseForeignForm(operation, request, client); // 403
    return thenSync(this.#authenticate(exchange, operation, client) /* 401, 429 */, (caller) =>
      thenSync(this.#authorize(exchange, operation, client, caller) /* 401, 403 */, (access) => {
        const { moment } = exchange;
        const call = { request, client, caller, access, moment, path, search, operation, pathParams: params };
        return this.#perform(exchange, call); // 413, 415, 400, 422, and then what the operation refuses
      }),
    );
  }

  /** The page at a path that only exists in the data: a page of the site. */
  async #answerUnrouted(exchange: Exchange, client: Client): Promise<Answer | StreamedAnswer> {
    const { request, path, search } = exchange;
    const isRead = request.method === "GET" || request.method === "HEAD";
    for (const { operation, paramsAt } of (isRead && this.#surface.madePages) || []) {
      const pathParams = await paramsAt(path);
      if (pathParams === undefined) continue;
      const caller = await this.#authenticate(exchange, operation, client);
      const access = await this.#authorize(exchange, operation, client, caller);
      const { moment } = exchange;
      const call = { request, client, caller, access, moment, path, search, operation, pathParams };
      return this.#perform(exchange, call);
    }
    await this.#identifyReader(exchange, client);
    throw nothingThere();
  }

  /** Authenticates the reader of a 404 page, whose header shows the account. Programs get the same answer signed in or not. */
  async #identifyReader(exchange: Exchange, client: Client): Promise<void> {
    if (refusalWriterFor(exchange, this.#surface.notFoundPage) === undefined) return;
    try {
      exchange.caller = await this.#parts.authenticator.authenticate(
        exchange.request,
        client,
        exchange.moment,
      );
    } catch {
      // Invalid credentials, or an unavailable database, do not change the answer.
    }
  }

  #clientOf(exchange: Exchange): Client {
    exchange.client = this.#parts.clients.of(exchange.request, exchange.peer);
    return exchange.client;
  }

  /** A health probe has an IP address as its host, or none in HTTP/1.0; its answers have no secrets. */
  #checkHost({ path }: Exchange, client: Client): void {
    if (!ALWAYS_ANSWERED.has(path)) this.#parts.hosts.check(client.host);
  }

  #checkLoad({ path, request, started }: Exchange): void {
    if (!ALWAYS_ANSWERED.has(path)) this.#parts.load?.check(!isSafe(request.method), started);
  }

  #countAddress(exchange: Exchange, client: Client): void {
    const { allowance, path, request } = exchange;
    if (allowance === undefined || ALWAYS_ANSWERED.has(path)) return;
    // Exempt, since a page could not read the reason of a refused preflight, nor when to retry.
    if (!this.#corsOf(exchange).isPreflight(request)) allowance.countAddress(client);
  }

  #answerOptions(exchange: Exchange, resource: Resource): Answer {
    const { request } = exchange;
    const allow = methodsOf(resource).join(", ");
    return noContent({
      allow,
      ...acceptPatch(resource),
      ...this.#corsOf(exchange).preflightHeaders(request, allow),
    });
  }

  /** The origins that may read the answer: CORS_ORIGINS, or any if the operations of the path allow it. */
  #corsOf({ match, request: { method } }: Exchange): Cors {
    if (match === undefined || !this.#open.has(match.route.resource)) return this.#parts.cors;
    const operation = findOperation(match.route.resource, method);
    // OPTIONS and a 405 tell only which methods there are.
    return operation === undefined || operation.contract.anyOrigin ? ANY_ORIGIN : this.#parts.cors;
  }

  /** Any page can send a form without a preflight, so it can do harm even without a session. */
  #refuseForeignForm(operation: Operation, request: Request, client: Client): void {
    if (isPage(operation) && !isSafe(request.method)) refuseForeignForm(request, client);
  }

  #authenticate(exchange: Exchange, { contract }: Operation, client: Client): Awaitable<Caller> {
    const { authenticator } = this.#parts;
    const identified = contract.skipsAuthentication
      ? ANONYMOUS
      : authenticator.authenticate(exchange.request, client, exchange.moment);
    return thenSync(identified, (caller) => {
      exchange.caller = caller;
      // The account is known only now; the address was counted earlier.
      exchange.allowance?.countAccount(caller);
      return caller;
    });
  }

  #authorize(
    exchange: Exchange,
    operation: Operation,
    client: Client,
    caller: Caller,
  ): Awaitable<Access | undefined> {
    const { request } = exchange;
    const { access, changesSession } = operation.contract;
    const byCookie = caller.by === "session" && !isSafe(request.method);
    const check = (current: Access | undefined) => {
      if (current !== undefined) authorize(caller, current);
      if (byCookie || changesSession) refuseCrossSite(request, client, this.#parts.cors);
      return current;
    };
    if (access === undefined) return check(undefined);
    return thenSync(currentAccess(access, request, exchange.moment), check);
  }

  #perform(exchange: Exchange, call: AllowedCall): Awaitable<Answer | StreamedAnswer> {
    const { body, bodyLimit = this.#parts.bodyLimit } = call.operation.contract;
    if (body === undefined) return perform(exchange, call, NO_BODY);
    return readBody(exchange.request, bodyLimit).then((rawBody) => perform(exchange, call, rawBody));
  }

  /** Encodes an answer as its client wants it. */
  #encode({ request, requestId }: Exchange, given: Answer | StreamedAnswer): Awaitable<Answer<ReadyBody>> {
    const { log, streams } = this.#parts;
    const reservation = "reservation" in given ? given.reservation : undefined;
    return thenSync(encodeAnswer(request, given), (answer) =>
      isStreamed(answer) ? streamAnswer(answer, { requestId, log, streams, reservation }) : answer,
    );
  }

  async #respondLater(exchange: Exchange, answer: Promise<Answer<ReadyBody>>): Promise<Response> {
    try {
      return this.#respond(exchange, await answer);
    } catch (error) {
      return this.#respondToError(exchange, error);
    }
  }

  #respond(exchange: Exchange, answer: Answer<ReadyBody>): Response {
    const { request, peer, requestId, started, match, allowance } = exchange;
    const { log, observe } = this.#parts;
    const cors = this.#corsOf(exchange);
    const shared = cors.enabled
      ? { vary: "Accept-Encoding, Origin", ...cors.headersFor(request) }
      : undefined;
    const response = respond(answer, requestId, allowance ? { ...shared, ...allowance.headers() } : shared);
    if (peer.ending) response.headers.set("connection", "close");
    const answered: Answered = {
      requestId,
      method: request.method,
      path: loggedPath(exchange),
      route: match?.route.path,
      status: answer.status,
      milliseconds: performance.now() - started,
    };
    log.request(answered);
    observe?.(answered);
    return response;
  }

  #respondToError(exchange: Exchange, error: unknown): Awaitable<Response> {
    const { requestId } = exchange;
    const { log } = this.#parts;
    const refusal = error instanceof Refusal ? error : undefined;
    if (refusal === undefined) log.error("A request failed.", error, { request_id: requestId });
    else if (refusal.cause !== undefined) log.error(refusal.message, refusal, { request_id: requestId });
    const write = refusalWriterFor(exchange, this.#surface.notFoundPage);
    if (write !== undefined) return this.#respondWithPage(exchange, refusal, write);
    return this.#respond(exchange, refusal ? refusalAnswer(refusal) : internalErrorAnswer(requestId));
  }

  /** A page renders its errors as HTML; if that fails, the problem document is sent. */
  async #respondWithPage(
    exchange: Exchange,
    refusal: Refusal | undefined,
    write: RefusalWriter,
  ): Promise<Response> {
    const { requestId } = exchange;
    try {
      if (refusal?.reason === "unauthenticated") await this.#keepTyped(exchange);
      return this.#respond(exchange, (await write(refusedRequest(exchange, refusal))) as Answer<ReadyBody>);
    } catch (error) {
      this.#parts.log.error("An error page failed.", error, { request_id: requestId });
      return this.#respond(exchange, refusal ? refusalAnswer(refusal) : internalErrorAnswer(requestId));
    }
  }

  /** Reads the form of a user whose session has expired, so that the typed values are not lost. */
  async #keepTyped(exchange: Exchange): Promise<void> {
    const { request, match } = exchange;
    const operation = match && findOperation(match.route.resource, request.method);
    if (operation?.contract.body === undefined || !isPage(operation)) return;
    if (exchange.fields !== undefined) return;
    try {
      await decodeBody(exchange, operation, await readBody(request, this.#parts.bodyLimit));
    } catch (error) {
      // An unreadable form has no values to show again; the refusal itself matters more.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** The path for the log, without the value of a parameter called `secret`. */
function loggedPath({ path, match }: Exchange): string {
  return match?.params.secret === undefined ? path : match.route.path;
}

function nothingThere(): Refusal {
  return new Refusal("not_found", "Nothing exists at this path.");
}
