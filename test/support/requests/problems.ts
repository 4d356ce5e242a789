import { expect } from "bun:test";
import type { ValidationError } from "../../../src/errors.ts";

/** The reason phrases of RFC 9110, section 15: the titles of `about:blank` problems. */
const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};

/** An error body (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly ValidationError[];
}

/** The parts of an error on which a client can rely: its location and its code. */
export type ErrorLocation = Pick<ValidationError, "pointer" | "parameter" | "code">;

/** Checks that a response is a complete problem with this status. */
export async function expectProblem(response: Response, status: number): Promise<Problem> {
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  return checkProblem(await response.json(), status);
}

/** Checks the body of a problem. */
export function checkProblem(body: unknown, status: number): Problem {
  const problem = body as Problem;
  const members = ["type", "title", "status", "detail", ...(status === 422 ? ["errors"] : [])];
  expect(Object.keys(problem)).toEqual(members);
  expect(problem).toMatchObject({ type: "about:blank", title: TITLES[status], status });
  expect(problem.detail).toBeString();
  expect(problem.detail).not.toBeEmpty();
  for (const { detail } of problem.errors ?? []) expect(detail).toBeString();
  return problem;
}

/** Checks that a response is a 422 with exactly these errors, in any order. */
export async function expectErrors(response: Response, ...expected: ErrorLocation[]): Promise<Problem> {
  const problem = await expectProblem(response, 422);
  const locations = (problem.errors ?? []).map(({ detail: _, ...location }) => location);
  expect(locations.toSorted(byLocation)).toEqual(expected.toSorted(byLocation));
  return problem;
}

function byLocation(one: ErrorLocation, other: ErrorLocation): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}
