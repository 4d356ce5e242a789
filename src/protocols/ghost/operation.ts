import { z } from "zod";
import { Refusal } from "../../errors.ts";
import {
  type Call,
  type ProtocolOperation,
  protocolOperations,
  type RefusedRequest,
} from "../../http/endpoint.ts";
import { refusalHeaders } from "../../http/problems.ts";
import type { ResponseData } from "../../http/response-data.ts";

/** The version of Ghost whose API this is; clients compare it. */
export const CONTENT_VERSION = { "content-version": "v6.0" };

export const params = z.object({ id: z.string().optional(), slug: z.string().optional() });

export type GhostCall = Call<typeof params>;

/**
 * An operation of Ghost's Content API: it needs no account, pages of any origin may read the response, and errors
 * have Ghost's format.
 */
export const ghostOperation = protocolOperations(refuseLikeGhost, {
  ...{ skipsAuthentication: true, anyOrigin: true },
});

const earlier = z.object({ version: z.string(), rest: z.string() });

/** The versions that clients name in the path; since Ghost 5 they name it in a header. */
const EARLIER = /^(?:v\d+(?:\.\d+)?|canary)$/;

/** Leads a path with a version, such as `/ghost/api/v4/content/posts/`, to the one without it. */
export function ghostRedirect(): ProtocolOperation {
  return ghostOperation({ params: earlier }, ({ path, search, params }) => {
    if (!EARLIER.test(params.version)) throw ghostNotFound("Resource");
    const location = path.replace(`/${params.version}/`, "/") + search;
    return { status: 307, body: null, location, headers: CONTENT_VERSION };
  });
}

/** The names of Ghost's errors by status; its clients throw errors of these names. */
const TYPES: Readonly<Record<number, string>> = {
  400: "BadRequestError",
  401: "UnauthorizedError",
  403: "NoPermissionError",
  404: "NotFoundError",
  405: "MethodNotAllowedError",
  422: "ValidationError",
  429: "TooManyRequestsError",
  503: "MaintenanceError",
};

/** Writes a refusal as Ghost does, for its clients. */
export function refuseLikeGhost({ refusal, problem }: RefusedRequest): ResponseData {
  const [first] = refusal?.errors ?? [];
  const status = problem.status;
  const error = {
    message: first?.detail ?? problem.detail,
    context: first === undefined ? null : problem.detail,
    type: TYPES[status] ?? "InternalServerError",
    details: null,
    property: first?.parameter ?? null,
    help: null,
    code: status === 401 ? "UNKNOWN_CONTENT_API_KEY" : null,
    id: crypto.randomUUID(),
    ghostErrorCode: null,
  };
  return {
    status,
    body: JSON.stringify({ errors: [error] }),
    headers: { ...(refusal && refusalHeaders(refusal)), ...CONTENT_VERSION },
  };
}

/** 400 for an invalid parameter. @param position of the error in its value, in code points from 0 */
export function badParameter(parameter: string, detail: string, position?: number): Refusal {
  const at = position === undefined ? "" : ` At character ${position + 1}.`;
  return new Refusal("malformed", `The parameter ${parameter} cannot be read.`, {
    errors: [{ parameter, code: "unexpected", detail: detail + at, position }],
  });
}

/** 404 for a record; `noun` as Ghost writes it, such as `Post`. */
export function ghostNotFound(noun: string): Refusal {
  return new Refusal("not_found", `${noun} not found.`);
}
