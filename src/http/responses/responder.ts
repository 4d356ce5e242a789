import { type Awaitable, thenSync } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import type { Log, RequestLine } from "../../log.ts";
import type { Answer, ReadyBody, StreamedAnswer } from "../answer.ts";
import { readBody } from "../body/body.ts";
import { encodeAnswer, isStreamed } from "../encoding/encoded-answer.ts";
import { streamAnswer } from "../encoding/stream-answer.ts";
import type { StreamBudget } from "../encoding/stream-budget.ts";
import { isPage, type RefusalWriter } from "../endpoint.ts";
import type { Exchange } from "../exchange.ts";
import type { OperationCors } from "../guards/operation-cors.ts";
import { findOperation } from "../methods.ts";
import { decodeBody } from "../perform.ts";
import { internalErrorAnswer, refusalAnswer } from "../problems.ts";
import { refusalWriterFor, refusedRequest } from "./refused-page.ts";
import { respond } from "./respond.ts";

/** A request whose answer has begun, for logs and metrics. */
export interface Answered extends RequestLine {
  /** The path of its route as the table has it, such as `/bookmarks/{id}`. */
  readonly route: string | undefined;
}

export type Observer = (answered: Answered) => void;

export interface ResponderDependencies {
  readonly cors: OperationCors;
  readonly log: Log;
  /** The maximum size of a body, in bytes. */
  readonly bodyLimit: number;
  /** Memory for long answers. */
  readonly streams: StreamBudget;
  /** Called for every request once it is answered. */
  readonly observe?: Observer | undefined;
  /** Renders the 404 of an unknown path for clients that want HTML; without it all get JSON. */
  readonly notFoundPage: () => RefusalWriter | undefined;
}

/** Turns the answer or the error of a request into a response: encoded, logged and counted. */
export class Responder {
  readonly #dependencies: ResponderDependencies;

  constructor(dependencies: ResponderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Never throws: an error of `answer` becomes a response, too. */
  respondWith(exchange: Exchange, answer: () => Awaitable<Answer | StreamedAnswer>): Awaitable<Response> {
    try {
      const contentEncoded = thenSync(answer(), (given) => this.#encode(exchange, given));
      return contentEncoded instanceof Promise
        ? this.#respondLater(exchange, contentEncoded)
        : this.#respond(exchange, contentEncoded);
    } catch (error) {
      return this.#respondToError(exchange, error);
    }
  }

  /** Encodes an answer in the form that its client prefers. */
  #encode({ request, requestId }: Exchange, given: Answer | StreamedAnswer): Awaitable<Answer<ReadyBody>> {
    const { log, streams } = this.#dependencies;
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
    const { log, observe } = this.#dependencies;
    const cors = this.#dependencies.cors.of(exchange);
    const shared = cors.enabled
      ? { vary: "Accept-Encoding, Origin", ...cors.headersFor(request) }
      : undefined;
    const response = respond(answer, requestId, allowance ? { ...shared, ...allowance.headers() } : shared);
    if (peer.ending) response.headers.set("connection", "close");
    const answered: Answered = {
      requestId,
      method: request.method,
      path: exchange.loggedPath,
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
    const { log } = this.#dependencies;
    const refusal = error instanceof Refusal ? error : undefined;
    if (refusal === undefined) log.error("A request failed.", error, { request_id: requestId });
    else if (refusal.cause !== undefined) log.error(refusal.message, refusal, { request_id: requestId });
    const write = refusalWriterFor(exchange, this.#dependencies.notFoundPage());
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
      this.#dependencies.log.error("An error page failed.", error, { request_id: requestId });
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
      await decodeBody(exchange, operation, await readBody(request, this.#dependencies.bodyLimit));
    } catch (error) {
      // An unreadable form has no values to show again; the refusal itself matters more.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
