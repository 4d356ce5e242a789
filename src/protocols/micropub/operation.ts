import { Refusal, type ValidationError } from "../../errors.ts";
import { protocolOperations, type RefusedRequest } from "../../http/endpoint.ts";
import { refusalHeaders } from "../../http/problems.ts";
import type { ResponseData } from "../../http/response-data.ts";

/**
 * An operation of Micropub: open to pages of any origin, since it accepts only tokens; errors have Micropub's
 * format.
 */
export const micropubOperation = protocolOperations(refuse, { anyOrigin: true });

/** 400: the request is malformed or cannot be carried out. */
export function invalidRequest(detail: string): Refusal {
  return new Refusal("malformed", detail);
}

/** 401 by the Recommendation, section 3.8, where RFC 6750 has 403. @param scope the missing scope */
export function insufficientScope(scope: string): Refusal {
  return new Refusal("unauthenticated", `This token lacks the scope ${scope}.`, {
    headers: {
      "www-authenticate": `Bearer realm="commonplace", error="insufficient_scope", scope="${scope}"`,
    },
  });
}

/**
 * `{ "error", "error_description" }` with the codes of the Recommendation. Anything without a code of its own is
 * `invalid_request`.
 */
function refuse({ refusal, problem }: RefusedRequest): ResponseData {
  const isInput = [404, 409, 412, 422].includes(problem.status);
  const status = isInput ? 400 : problem.status;
  const headers = refusal && refusalHeaders(refusal);
  const error =
    status === 401
      ? (headers?.["www-authenticate"] ?? "").includes("insufficient_scope")
        ? "insufficient_scope"
        : "unauthorized"
      : status === 403
        ? "forbidden"
        : status >= 500
          ? "temporarily_unavailable"
          : "invalid_request";
  const details = (refusal?.errors ?? []).map(said);
  const description = details.length > 0 ? details.join(" ") : problem.detail;
  return {
    status,
    body: JSON.stringify({ error, error_description: description }),
    ...(headers && { headers }),
  };
}

function said({ pointer, parameter, detail }: ValidationError): string {
  const field = parameter ?? pointer?.slice(1);
  return field ? `${field}: ${detail}` : detail;
}
