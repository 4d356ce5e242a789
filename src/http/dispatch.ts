import { type Awaitable, thenSync } from "../awaitable.ts";
import type { Database } from "../database/database.ts";
import type { Stamps } from "../database/moment.ts";
import { Refusal } from "../errors.ts";
import {
  type Access,
  ANONYMOUS,
  type Authenticator,
  authorize,
  type Caller,
  currentAccess,
  documentedAccess,
  isAllowed,
  tokenOf,
} from "./access.ts";
import { readBody } from "./body/body.ts";
import { dependsOnVersion } from "./caching/etags.ts";
import { type LoggedAddress, loggedAddress } from "./client/address.ts";
import type { Client, Clients, Peer } from "./client/client.ts";
import type { Operation, Page, ProtocolRefusals, RefusalWriter, Resource, Routes } from "./endpoint.ts";
import { Exchange } from "./exchange.ts";
import { type Cors, OperationCors } from "./guards/cors.ts";
import type { Hosts } from "./guards/hosts.ts";
import type { LoadShedder } from "./guards/load-shedding.ts";
import type { RateLimits } from "./guards/rate-limits.ts";
import { refuseCrossSite, refuseForeignForm, refuseUnasked } from "./guards/same-site.ts";
import { type AllowedCall, perform } from "./perform.ts";
import { noContent, type ResponseData, type StreamedResponseData } from "./response-data.ts";
import { refusalWriterFor } from "./responses/refused-page.ts";
import { Responder, type ResponderDependencies } from "./responses/responder.ts";
import { acceptPatch, fillPath, isSafe, methodsOf, operationFor, Router } from "./router.ts";

/** Everything that requests can reach. */
export interface Surface {
  readonly routes: Routes;
  /** Pages whose paths are data; the first one that exists at a path answers. */
  readonly unroutedPages?: readonly UnroutedPage[] | undefined;
  /** Renders the 404 of an unknown path for clients that want HTML; without it all get JSON. */
  readonly notFoundPage?: RefusalWriter | undefined;
  /** How other projects' protocols refuse, by the beginning of their paths, also of those without a route. */
  readonly protocolRefusals?: ProtocolRefusals | undefined;
}

export interface DispatchDependencies extends Surface, Omit<ResponderDependencies, "cors"> {
  readonly hosts: Hosts;
  readonly clients: Clients;
  readonly authenticator: Authenticator;
  /** How much of a client's address is logged. */
  readonly logAddress: LoggedAddress;
  /** The stamps of the database, each taken once for a request that needs it. */
  readonly stamps: Stamps;
  readonly storage: Pick<Database, "obstacle" | "releaseReserve">;
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
  readonly #router: Router;

  constructor(dependencies: DispatchDependencies) {
    this.#dependencies = dependencies;
    this.#router = new Router(dependencies.routes);
    this.#cors = new OperationCors(dependencies.routes, dependencies.cors, dependencies.protocolRefusals);
    this.#responder = new Responder({ ...dependencies, cors: this.#cors });
  }

  readonly handle: Handler = (request, peer) => {
    const { stamps, limits } = this.#dependencies;
    const exchange = new Exchange(request, peer, {
      router: this.#router,
      stamps,
      allowance: limits?.begin(),
    });
    return thenSync(
      this.#responder.respondWith(exchange, () => this.#answer(exchange)),
      (response) => {
        this.#leave(exchange);
        return response;
      },
    );
  };

  #answer(exchange: Exchange): Awaitable<ResponseData | StreamedResponseData> {
    const { match, request, search } = exchange;
    const client = this.#clientOf(exchange);
    this.#checkHost(exchange, client); // 421
    if (!ALWAYS_ANSWERED.has(exchange.path)) {
      this.#dependencies.load?.checkDelay(exchange.started); // 503
      this.#enter(exchange); // 503
    }
    this.#countAddress(exchange, client); // 429
    if (match === undefined) return this.#answerUnrouted(exchange, client); // 404
    const { route, params } = match;
    if (request.method === "OPTIONS") return this.#answerOptions(exchange, route.resource);
    const path = match.canonical ? exchange.path : fillPath(route.path, params);
    if (!match.canonical) return { status: 308, body: null, location: path + search };
    const operation = operationFor(route.resource, request.method); // 405
    this.#refuseForeignForm(operation, request, client); // 403
    this.#refuseWrites(operation, request); // 503, 507
    return thenSync(this.#authenticate(exchange, operation, client) /* 401, 429 */, (caller) =>
      thenSync(this.#authorize(exchange, operation, client, caller) /* 401, 403 */, (access) =>
        thenSync(this.#mayRead(exchange, operation, caller) /* 403 */, (mayRead) => {
          const allowed = { request, client, caller, access, mayRead, moment: exchange.moment };
          const call = { ...allowed, path, search, operation, pathParams: params };
          return this.#perform(exchange, call); // 413, 415, 400, 422, and then what the operation refuses
        }),
      ),
    );
  }

  /** The page at a path that only exists in the data: a page of the site. */
  async #answerUnrouted(exchange: Exchange, client: Client): Promise<ResponseData | StreamedResponseData> {
    const { request, path, search } = exchange;
    // Else a page could not read the 404.
    const preflightHeaders = this.#cors.of(exchange).preflightHeaders(request);
    if (preflightHeaders !== undefined) return noContent(preflightHeaders);
    const isRead = request.method === "GET" || request.method === "HEAD";
    for (const { operation, paramsOf } of (isRead && this.#dependencies.unroutedPages) || []) {
      const pathParams = await paramsOf(path);
      if (pathParams === undefined) continue;
      const caller = await this.#authenticate(exchange, operation, client);
      const access = await this.#authorize(exchange, operation, client, caller);
      const mayRead = await this.#mayRead(exchange, operation, caller);
      const allowed = { request, client, caller, access, mayRead, moment: exchange.moment };
      return this.#perform(exchange, { ...allowed, path, search, operation, pathParams });
    }
    await this.#identifyReader(exchange, client);
    throw nothingThere();
  }

  /** Authenticates the reader of a 404 page, whose header shows the account. Programs get the same response signed in or not. */
  async #identifyReader(exchange: Exchange, client: Client): Promise<void> {
    if (refusalWriterFor(exchange, this.#dependencies) === undefined) return;
    try {
      exchange.caller = await this.#dependencies.authenticator.authenticatePerson(exchange.request, client);
    } catch {
      // Invalid credentials, or an unavailable database, do not change the response.
    }
  }

  #enter(exchange: Exchange): void {
    const kind = isSafe(exchange.request.method) ? "read" : "write";
    this.#dependencies.load?.enter(kind);
    exchange.inProgress = kind;
  }

  #leave(exchange: Exchange): void {
    if (exchange.inProgress !== undefined) this.#dependencies.load?.leave(exchange.inProgress);
    exchange.inProgress = undefined;
  }

  #clientOf(exchange: Exchange): Client {
    const { clients, logAddress } = this.#dependencies;
    const client = clients.of(exchange.request, exchange.peer);
    exchange.client = client;
    // At once, since a connection that has been closed has no address.
    if (logAddress !== "off") exchange.loggedAddress = loggedAddress(client.address, logAddress);
    return client;
  }

  /** A health probe has an IP address as its host, or none in HTTP/1.0; its responses have no secrets. */
  #checkHost({ path }: Exchange, client: Client): void {
    if (!ALWAYS_ANSWERED.has(path)) this.#dependencies.hosts.check(client.host);
  }

  #countAddress(exchange: Exchange, client: Client): void {
    const { allowance, path, request } = exchange;
    if (allowance === undefined || ALWAYS_ANSWERED.has(path)) return;
    // Exempt, since a page could not read the reason of a refused preflight, nor when to retry.
    if (!this.#cors.of(exchange).isPreflight(request)) allowance.count(client);
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

  /** Where nothing can be stored. On a full disk, there is room for what frees some. */
  #refuseWrites({ contract }: Operation, { method }: Request): void {
    if (isSafe(method) || contract.maySkipWriting) return;
    const { storage } = this.#dependencies;
    const obstacle = storage.obstacle();
    if (obstacle === undefined) return;
    if (obstacle.reason !== "storage_full" || !(method === "DELETE" || contract.usesReserve)) throw obstacle;
    storage.releaseReserve();
  }

  /** Any page can send a form without a preflight, so it can do harm even without a session; but not with a token. */
  #refuseForeignForm({ kind, contract }: Operation, request: Request, client: Client): void {
    if (kind !== "page" || isSafe(request.method)) return;
    if (contract.takesTokens && tokenOf(request) !== undefined) return;
    refuseForeignForm(request, client);
  }

  #authenticate(exchange: Exchange, operation: Operation, client: Client): Awaitable<Caller> {
    return thenSync(this.#identify(exchange, operation, client), (caller) => {
      exchange.caller = caller;
      return caller;
    });
  }

  #identify(exchange: Exchange, operation: Operation, client: Client): Awaitable<Caller> {
    const { authenticator } = this.#dependencies;
    const { request, moment } = exchange;
    const { skipsAuthentication, takesTokens, takesAssistants } = operation.contract;
    if (skipsAuthentication) return ANONYMOUS;
    if (operation.kind === "page" && !takesTokens) return authenticator.authenticatePerson(request, client);
    return authenticator.authenticate(request, client, moment, takesAssistants);
  }

  #authorize(
    exchange: Exchange,
    operation: Operation,
    client: Client,
    caller: Caller,
  ): Awaitable<Access | undefined> {
    const { request } = exchange;
    const { access, changesSession, isBodyOptional = false } = operation.contract;
    const { cors } = this.#dependencies;
    const byCookie = caller.by === "session" && !isSafe(request.method);
    // What takes forms from programs: browsers ask before they send any other body.
    const byAnyone = isBodyOptional && operation.kind === "api" && caller.account === undefined;
    const check = (current: Access | undefined) => {
      if (current !== undefined) authorize(caller, current);
      if (byCookie || changesSession) refuseCrossSite(request, client, cors);
      else if (byAnyone) refuseUnasked(request, client, cors);
      return current;
    };
    if (access === undefined) return check(undefined);
    return thenSync(currentAccess(access, request, exchange.moment), check);
  }

  /**
   * Whether a caller may read what it writes.
   * @throws Refusal `forbidden` if it may not, and its request depends on a stored version
   */
  #mayRead(
    { request, moment }: Exchange,
    { contract: { reads } }: Operation,
    caller: Caller,
  ): Awaitable<boolean> {
    const scope = documentedAccess(reads)?.scope;
    // Without asking for the current rule, for almost all callers.
    if (reads === undefined || (scope !== undefined && caller.scopes.has(scope))) return true;
    return thenSync(currentAccess(reads, request, moment), (access) => {
      if (isAllowed(caller, access)) return true;
      if (dependsOnVersion(request)) authorize(caller, access);
      return false;
    });
  }

  #perform(exchange: Exchange, call: AllowedCall): Awaitable<ResponseData | StreamedResponseData> {
    const { contract } = call.operation;
    const { body, bodyLimit = this.#dependencies.bodyLimit, isSlow, enter, skipsAuthentication } = contract;
    if (body === undefined) return perform(exchange, call, NO_BODY);
    // While its body arrives, and while a password is verified, a request keeps no others out.
    this.#leave(exchange);
    const read = () =>
      readBody(exchange.request, bodyLimit).then((rawBody) => {
        if (!isSlow && !skipsAuthentication) this.#enter(exchange); // 503
        const handle = () => perform(exchange, call, rawBody);
        // A client may stall while it sends its body, slow operation or not; the patience begins afterwards.
        return isSlow && exchange.peer.withoutIdleTimeout
          ? exchange.peer.withoutIdleTimeout(async () => handle())
          : handle();
      });
    if (enter === undefined) return read();
    const place = enter();
    return read().finally(() => place[Symbol.dispose]());
  }
}

function nothingThere(): Refusal {
  return new Refusal("not_found", "Nothing exists at this path.");
}
