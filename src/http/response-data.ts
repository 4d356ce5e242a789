import type { EncodedBody } from "./encoding/content-coding.ts";

/** A body in a type that the runtime's Response accepts. */
export type ReadyBody = string | Uint8Array | Blob | ReadableStream<Uint8Array> | null;

/**
 * Who may cache a response: `public` anyone, with revalidation; `personal` the person's browser, so that going back
 * keeps typed text; `private` no one; `immutable` anyone, without revalidation.
 */
export type Caching = "public" | "personal" | "private" | "immutable";

/**
 * The data of a response, as a handler returns it. `responses/responder.ts` makes the `Response` from it: only there are
 * the common headers added.
 */
export interface ResponseData<Body = ReadyBody | EncodedBody> {
  readonly status: number;
  readonly body: Body;
  /** The media type of the body; JSON when absent. */
  readonly contentType?: string;
  /** The strong entity tag, quotes included. */
  readonly etag?: string;
  /** By default `private`. */
  readonly caching?: Caching;
  readonly location?: string;
  /** When it expires even without a commit, in milliseconds since 1970; for the cache. */
  readonly validUntil?: number;
  /** `Set-Cookie` headers, of which a response may have several. */
  readonly cookies?: readonly string[];
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A response whose body is generated while the client reads it (`encoding/text-stream.ts`). */
export type StreamedResponseData = ResponseData<AsyncGenerator<string>>;

/** 200 with a JSON body. */
export function ok(
  value: unknown,
  more: Pick<ResponseData, "etag" | "caching" | "headers"> = {},
): ResponseData {
  return { status: 200, body: JSON.stringify(value), ...more };
}

/** The header with the number of records of a list, on all its pages. */
export function totalCount(count: number): { readonly "x-total-count": string } {
  return { "x-total-count": String(count) };
}

/** 201 with a JSON body, the record's `Location` and its entity tag (RFC 9110, section 15.3.2). */
export function created(location: string, value: unknown, etag: string): ResponseData {
  return { status: 201, body: JSON.stringify(value), location, etag };
}

/** 204, no content. */
export function noContent(headers?: Readonly<Record<string, string>>): ResponseData {
  return { status: 204, body: null, ...(headers && { headers }) };
}

/** 304: the client's copy is current. */
export function notModified(etag: string, caching: Caching, contentType?: string): ResponseData {
  return { status: 304, body: null, etag, caching, ...(contentType !== undefined && { contentType }) };
}
