import type { Awaitable } from "../../awaitable.ts";
import { hasExactTag } from "../caching/etags.ts";
import type { ReadyBody, ResponseData, StreamedResponseData } from "../response-data.ts";
import { type Coding, code, codingFor, EncodedBody, encodeStream, taggedAs } from "./content-coding.ts";

/** Smallest body that is encoded, in bytes (of a text, in UTF-16 units): below it, encoding costs more than it saves. */
const MIN_BYTES_TO_ENCODE = 1_024;

/** A streamed response in a content coding. */
export type EncodedStream = ResponseData<AsyncGenerator<string | Uint8Array>>;

/**
 * Encodes a response in its client's preferred coding. Each coding has its own entity tag, also in a 304: a cache
 * looks for the tag that it holds.
 */
export function encodeResponse(
  request: Request,
  response: ResponseData | StreamedResponseData,
): Awaitable<ResponseData<ReadyBody> | EncodedStream> {
  const { body, status } = response;
  const reads = request.method === "GET" || request.method === "HEAD";
  if (status === 304) return withTagHeld(request, response as ResponseData<null>);
  const coding = reads && status === 200 && isWorthCoding(response) ? codingFor(request) : undefined;
  if (coding !== undefined) return coded(response, coding);
  return body instanceof EncodedBody
    ? { ...response, body: body.plain }
    : (response as ResponseData<ReadyBody>);
}

function isWorthCoding(response: ResponseData | StreamedResponseData): boolean {
  const { body } = response;
  if (body instanceof EncodedBody) return body.plain.size >= MIN_BYTES_TO_ENCODE;
  return typeof body === "string" ? body.length >= MIN_BYTES_TO_ENCODE : isStreamed(response);
}

async function coded(
  response: ResponseData | StreamedResponseData,
  coding: Coding,
): Promise<ResponseData<ReadyBody> | EncodedStream> {
  const { body, etag, headers } = response;
  const head = {
    ...response,
    ...(etag !== undefined && { etag: taggedAs(etag, coding) }),
    headers: { ...headers, "content-encoding": coding },
  };
  if (isStreamed(response)) return { ...head, body: encodeStream(response.body, coding) };
  return {
    ...head,
    body: await (body instanceof EncodedBody ? body.in(coding) : code(String(body), coding)),
  };
}

/** A client may hold several forms: the tag of the 304 is that of the form it would get. */
function withTagHeld(request: Request, response: ResponseData<null>): ResponseData<null> {
  if (response.etag === undefined) return response;
  const etag = taggedAs(response.etag, codingFor(request));
  return hasExactTag(request, etag) ? { ...response, etag } : response;
}

/** Whether the body of a response is generated while the client reads it. */
export function isStreamed<A extends { readonly body: unknown }>(
  answer: A,
): answer is Extract<A, { readonly body: AsyncGenerator<unknown> }> {
  const { body } = answer;
  return typeof body === "object" && body !== null && "next" in body;
}
