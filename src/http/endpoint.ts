import type { z } from "zod";
import type { Awaitable } from "../awaitable.ts";
import type { RequestStamp } from "../database/request-stamp.ts";
import type { Reason, Refusal } from "../errors.ts";
import type { Access, AccessPolicy, Caller, SentByClient } from "./access.ts";
import type { AcceptedBodies, FormFields } from "./body/body-decoders.ts";
import type { Problem } from "./problems.ts";
import type { ResponseData, StreamedResponseData } from "./response-data.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type Shape = z.ZodObject | undefined;
type Parsed<S extends Shape> = S extends z.ZodObject ? z.output<S> : undefined;

/** A request as it has arrived. */
export interface SentRequest extends SentByClient {
  /** For caches, also of rules of access. */
  readonly stamp: RequestStamp;
  /** The path of this request, percent-encoded, without the query. */
  readonly path: string;
  /** The raw query, `?` included; empty when there is none. */
  readonly search: string;
}

/** A request after all checks of the contract: typed and valid. It is the dispatcher's `Exchange`. Handlers only read it; pages add what they show (`web/page.tsx`). */
export interface Call<P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>
  extends SentRequest {
  readonly caller: Caller;
  /** The current access rule, if the contract has one. */
  readonly access: Access | undefined;
  /** Whether the caller may read what the operation writes; true where the contract does not say who may (`reads`). */
  readonly mayRead: boolean;
  readonly params: Parsed<P>;
  readonly query: Parsed<Q>;
  readonly body: Parsed<B>;
  /** The raw body; empty when the endpoint takes none. */
  readonly rawBody: Uint8Array;
  /** Set where the contract lists the header `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

/** A group of operations in the OpenAPI document. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The tag of operations of the server itself. */
export const SERVICE_TAG: Tag = {
  name: "Service",
  description: "The server itself: its health and its API.",
};

/** A possible response of an endpoint, for the OpenAPI document. */
export interface DocumentedResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** JSON when absent; a list for a file of one of these types, which has no schema, besides JSON where there is one. */
  readonly contentType?: string | readonly string[];
  readonly example?: unknown;
  /** Names of response headers, described in `openapi/headers.ts`. */
  readonly headers?: readonly string[];
}

/** The 304 of reads with an `ETag`. */
export const NOT_MODIFIED_RESPONSE: DocumentedResponse = {
  description: "Not modified: the client's copy is current.",
  headers: ["ETag"],
};

/** The requirements on a request. */
export interface RequestContract<P extends Shape, Q extends Shape, B extends Shape> extends AcceptedBodies {
  /** Who may call it; anyone when absent. */
  readonly access?: Access | AccessPolicy;
  /**
   * Who may read the records that it writes. To any other caller, a token with a scope to write alone, the handler
   * answers with nothing but what the request has sent, and a request that depends on a stored version is refused: both
   * would be ways to read.
   */
  readonly reads?: Access | AccessPolicy;
  /** Whether only some of its requests write: where nothing can be stored, the handler refuses those. */
  readonly maySkipWriting?: boolean;
  /** Whether it is served on a full disk, from room that is set aside, as DELETE is: what leads to deleting records. */
  readonly usesReserve?: boolean;
  /**
   * Skips authentication, even of a stale token: for signing in, and for health checks, which must answer also when
   * the database, which has the tokens, is unavailable.
   */
  readonly skipsAuthentication?: boolean;
  /**
   * Of a page: a file for programs, such as a feed or a download. There a token counts as it does in the API; on all
   * other pages only sessions do.
   */
  readonly takesTokens?: boolean;
  /** Whether the tokens of assistants are valid here; everything else refuses them. */
  readonly takesAssistants?: boolean;
  /** Creates or ends a session, so cross-site requests are refused. */
  readonly changesSession?: boolean;
  /** Makes the server send requests, so cross-site requests with a session are refused, although it is a GET. */
  readonly sendsRequests?: boolean;
  /**
   * Pages of any origin may call it and read its responses, whatever CORS_ORIGINS says, since cookies are not
   * accepted here.
   */
  readonly anyOrigin?: boolean;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** A stricter schema of the body for some callers. */
  readonly bodyFor?: (caller: Caller) => B;
  /** Whether its response, to a request with a body, may take longer than a connection may be idle. */
  readonly isSlow?: boolean;
  /**
   * Takes a place for a request whose body is large, before it is read; the place is given back after the response.
   * @throws Refusal `unavailable` when all places are taken
   */
  readonly enter?: () => Disposable;
  /** Largest body in bytes, where it differs from the server's general limit. */
  readonly bodyLimit?: number;
  /** Whether a response has a secret, which is not stored: then an `Idempotency-Key` is refused. */
  readonly hasSecret?: boolean;
  /** Names of the request headers that matter here, described in `openapi/headers.ts`. */
  readonly headers?: readonly string[];
}

/** The contract of one operation: its input and responses. The OpenAPI document is generated from these. */
export interface Contract<P extends Shape, Q extends Shape, B extends Shape>
  extends RequestContract<P, Q, B> {
  /** A unique name for generated clients, such as `createBookmark`. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  /** An example of the body. */
  readonly example?: unknown;
  readonly responses: Readonly<Record<number, DocumentedResponse>>;
  /**
   * The refusals specific to this operation; those that follow from its shape are added. A complete refusal becomes
   * an example in the document.
   */
  readonly refusals: readonly (Reason | Refusal)[];
  /** Whether it is left out of the OpenAPI document, as pages are. */
  readonly hidden?: boolean;
}

/** A contract and its handler. */
export interface Endpoint {
  readonly kind: "api";
  // biome-ignore lint/suspicious/noExplicitAny: one table has endpoints of all shapes
  readonly contract: Contract<any, any, any>;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly handle: (call: Call<any, any, any>) => Awaitable<ResponseData | StreamedResponseData>;
}

/**
 * A page for people: not part of the OpenAPI document, with HTML errors; its forms are accepted only from this
 * site.
 */
export interface Page {
  readonly kind: "page";
  // biome-ignore lint/suspicious/noExplicitAny: as of endpoints
  readonly contract: RequestContract<any, any, any>;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly handle: (call: Call<any, any, any>) => Awaitable<ResponseData | StreamedResponseData>;
  readonly refuse: RefusalWriter;
}

/**
 * An operation of another project's protocol. It is not in the OpenAPI document, and its errors have that protocol's
 * format.
 */
export interface ProtocolOperation {
  readonly kind: "protocol";
  // biome-ignore lint/suspicious/noExplicitAny: as of endpoints
  readonly contract: RequestContract<any, any, any>;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly handle: (call: Call<any, any, any>) => Awaitable<ResponseData | StreamedResponseData>;
  readonly refuse: RefusalWriter;
}

/** Writes the response for a request that was refused, or failed. */
export type RefusalWriter = (refused: RefusedRequest) => Awaitable<ResponseData>;

/** The writers of refusals of other projects' protocols, by the beginning of their paths, such as `/ghost/api/`. */
export type ProtocolRefusals = Readonly<Record<string, RefusalWriter>>;

/** A refused request, with what was known about it at that time. */
export interface RefusedRequest extends SentRequest {
  /** Undefined for an internal error. */
  readonly refusal: Refusal | undefined;
  readonly problem: Problem;
  /** Undefined if it was refused before authentication. */
  readonly caller: Caller | undefined;
  /** The path's parameters before validation. */
  readonly pathParams: Readonly<Record<string, string>>;
  /** The typed values, if a form was sent and could be parsed. */
  readonly fields: FormFields | undefined;
}

/** The operation of a path for one method. Those of the API are refused with problem documents (RFC 9457). */
export type Operation = Endpoint | Page | ProtocolOperation;

/** The operations at one path by method; HEAD and OPTIONS are automatic. */
export type Resource = Readonly<Partial<Record<Method, Operation>>>;

/** The URL surface: from a path with `{parameters}` to its resource. */
export type Routes = Readonly<Record<string, Resource>>;

/** The routes of several parts; one that is off is absent. Each path belongs to one part. */
export function mergeRoutes(...parts: readonly (Routes | false | undefined)[]): Routes {
  const all: Record<string, Resource> = {};
  for (const part of parts)
    for (const [path, resource] of Object.entries(part || {})) {
      if (Object.hasOwn(all, path)) throw new Error(`Two parts declare ${path}.`);
      all[path] = resource;
    }
  return all;
}

/** Binds a contract to its handler; the types of the call come from the contract's schemas. */
export function endpoint<
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends Shape = undefined,
>(
  contract: Contract<P, Q, B>,
  handle: (call: Call<P, Q, B>) => Awaitable<ResponseData | StreamedResponseData>,
): Endpoint {
  return { kind: "api", contract, handle };
}

/** Makes the operations of a protocol of another program. @param common what all its contracts have in common */
export function protocolOperations(
  refuse: RefusalWriter,
  common: Pick<RequestContract<undefined, undefined, undefined>, "skipsAuthentication" | "anyOrigin"> = {},
) {
  return <P extends Shape = undefined, Q extends Shape = undefined, B extends Shape = undefined>(
    contract: RequestContract<P, Q, B>,
    handle: (call: Call<P, Q, B>) => Awaitable<ResponseData | StreamedResponseData>,
  ): ProtocolOperation => ({ kind: "protocol", contract: { ...contract, ...common }, handle, refuse });
}
