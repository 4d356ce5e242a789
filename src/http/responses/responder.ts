import { type Awaitable, thenSync } from "../../awaitable.ts";
import { Refusal } from "../../errors.ts";
import type { Log, RequestLine } from "../../log.ts";
import { readBody } from "../body/body.ts";
import { decodeBody, type FormFields } from "../body/body-decoders.ts";
import { encodeResponse, isStreamed } from "../encoding/encode-response.ts";
import { LongResponses } from "../encoding/long-responses.ts";
import { streamResponse } from "../encoding/text-stream.ts";
import type { ProtocolRefusals, RefusalWriter } from "../endpoint.ts";
import { type Exchange, traceIdOf } from "../exchange.ts";
import type { OperationCors } from "../guards/cors.ts";
import { internalErrorResponse, refusalResponse } from "../problems.ts";
import type { ReadyBody, ResponseData, StreamedResponseData } from "../response-data.ts";

const CSP = "default-src 'none'; frame-ancestors 'none'";

const EVERYWHERE = {
  "content-type": "application/json",
  "x-content-type-options": "nosniff",
  "content-security-policy": CSP,
  "referrer-policy": "no-referrer",
  // Other sites may not load a response as an image or a script; CORS decides what they may fetch.
  "cross-origin-resource-policy": "same-origin",
};

/** Common headers by kind of caching; built once, since copying them takes a third of the time. */
const COMMON = {
  public: new Headers({ ...EVERYWHERE, "cache-control": "no-cache", vary: "Accept-Encoding" }),
  personal: new Headers({
    ...EVERYWHERE,
    "cache-control": "private, no-cache",
    vary: "Accept-Encoding, Cookie",
  }),
  private: new Headers({ ...EVERYWHERE, "cache-control": "private, no-store" }),
  immutable: new Headers({
    ...EVERYWHERE,
    "cache-control": "public, max-age=31536000, immutable",
    // Images and style sheets, which web-based feed readers show.
    "cross-origin-resource-policy": "cross-origin",
    vary: "Accept-Encoding",
  }),
} as const;

/** Turns a response into an HTTP response, with the headers that all responses have. */
export function respond(
  data: ResponseData<ReadyBody>,
  requestId: string,
  extra: Readonly<Record<string, string>> | undefined,
): Response {
  const { status, body, contentType, etag, caching = "private", location, cookies, headers } = data;
  // The type of Response excludes bytes shared between threads; our bodies are not shared.
  const response = new Response(body as string, { status, headers: COMMON[caching] });
  const all = response.headers;
  all.set("x-request-id", requestId);
  if (body === null) all.delete("content-type");
  else if (contentType !== undefined) all.set("content-type", contentType);
  if (etag !== undefined) all.set("etag", etag);
  // A response with an entity tag has several codings, each with its own tag.
  if (etag !== undefined && caching === "private") all.set("vary", "Accept-Encoding");
  // A proxy that compresses would make the tag weak.
  if (
    etag !== undefined &&
    (status === 200 || status === 304) &&
    isJson(contentType ?? headers?.["content-type"])
  )
    all.append("cache-control", "no-transform");
  if (location !== undefined) all.set("location", location);
  if (headers !== undefined) setAll(all, headers);
  if (extra !== undefined) {
    const vary = all.get("vary");
    setAll(all, extra);
    // Both headers apply: the response varies by cookie and by origin.
    if (extra.vary !== undefined && vary !== null) all.set("vary", `${vary}, Origin`);
  }
  if (cookies !== undefined) for (const cookie of cookies) all.append("set-cookie", cookie);
  return response;
}

/** Without a type, the content is JSON, also that of a 304. */
function isJson(contentType: string | undefined): boolean {
  return contentType === undefined || contentType.startsWith("application/json");
}

function setAll(all: Headers, more: Readonly<Record<string, string>>): void {
  for (const name in more) all.set(name, more[name] as string);
}

/** Refusals before the body is read that have nothing to do with it. */
const KEEPS_TYPED: ReadonlySet<Refusal["reason"]> = new Set(["unauthenticated", "read_only", "storage_full"]);

/** A request whose response has begun, for logs and metrics. */
interface AnsweredRequest extends RequestLine {
  /** The path of its route as the table has it, such as `/bookmarks/{id}`. */
  readonly route: string | undefined;
  /** Why it was refused, if it was. */
  readonly refusedFor: Refusal["reason"] | undefined;
}

export type Observer = (answered: AnsweredRequest) => void;

export interface ResponderDependencies {
  readonly cors: OperationCors;
  readonly log: Log;
  /** The maximum size of a body, in bytes. */
  readonly bodyLimit: number;
  /** Whether clients reach this server over TLS, as its public address says. */
  readonly isOverTls?: boolean | undefined;
  /** Called for every request once it is answered. */
  readonly observe?: Observer | undefined;
  /** Renders the 404 of an unknown path for clients that want HTML; without it all get JSON. */
  readonly notFoundPage?: RefusalWriter | undefined;
  readonly protocolRefusals?: ProtocolRefusals | undefined;
}

/** Turns the response or the error of a request into a response: encoded, logged and counted. */
export class Responder {
  readonly #dependencies: ResponderDependencies;
  readonly #longResponses = new LongResponses();

  constructor(dependencies: ResponderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Never throws: an error of `answer` becomes a response, too. */
  respondWith(
    exchange: Exchange,
    answer: (exchange: Exchange) => Awaitable<ResponseData | StreamedResponseData>,
  ): Awaitable<Response> {
    try {
      const contentEncoded = thenSync(answer(exchange), (given) => this.#encode(exchange, given));
      return contentEncoded instanceof Promise
        ? this.#respondLater(exchange, contentEncoded)
        : this.#respond(exchange, contentEncoded);
    } catch (error) {
      return this.#respondToError(exchange, error);
    }
  }

  /** Encodes a response in the form that its client prefers. */
  #encode(
    exchange: Exchange,
    given: ResponseData | StreamedResponseData,
  ): Awaitable<ResponseData<ReadyBody>> {
    const { request, requestId } = exchange;
    const { log } = this.#dependencies;
    const longResponses = this.#longResponses;
    const onEnd = (bytes: number) => exchange.streamEnded?.(bytes);
    return thenSync(encodeResponse(request, given), (data) =>
      isStreamed(data) ? streamResponse(data, { requestId, log, longResponses, onEnd }) : data,
    );
  }

  async #respondLater(exchange: Exchange, data: Promise<ResponseData<ReadyBody>>): Promise<Response> {
    try {
      return this.#respond(exchange, await data);
    } catch (error) {
      return this.#respondToError(exchange, error);
    }
  }

  #respond(exchange: Exchange, data: ResponseData<ReadyBody>): Response {
    const { request, peer, requestId, started, match, allowance, loggedAddress, caller } = exchange;
    const { log, observe } = this.#dependencies;
    const cors = this.#dependencies.cors.of(exchange);
    const shared = cors.enabled
      ? { vary: "Accept-Encoding, Origin", ...cors.headersFor(request) }
      : undefined;
    const more = allowance ? { ...shared, ...allowance.headers() } : shared;
    const response = respond(data, requestId, more);
    if (this.#dependencies.isOverTls && !cameWithoutTls(request))
      response.headers.set("strict-transport-security", STRICT_TRANSPORT);
    if (peer.ending) response.headers.set("connection", "close");
    const answered: AnsweredRequest = {
      requestId,
      method: request.method,
      path: exchange.loggedPath,
      route: match?.route.path,
      status: data.status,
      milliseconds: performance.now() - started,
      bytes: request.method === "HEAD" ? 0 : (sizeOf(data.body) ?? 0),
      address: loggedAddress,
      account: caller?.account?.username,
      traceId: traceIdOf(request),
      refusedFor: exchange.refusal?.reason,
    };
    // The size of a streamed response is known at its end.
    if (data.body instanceof ReadableStream && request.method !== "HEAD")
      exchange.streamEnded = (bytes) => log.request({ ...answered, bytes });
    else log.request(answered);
    observe?.(answered);
    return response;
  }

  #respondToError(exchange: Exchange, error: unknown): Awaitable<Response> {
    const { requestId } = exchange;
    const { log } = this.#dependencies;
    const refusal = error instanceof Refusal ? error : undefined;
    exchange.refusal = refusal;
    if (refusal === undefined) log.error("A request failed.", error, { request_id: requestId });
    else if (refusal.cause !== undefined) log.error(refusal.message, refusal, { request_id: requestId });
    const write = this.refusalWriterFor(exchange);
    if (write !== undefined) return this.#respondWithWriter(exchange, refusal, write);
    return this.#respond(exchange, refusal ? refusalResponse(refusal) : internalErrorResponse(requestId));
  }

  /** Pages and protocols write errors in their own form; if that fails, the problem document is sent. */
  async #respondWithWriter(
    exchange: Exchange,
    refusal: Refusal | undefined,
    write: RefusalWriter,
  ): Promise<Response> {
    const { requestId } = exchange;
    try {
      if (refusal !== undefined && KEEPS_TYPED.has(refusal.reason)) await this.#keepTyped(exchange);
      return this.#respond(exchange, (await write(exchange)) as ResponseData<ReadyBody>);
    } catch (error) {
      this.#dependencies.log.error("An error response failed.", error, { request_id: requestId });
      return this.#respond(exchange, refusal ? refusalResponse(refusal) : internalErrorResponse(requestId));
    }
  }

  /**
   * The writer of a refusal that is not a problem document: the requested page or protocol; where nothing is, the 404 page
   * for clients that accept HTML, and the protocol to whose paths the path belongs.
   */
  refusalWriterFor({ request, match, operation, path }: Exchange): RefusalWriter | undefined {
    const { notFoundPage, protocolRefusals = {} } = this.#dependencies;
    if (match === undefined) {
      if (wantsHtml(request) && notFoundPage !== undefined) return notFoundPage;
      return Object.entries(protocolRefusals).find(([beginning]) => path.startsWith(beginning))?.[1];
    }
    if (operation !== undefined) return operation.kind === "api" ? undefined : operation.refuse;
    // Only programs use other methods: their paths such as /bookmarks/.. lead to a page.
    const isOfBrowsers = ["GET", "HEAD", "POST"].includes(request.method);
    for (const other of Object.values(match.route.resource))
      if (other.kind === "protocol" || (other.kind === "page" && isOfBrowsers)) return other.refuse;
    return undefined;
  }

  /** Reads the form of a user whose request was refused for another reason, so that the typed values are not lost. */
  async #keepTyped(exchange: Exchange): Promise<void> {
    const { request, operation } = exchange;
    if (operation?.contract.body === undefined || operation.kind !== "page") return;
    if (exchange.fields !== undefined) return;
    const { bodyLimit = this.#dependencies.bodyLimit } = operation.contract;
    try {
      const rawBody = await readBody(request, bodyLimit);
      exchange.fields = (await decodeBody(request, operation.contract, rawBody)) as FormFields;
    } catch (error) {
      // An unreadable form has no values to show again; the refusal itself matters more.
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** Whether `Accept` names HTML; wildcards do not count. */
function wantsHtml(request: Request): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*[,;]|$))/i.test(request.headers.get("accept") ?? "");
}

/** A year (RFC 6797). Not for subdomains, which may be somebody else's. */
const STRICT_TRANSPORT = "max-age=31536000";

/** Whether a proxy says that a request came to it over plain HTTP, where the header has no place (RFC 6797, section 7.2). */
function cameWithoutTls({ headers }: Request): boolean {
  return headers.get("x-forwarded-proto")?.split(",").at(-1)?.trim().toLowerCase() === "http";
}

/** Size of a body; undefined for a stream. */
function sizeOf(body: ReadyBody): number | undefined {
  if (body === null) return 0;
  if (typeof body === "string") return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  return body instanceof Blob ? body.size : undefined;
}
