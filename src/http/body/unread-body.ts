import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../awaitable.ts";
import { timeLimit } from "../../time-limit.ts";
import { type BodyReader, takeUnread } from "./body.ts";

/** A body of at most this many bytes is read before the response is sent, so that its connection can stay open. */
const SHORT = 16 * 1024;
/** How long a client may pause while the rest of its body is discarded, in milliseconds. */
const STALL_TIMEOUT = 1_000;
/** How long the rest of a body is discarded in total, in milliseconds. */
const DISCARD_TIMEOUT = 30_000;
/** At most this many long bodies are discarded at once, since discarded bytes stay in memory until collected. */
const DISCARDED_MAX = 16;
let discarding = 0;

/** The runtime discards the bodies of these methods and does not report their end. */
const HIDDEN = new Set(["GET", "HEAD", "TRACE"]);
/** How long such a body may take to arrive before its request is answered, in milliseconds. */
const HIDDEN_BODY_WAIT_MS = 100;
/** A chunked body that ends within this time arrived together with its head, in milliseconds. */
const WITH_HEAD_MS = 20;

/**
 * Closes the connection of a response that is sent before the whole body of its request has arrived (RFC 9112, section
 * 9.6). Proxies reuse connections: on an open one, the rest of the body would precede another client's request.
 *
 * The response leaves at once; its end, and the end of the connection, wait until the rest of the body has come and was
 * discarded. If it were closed at once, the client would be reset in the middle of its upload, and might never see
 * the response.
 *
 * A GET with a body is answered a moment later for the same reason: a client that sends the body in a packet of its
 * own would be reset in the middle of the response.
 */
export function closeBeforeBody(request: Request, handle: () => Awaitable<Response>): Awaitable<Response> {
  if (!announcesBody(request)) return handle();
  if (HIDDEN.has(request.method)) return answerAfterHiddenBody(handle);
  return answerBesideBody(request, handle);
}

async function answerBesideBody(request: Request, handle: () => Awaitable<Response>): Promise<Response> {
  const given = await handle();
  const rest = takeUnread(request);
  return rest === undefined ? given : answerDuringBody(request, given, rest);
}

function announcesBody({ headers }: Request): boolean {
  const length = headers.get("content-length");
  return length === null ? headers.has("transfer-encoding") : length !== "0";
}

async function answerAfterHiddenBody(handle: () => Awaitable<Response>): Promise<Response> {
  await sleep(HIDDEN_BODY_WAIT_MS);
  return closing(await handle());
}

async function answerDuringBody(request: Request, response: Response, rest: BodyReader): Promise<Response> {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) <= SHORT) return (await discard(rest)) ? response : closing(response);
  if (discarding >= DISCARDED_MAX) {
    rest.cancel().catch(() => {});
    return closing(response);
  }
  discarding++;
  const discarded = discard(rest).finally(() => discarding--);
  if (length === null && (await Promise.race([discarded, sleep(WITH_HEAD_MS, false)]))) return response;
  if (response.body !== null) return lingering(response, response.body, rest, discarded);
  // A response without a body has no end that could be delayed.
  return (await discarded) ? response : closing(response);
}

function closing(response: Response): Response {
  response.headers.set("connection", "close");
  return response;
}

/** The response as a stream that ends when the rest of the request's body is discarded. */
function lingering(
  { status, headers }: Response,
  body: ReadableStream<Uint8Array>,
  rest: BodyReader,
  discarded: Promise<unknown>,
): Response {
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      for await (const bytes of body) controller.enqueue(bytes);
      await discarded;
      controller.close();
    },
    async cancel() {
      await rest.cancel();
    },
  });
  return closing(new Response(stream, { status, headers }));
}

/** @returns whether the body ended in time; also false when the client disconnected */
async function discard(rest: BodyReader): Promise<boolean> {
  let isLate = false;
  const giveUp = () => {
    isLate = true;
    rest.cancel().catch(() => {});
  };
  const stalled = setTimeout(giveUp, timeLimit(STALL_TIMEOUT));
  const overdue = setTimeout(giveUp, timeLimit(DISCARD_TIMEOUT));
  try {
    while (!(await rest.read()).done) stalled.refresh();
    return !isLate;
  } catch {
    return false;
  } finally {
    clearTimeout(stalled);
    clearTimeout(overdue);
  }
}
