import type { Awaitable } from "../awaitable.ts";
import type { ValidationError } from "../errors.ts";
import { decoderFor, type FormFields, JSON_BODY } from "./body/body-decoders.ts";
import type { Call, Operation } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";
import { idempotencyKeyOf, refuseIdempotencyKey } from "./idempotency.ts";
import { findForeignPaging } from "./pagination.ts";
import type { ResponseData, StreamedResponseData } from "./response-data.ts";
import { throwIfInvalid, validate, validateQuery } from "./validation.ts";

/** An authorized call, before its body and values are checked. */
export interface AllowedCall
  extends Pick<Call, "request" | "client" | "caller" | "access" | "mayRead" | "moment" | "path" | "search"> {
  readonly operation: Operation;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** Checks the body's type and syntax, then all values at once, and only then has the operation answer. */
export function perform(
  exchange: Exchange,
  allowed: AllowedCall,
  rawBody: Uint8Array,
): Awaitable<ResponseData | StreamedResponseData> {
  if (allowed.operation.contract.body === undefined) return performWith(allowed, rawBody, undefined);
  return decodeBody(exchange, allowed.operation, rawBody).then((body) => performWith(allowed, rawBody, body));
}

/** Decodes a body; the fields of a page's form are stored in the exchange, in case it is refused. */
export async function decodeBody(
  exchange: Exchange,
  operation: Operation,
  rawBody: Uint8Array,
): Promise<unknown> {
  const { request } = exchange;
  const { takes = [JSON_BODY], isBodyOptional } = operation.contract;
  if (isBodyOptional && rawBody.length === 0 && !request.headers.has("content-type")) return {};
  const body = await decoderFor(request, takes).decode(rawBody, request);
  if (operation.kind === "page") exchange.fields = body as FormFields;
  return body;
}

function performWith(
  allowed: AllowedCall,
  rawBody: Uint8Array,
  body: unknown,
): Awaitable<ResponseData | StreamedResponseData> {
  const { request, client, caller, access, mayRead, moment, path, search, operation, pathParams } = allowed;
  const { contract } = operation;
  const idempotencyKey = contract.headers?.includes("Idempotency-Key")
    ? idempotencyKeyOf(request)
    : undefined;
  if (contract.hasSecret) refuseIdempotencyKey(request);
  const errors: ValidationError[] = [];
  const call: Call = {
    request,
    client,
    caller,
    access,
    mayRead,
    moment,
    path,
    search,
    params: contract.params && validate(contract.params, pathParams, "parameters", errors),
    query: contract.query && validateQuery(contract.query, search, errors),
    body: contract.body && validate(contract.bodyFor?.(caller) ?? contract.body, body, "body", errors),
    rawBody,
    idempotencyKey,
  };
  if (operation.kind === "api" && contract.query) findForeignPaging(contract.query, search, errors);
  throwIfInvalid(errors);
  return operation.handle(call);
}
