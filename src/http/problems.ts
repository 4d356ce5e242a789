import type { Reason, Refusal, ValidationError } from "../errors.ts";
import type { ResponseData } from "./response-data.ts";

/** The media type of an error (RFC 9457, section 3). */
export const PROBLEM_TYPE = "application/problem+json";

/**
 * The one table from reason to HTTP status and title (RFC 9110, section 15). What the pages and other programs' protocols
 * call a status: `web/messages/en.ts` and the `operation.ts` of each protocol.
 */
export const statusOf: Readonly<Record<Reason, { readonly status: number; readonly title: string }>> = {
  misdirected: { status: 421, title: "Misdirected Request" },
  unavailable: { status: 503, title: "Service Unavailable" },
  too_many_requests: { status: 429, title: "Too Many Requests" },
  not_found: { status: 404, title: "Not Found" },
  method_not_allowed: { status: 405, title: "Method Not Allowed" },
  unauthenticated: { status: 401, title: "Unauthorized" },
  forbidden: { status: 403, title: "Forbidden" },
  too_large: { status: 413, title: "Content Too Large" },
  unsupported_media_type: { status: 415, title: "Unsupported Media Type" },
  malformed: { status: 400, title: "Bad Request" },
  invalid: { status: 422, title: "Unprocessable Content" },
  precondition_failed: { status: 412, title: "Precondition Failed" },
  conflict: { status: 409, title: "Conflict" },
  storage_full: { status: 507, title: "Insufficient Storage" },
  read_only: { status: 503, title: "Service Unavailable" },
};

/** An error as it leaves the server (RFC 9457). */
export interface Problem {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly ValidationError[];
}

/** The response for a refusal, as JSON. */
export function refusalResponse(refusal: Refusal): ResponseData<string> {
  return { ...problemResponse(problemOf(refusal)), headers: refusalHeaders(refusal) };
}

/** The response for an internal error, as JSON. */
export function internalErrorResponse(requestId: string): ResponseData<string> {
  return problemResponse(internalProblem(requestId));
}

/** A refusal as clients read it. */
export function problemOf(refusal: Refusal): Problem {
  const { status, title } = statusOf[refusal.reason];
  const { message: detail, errors } = refusal;
  return { type: "about:blank", title, status, detail, ...(errors.length > 0 && { errors }) };
}

/** An internal error as clients read it: only the request id, under which the log has the details. */
export function internalProblem(requestId: string): Problem {
  return {
    type: "about:blank",
    title: "Internal Server Error",
    status: 500,
    detail: `Internal error. Details are in the server's log under the request id ${requestId}.`,
  };
}

/** The headers of a refusal, in any format. */
export function refusalHeaders({ headers, retryAfter }: Refusal): Readonly<Record<string, string>> {
  return { ...headers, ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }) };
}

function problemResponse(problem: Problem): ResponseData<string> {
  return { status: problem.status, body: JSON.stringify(problem), contentType: PROBLEM_TYPE };
}
