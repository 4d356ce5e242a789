import { type Awaitable, whenThere } from "../../awaitable.ts";
import type { Answer, AnswerInPieces, ReadyBody } from "../answer.ts";
import { holdsTag } from "../caching/etags.ts";
import {
  type Coding,
  code,
  codePieces,
  codingFor,
  SharedBytes,
  taggedAs,
  WORTH_CODING,
} from "./content-coding.ts";

/** An answer that is made in pieces, each as it is sent. */
export type CodedPieces = Answer<AsyncGenerator<string | Uint8Array>>;

/**
 * An answer to a read in the form that its client wants most. What is coded has a tag of its own, and so has the
 * 304 for it: a cache looks for the one that it holds.
 */
export function codedFor(
  request: Request,
  answer: Answer | AnswerInPieces,
): Awaitable<Answer<ReadyBody> | CodedPieces> {
  const { body, status } = answer;
  const reads = request.method === "GET" || request.method === "HEAD";
  if (status === 304) return withTagHeld(request, answer as Answer<null>);
  const coding = reads && status === 200 && isWorthCoding(answer) ? codingFor(request) : undefined;
  if (coding !== undefined) return coded(answer, coding);
  return body instanceof SharedBytes ? { ...answer, body: body.plain } : (answer as Answer<ReadyBody>);
}

function isWorthCoding(answer: Answer | AnswerInPieces): boolean {
  const { body } = answer;
  if (body instanceof SharedBytes) return body.plain.size >= WORTH_CODING;
  return typeof body === "string" ? body.length >= WORTH_CODING : isInPieces(answer);
}

function coded(answer: Answer | AnswerInPieces, coding: Coding): Awaitable<Answer<ReadyBody> | CodedPieces> {
  const { body, etag, headers } = answer;
  const head = {
    ...answer,
    ...(etag !== undefined && { etag: taggedAs(etag, coding) }),
    headers: { ...headers, "content-encoding": coding },
  };
  if (isInPieces(answer)) return { ...head, body: codePieces(answer.body, coding) };
  const bytes: Awaitable<ReadyBody> =
    body instanceof SharedBytes ? body.in(coding) : code(String(body), coding);
  return whenThere(bytes, (body) => ({ ...head, body }));
}

/** A client may hold the plain form and coded ones: the tag of the 304 says which of them it would be sent. */
function withTagHeld(request: Request, answer: Answer<null>): Answer<null> {
  if (answer.etag === undefined) return answer;
  const etag = taggedAs(answer.etag, codingFor(request));
  return holdsTag(request, etag) ? { ...answer, etag } : answer;
}

/** Whether the body of an answer is made in pieces, as the client reads them. */
export function isInPieces<A extends { readonly body: unknown }>(
  answer: A,
): answer is Extract<A, { readonly body: AsyncGenerator<unknown> }> {
  const { body } = answer;
  return typeof body === "object" && body !== null && "next" in body;
}
