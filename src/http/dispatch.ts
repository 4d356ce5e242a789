import { type Awaitable, thenSync } from "../awaitable.ts";
import type { Database } from "../database/database.ts";
import type { Stamps } from "../database/request-stamp.ts";
import { Refusal, type ValidationError } from "../errors.ts";
import {
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
import { decodeBody, type FormFields } from "./body/body-decoders.ts";
import { dependsOnVersion } from "./caching/etags.ts";
import { type LoggedAddress, loggedAddress } from "./client/address.ts";
import type { Clients, Peer } from "./client/client.ts";
import type { Call, Operation, Page, ProtocolRefusals, RefusalWriter, Resource, Routes } from "./endpoint.ts";
import { Exchange } from "./exchange.ts";
import { type Cors, OperationCors } from "./guards/cors.ts";
import type { Hosts } from "./guards/hosts.ts";
import type { LoadShedder } from "./guards/load-shedding.ts";
import type { RateLimits } from "./guards/rate-limits.ts";
import { refuseCrossSite, refuseForeignForm, refuseUnasked } from "./guards/same-site.ts";
import { idempotencyKeyOf, refuseIdempotencyKey } from "./idempotency.ts";
import { findForeignPaging } from "./pagination.ts";
import { noContent, type ResponseData, type StreamedResponseData } from "./response-data.ts";
import { Responder, type ResponderDependencies } from "./responses/responder.ts";
import { acceptPatch, fillPath, isSafe, methodsOf, notAllowed, Router } from "./router.ts";
import { throwIfInvalid, validate, validateQuery } from "./validation.ts";

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
  /** The stamps of the database, taken for a request that needs one. */
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

type Answer = ResponseData | StreamedResponseData;

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
    const { clients, stamps, limits, logAddress } = this.#dependencies;
    const client = clients.of(request, peer);
    const exchange = new Exchange(request, peer, {
      client,
      router: this.#router,
      stamps,
      allowance: limits?.begin(),
    });
    // At once, since a connection that has been closed has no address.
    if (logAddress !== "off") exchange.loggedAddress = loggedAddress(client.address, logAddress);
    return thenSync(this.#responder.respondWith(exchange, this.#answer), (response) => {
      this.#leave(exchange);
      return response;
    });
  };

  readonly #answer = (exchange: Exchange): Awaitable<Answer> => {
    const { match, operation, request, path, search } = exchange;
    // A health probe has an IP address as its host, or none in HTTP/1.0; its responses have no secrets.
    if (!ALWAYS_ANSWERED.has(path)) {
      this.#dependencies.hosts.check(exchange.client.host); // 421
      this.#dependencies.load?.checkDelay(exchange.started); // 503
      this.#enter(exchange); // 503
      this.#countAddress(exchange); // 429
    }
    if (match === undefined) return this.#answerUnrouted(exchange); // 404
    const { route, params } = match;
    if (request.method === "OPTIONS") return this.#answerOptions(exchange, route.resource);
    if (!match.canonical) return { status: 308, body: null, location: fillPath(route.path, params) + search };
    if (operation === undefined) throw notAllowed(route.resource, request.method); // 405
    this.#refuseForeignForm(exchange, operation); // 403
    this.#refuseWrites(operation, request); // 503, 507
    return this.#call(exchange, operation, params);
  };

  /** The page at a path that only exists in the data: a page of the site. */
  async #answerUnrouted(exchange: Exchange): Promise<Answer> {
    const { request, path } = exchange;
    // Else a page could not read the 404.
    const preflightHeaders = this.#cors.of(exchange).preflightHeaders(request);
    if (preflightHeaders !== undefined) return noContent(preflightHeaders);
    const isRead = request.method === "GET" || request.method === "HEAD";
    for (const { operation, paramsOf } of (isRead && this.#dependencies.unroutedPages) || []) {
      const params = await paramsOf(path);
      if (params === undefined) continue;
      exchange.operation = operation;
      return this.#call(exchange, operation, params);
    }
    await this.#identifyReader(exchange);
    throw nothingThere();
  }

  /** Authenticates the reader of a 404 page, whose header shows the account. Programs get the same response signed in or not. */
  async #identifyReader(exchange: Exchange): Promise<void> {
    if (this.#responder.refusalWriterFor(exchange) === undefined) return;
    try {
      exchange.caller = await this.#dependencies.authenticator.authenticatePerson(exchange);
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

  #countAddress(exchange: Exchange): void {
    const { allowance, client, request } = exchange;
    // Exempt, since a page could not read the reason of a refused preflight, nor when to retry.
    if (allowance !== undefined && !this.#cors.of(exchange).isPreflight(request)) allowance.count(client);
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
  #refuseForeignForm({ request, client }: Exchange, { kind, contract }: Operation): void {
    if (kind !== "page" || isSafe(request.method)) return;
    if (contract.takesTokens && tokenOf(request) !== undefined) return;
    refuseForeignForm(request, client);
  }

  /** Finds out who calls an operation and what they may, reads what they sent, and only then has the operation answer. */
  #call(
    exchange: Exchange,
    operation: Operation,
    params: Readonly<Record<string, string>>,
  ): Awaitable<Answer> {
    return thenSync(this.#authenticate(exchange, operation) /* 401, 403 */, (caller) => {
      exchange.caller = caller;
      return thenSync(this.#authorize(exchange, operation, caller) /* 401, 403 */, () =>
        thenSync(
          this.#checkReading(exchange, operation, caller) /* 403 */,
          () =>
            operation.contract.body === undefined
              ? this.#perform(exchange, operation, params, undefined) // 400, 422, and then what the operation refuses
              : this.#receive(exchange, operation, params), // 503, 413, 400, 415, and the same
        ),
      );
    });
  }

  #authenticate(exchange: Exchange, { kind, contract }: Operation): Awaitable<Caller> {
    const { authenticator } = this.#dependencies;
    const { skipsAuthentication, takesTokens, takesAssistants } = contract;
    if (skipsAuthentication) return ANONYMOUS;
    if (kind === "page" && !takesTokens) return authenticator.authenticatePerson(exchange);
    return authenticator.authenticate(exchange, takesAssistants);
  }

  #authorize(exchange: Exchange, operation: Operation, caller: Caller): Awaitable<void> {
    const { access } = operation.contract;
    if (access === undefined) return this.#refuseUnintended(exchange, operation, caller);
    return thenSync(currentAccess(access, exchange), (current) => {
      exchange.access = current;
      authorize(caller, current);
      this.#refuseUnintended(exchange, operation, caller);
    });
  }

  /** Refuses what a page of another site may have sent, with the session of its reader or where nobody needs one. */
  #refuseUnintended({ request, client }: Exchange, { kind, contract }: Operation, caller: Caller): void {
    const { changesSession, sendsRequests = false, isBodyOptional = false } = contract;
    const { cors } = this.#dependencies;
    if (changesSession || (caller.by === "session" && (sendsRequests || !isSafe(request.method))))
      refuseCrossSite(request, client, cors);
    // What takes forms from programs: browsers ask before they send any other body.
    else if (isBodyOptional && kind === "api" && caller.account === undefined)
      refuseUnasked(request, client, cors);
  }

  /**
   * Finds out whether a caller may read what it writes.
   * @throws Refusal `forbidden` if it may not, and its request depends on a stored version
   */
  #checkReading(exchange: Exchange, { contract: { reads } }: Operation, caller: Caller): Awaitable<void> {
    if (reads === undefined) return;
    const scope = documentedAccess(reads)?.scope;
    // Without asking for the current rule, for almost all callers.
    if (scope !== undefined && caller.scopes.has(scope)) return;
    return thenSync(currentAccess(reads, exchange), (access) => {
      exchange.mayRead = isAllowed(caller, access);
      if (!exchange.mayRead && dependsOnVersion(exchange.request)) authorize(caller, access);
    });
  }

  /** Reads the body of a request. */
  #receive(
    exchange: Exchange,
    operation: Operation,
    params: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    const { request, peer } = exchange;
    const { contract } = operation;
    const { bodyLimit = this.#dependencies.bodyLimit, isSlow, enter, skipsAuthentication } = contract;
    // While its body arrives, and while a password is verified, a request keeps no others out.
    this.#leave(exchange);
    const handle = async () => {
      const body = await decodeBody(request, contract, exchange.rawBody);
      if (operation.kind === "page") exchange.fields = body as FormFields;
      return this.#perform(exchange, operation, params, body);
    };
    const read = async () => {
      exchange.rawBody = await readBody(request, bodyLimit);
      // A body may take long: who may what, and what is cached, is asked anew.
      exchange.stamp.renew();
      if (!isSlow && !skipsAuthentication) this.#enter(exchange); // 503
      // A client may stall while it sends its body, slow operation or not; the patience begins afterwards.
      return isSlow && peer.withoutIdleTimeout ? peer.withoutIdleTimeout(handle) : handle();
    };
    if (enter === undefined) return read();
    const place = enter();
    return read().finally(() => place[Symbol.dispose]());
  }

  /** Checks all values of a request at once, and has the operation answer. */
  #perform(
    exchange: Exchange,
    operation: Operation,
    params: Readonly<Record<string, string>>,
    body: unknown,
  ): Awaitable<Answer> {
    const { request, search, caller = ANONYMOUS } = exchange;
    const { contract } = operation;
    if (contract.headers?.includes("Idempotency-Key")) exchange.idempotencyKey = idempotencyKeyOf(request);
    if (contract.hasSecret) refuseIdempotencyKey(request);
    const errors: ValidationError[] = [];
    if (contract.params) exchange.params = validate(contract.params, params, "parameters", errors);
    if (contract.query) exchange.query = validateQuery(contract.query, search, errors);
    if (contract.body)
      exchange.body = validate(contract.bodyFor?.(caller) ?? contract.body, body, "body", errors);
    if (operation.kind === "api" && contract.query) findForeignPaging(contract.query, search, errors);
    throwIfInvalid(errors);
    return operation.handle(exchange as Call);
  }
}

function nothingThere(): Refusal {
  return new Refusal("not_found", "Nothing exists at this path.");
}
