import type { ValidationError } from "../../errors.ts";
import { protocolOperations, type RefusedRequest } from "../../http/endpoint.ts";
import type { ResponseData } from "../../http/response-data.ts";

/** An operation of linkding's API, with errors in the format of Django REST framework. */
export const linkdingOperation = protocolOperations(refuseLikeLinkding);

/** `{ "detail": … }`, or 400 with `{ "field": [ … ] }` for an invalid body. */
export function refuseLikeLinkding({ refusal, problem }: RefusedRequest): ResponseData {
  const errors = refusal?.errors ?? [];
  // A path without a valid id is not found.
  if (problem.status === 404 || errors.some(({ parameter }) => parameter === "id"))
    return { status: 404, body: JSON.stringify({ detail: "Not found." }) };
  const status = problem.status === 422 ? 400 : problem.status;
  const value = errors.length > 0 ? byField(errors) : { detail: problem.detail };
  const retryAfter = refusal?.retryAfter;
  return {
    status,
    body: JSON.stringify(value),
    headers: {
      ...refusal?.headers,
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
  };
}

function byField(errors: readonly ValidationError[]): Record<string, string[]> {
  const grouped = Map.groupBy(
    errors,
    ({ pointer, parameter }) => parameter ?? (pointer?.split("/")[1] || "non_field_errors"),
  );
  return Object.fromEntries([...grouped].map(([field, all]) => [field, all.map(({ detail }) => detail)]));
}
