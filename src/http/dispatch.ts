import { type Awaitable, thenSync } from "../awaitable.ts";
import type { Stamps } from "../database/moment.ts";
import { Refusal } from "../errors.ts";
import {
  type Access,
  ANONYMOUS,
  type Authenticator,
  authorize,
  type Caller,
  currentAccess,
} from "./access.ts";
import { readBody } from "./body/body.ts";
import type { Client, Clients, Peer } from "./client/client.ts";
import {
  isPage,
  type Operation,
  type Page,
  type RefusalWriter,
  type Resource,
  type Routes,
} from "./endpoint.ts";
import { Exchange } from "./exchange.ts";
import type { Cors } from "./guards/cors.ts";
import type { Hosts } from "./guards/hosts.ts";
import type { LoadShedder } from "./guards/load-shedding.ts";
import { OperationCors } from "./guards/operation-cors.ts";
import type { RateLimits } from "./guards/rate-limits.ts";
import { refuseCrossSite, refuseForeignForm } from "./guards/same-site.ts";
import { acceptPatch, isSafe, methodsOf, operationFor } from "./methods.ts";
import { type AllowedCall, perform } from "./perform.ts";
import { noContent, type ResponseData, type StreamedResponseData } from "./response-data.ts";
import { refusalWriterFor } from "./responses/refused-page.ts";
import { Responder, type ResponderDependencies } from "./responses/responder.ts";
import { fillPath, Router } from "./router.ts";

/** Everything that requests can reach. */
export interface Surface {
  readonly routes: Routes;
  /** Pages whose paths are data; the first one that exists at a path answers. */
  readonly unroutedPages?: readonly UnroutedPage[] | undefined;
  /** Renders the 404 of an unknown path for clients that want HTML; without it all get JSON. */
  readonly notFoundPage?: RefusalWriter | undefined;
}

export interface DispatchDependencies extends Surface, Omit<ResponderDependencies, "cors" | "notFoundPage"> {
  /** Loads the whole surface, if these routes are only those needed first. They must not hide one of the others. */
  readonly loadWhole?: (() => Promise<Surface>) | undefined;
  readonly hosts: Hosts;
  readonly clients: Clients;
  readonly authenticator: Authenticator;
  /** The stamps of the database, each taken once for a request that needs it. */
  readonly stamps: Stamps;
  readonly cors: Cors;
  /** Sheds load; without it every request is admitted. */
  readonly load?: LoadShedder | undefined;
  /** Rate limits per client; none when absent. */
  readonly limits?: RateLimits | undefined;
}

/** A page at a path without a route. */
export interface UnroutedPage {
  readonly operation: Page;
  /** The parameters of its path; undefined when there is no such page. @param path as sent */
  readonly paramsOf: (path: string) => Awaitable<Readonly<Record<string, string>> | undefined>;
}

/** The whole service as a function from request to response; it never throws. */
export type Handler = (request: Request, peer: Peer) => Awaitable<Response>;

/** Health checks are exempt from load shedding and rate limits. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);
const NO_BODY = new Uint8Array();

/**
 * Takes every request through the checks of the contract, in its order of refusal.
 *
 * Synchronous steps stay synchronous: a promise for each would cost a read of SQLite a tenth of its speed.
 */
export class Dispatcher {
  readonly #dependencies: DispatchDependencies;
  readonly #cors: OperationCors;
  readonly #responder: Responder;
  #surface: Surface;
  #router: Router;
  #isWhole: boolean;
  #loading: Promise<void> | undefined;

  constructor(dependencies: DispatchDependencies) {
    this.#dependencies = dependencies;
    this.#surface = dependencies;
    this.#router = new Router(dependencies.routes);
    this.#isWhole = dependencies.loadWhole === undefined;
    this.#cors = new OperationCors(dependencies.routes, dependencies.cors);
    this.#responder = new Responder({
      ...dependencies,
      cors: this.#cors,
      notFoundPage: () => this.#surface.notFoundPage,
    });
  }

  /** Loads the whole surface, once. Until then, requests for paths without a route wait for it. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const { loadWhole } = this.#dependencies;
    if (loadWhole === undefined) return;
    const surface = await loadWhole();
    this.#cors.add(surface.routes);
    this.#router = new Router(surface.routes);
    this.#surface = surface;
    this.#isWhole = true;
  }

  readonly handle: Handler = (request, peer) => {
    const { stamps, limits } = this.#dependencies;
    const exchange = new Exchange(request, peer, {
      router: this.#router,
      stamps,
      allowance: limits?.begin(),
    });
    if (!this.#isWhole && exchange.match === undefined)
      return this.load().then(() => this.handle(request, peer));
    return this.#responder.respondWith(exchange, () => this.#answer(exchange));
  };

  #answer(exchange: Exchange): Awaitable<ResponseData | StreamedResponseData> {
    const { path, request, started } = exchange;
    const { load } = this.#dependencies;
    const client = this.#clientOf(exchange);
    this.#checkHost(exchange, client); // 421
    if (load === undefined || ALWAYS_ANSWERED.has(path)) return this.#answerAdmitted(exchange, client);
    return load.admit(!isSafe(request.method), started, () => this.#answerAdmitted(exchange, client)); // 503
  }

  #answerAdmitted(exchange: Exchange, client: Client): Awaitable<ResponseData | StreamedResponseData> {
    const { match, request, search } = exchange;
    this.#countAddress(exchange, client); // 429
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
  async #answerUnrouted(exchange: Exchange, client: Client): Promise<ResponseData | StreamedResponseData> {
    const { request, path, search } = exchange;
    const isRead = request.method === "GET" || request.method === "HEAD";
    for (const { operation, paramsOf } of (isRead && this.#surface.unroutedPages) || []) {
      const pathParams = await paramsOf(path);
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

  /** Authenticates the reader of a 404 page, whose header shows the account. Programs get the same response signed in or not. */
  async #identifyReader(exchange: Exchange, client: Client): Promise<void> {
    if (refusalWriterFor(exchange, this.#surface.notFoundPage) === undefined) return;
    try {
      exchange.caller = await this.#dependencies.authenticator.authenticate(
        exchange.request,
        client,
        exchange.moment,
      );
    } catch {
      // Invalid credentials, or an unavailable database, do not change the response.
    }
  }

  #clientOf(exchange: Exchange): Client {
    exchange.client = this.#dependencies.clients.of(exchange.request, exchange.peer);
    return exchange.client;
  }

  /** A health probe has an IP address as its host, or none in HTTP/1.0; its responses have no secrets. */
  #checkHost({ path }: Exchange, client: Client): void {
    if (!ALWAYS_ANSWERED.has(path)) this.#dependencies.hosts.check(client.host);
  }

  #countAddress(exchange: Exchange, client: Client): void {
    const { allowance, path, request } = exchange;
    if (allowance === undefined || ALWAYS_ANSWERED.has(path)) return;
    // Exempt, since a page could not read the reason of a refused preflight, nor when to retry.
    if (!this.#cors.of(exchange).isPreflight(request)) allowance.countAddress(client);
  }

  #answerOptions(exchange: Exchange, resource: Resource): ResponseData {
    const { request } = exchange;
    const allow = methodsOf(resource).join(", ");
    return noContent({
      allow,
      ...acceptPatch(resource),
      ...this.#cors.of(exchange).preflightHeaders(request, allow),
    });
  }

  /** Any page can send a form without a preflight, so it can do harm even without a session. */
  #refuseForeignForm(operation: Operation, request: Request, client: Client): void {
    if (isPage(operation) && !isSafe(request.method)) refuseForeignForm(request, client);
  }

  #authenticate(exchange: Exchange, { contract }: Operation, client: Client): Awaitable<Caller> {
    const { authenticator } = this.#dependencies;
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
      if (byCookie || changesSession) refuseCrossSite(request, client, this.#dependencies.cors);
      return current;
    };
    if (access === undefined) return check(undefined);
    return thenSync(currentAccess(access, request, exchange.moment), check);
  }

  #perform(exchange: Exchange, call: AllowedCall): Awaitable<ResponseData | StreamedResponseData> {
    const { body, bodyLimit = this.#dependencies.bodyLimit, isSlow } = call.operation.contract;
    if (body === undefined) return perform(exchange, call, NO_BODY);
    return readBody(exchange.request, bodyLimit).then((rawBody) => {
      const handle = () => perform(exchange, call, rawBody);
      // A client may stall while it sends its body, slow operation or not; the patience begins afterwards.
      return isSlow && exchange.peer.withoutIdleTimeout
        ? exchange.peer.withoutIdleTimeout(async () => handle())
        : handle();
    });
  }
}

function nothingThere(): Refusal {
  return new Refusal("not_found", "Nothing exists at this path.");
}
