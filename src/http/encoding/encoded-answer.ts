import { type Awaitable, thenSync } from "../../awaitable.ts";
import type { Answer, ReadyBody, StreamedAnswer } from "../answer.ts";
import { hasExactTag } from "../caching/etags.ts";
import {
  type Coding,
  code,
  codingFor,
  EncodedBody,
  encodeStream,
  MIN_BYTES_TO_ENCODE,
  taggedAs,
} from "./content-coding.ts";

/** A streamed answer in a content coding. */
export type EncodedStream = Answer<AsyncGenerator<string | Uint8Array>>;

/**
 * Encodes an answer in its client's preferred coding. Each coding has an entity tag of its own, also in a 304: a cache
 * looks for the tag that it holds.
 */
export function encodeAnswer(
  request: Request,
  answer: Answer | StreamedAnswer,
): Awaitable<Answer<ReadyBody> | EncodedStream> {
  const { body, status } = answer;
  const reads = request.method === "GET" || request.method === "HEAD";
  if (status === 304) return withTagHeld(request, answer as Answer<null>);
  const coding = reads && status === 200 && isWorthCoding(answer) ? codingFor(request) : undefined;
  if (coding !== undefined) return coded(answer, coding);
  return body instanceof EncodedBody ? { ...answer, body: body.plain } : (answer as Answer<ReadyBody>);
}

function isWorthCoding(answer: Answer | StreamedAnswer): boolean {
  const { body } = answer;
  if (body instanceof EncodedBody) return body.plain.size >= MIN_BYTES_TO_ENCODE;
  return typeof body === "string" ? body.length >= MIN_BYTES_TO_ENCODE : isStreamed(answer);
}

function coded(
  answer: Answer | StreamedAnswer,
  coding: Coding,
): Awaitable<Answer<ReadyBody> | EncodedStream> {
  const { body, etag, headers } = answer;
  const head = {
    ...answer,
    ...(etag !== undefined && { etag: taggedAs(etag, coding) }),
    headers: { ...headers, "content-encoding": coding },
  };
  if (isStreamed(answer)) return { ...head, body: encodeStream(answer.body, coding) };
  const bytes: Awaitable<ReadyBody> =
    body instanceof EncodedBody ? body.in(coding) : code(String(body), coding);
  return thenSync(bytes, (body) => ({ ...head, body }));
}

/** A client may hold several forms: the tag of the 304 is that of the form it would get. */
function withTagHeld(request: Request, answer: Answer<null>): Answer<null> {
  if (answer.etag === undefined) return answer;
  const etag = taggedAs(answer.etag, codingFor(request));
  return hasExactTag(request, etag) ? { ...answer, etag } : answer;
}

/** Whether the body of an answer is generated while the client reads it. */
export function isStreamed<A extends { readonly body: unknown }>(
  answer: A,
): answer is Extract<A, { readonly body: AsyncGenerator<unknown> }> {
  const { body } = answer;
  return typeof body === "object" && body !== null && "next" in body;
}
