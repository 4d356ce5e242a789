import { describe, expect, test } from "bun:test";
import { invalid, type Reason, Refusal } from "../errors.ts";
import { internalErrorResponse, refusalResponse } from "./problems.ts";

/** Status and reason phrase (RFC 9110, section 15; 507: RFC 4918) of every reason. */
const expected: Record<Reason, [status: number, title: string]> = {
  misdirected: [421, "Misdirected Request"],
  unavailable: [503, "Service Unavailable"],
  too_many_requests: [429, "Too Many Requests"],
  not_found: [404, "Not Found"],
  method_not_allowed: [405, "Method Not Allowed"],
  unauthenticated: [401, "Unauthorized"],
  forbidden: [403, "Forbidden"],
  too_large: [413, "Content Too Large"],
  unsupported_media_type: [415, "Unsupported Media Type"],
  malformed: [400, "Bad Request"],
  invalid: [422, "Unprocessable Content"],
  precondition_failed: [412, "Precondition Failed"],
  conflict: [409, "Conflict"],
  storage_full: [507, "Insufficient Storage"],
  read_only: [503, "Service Unavailable"],
};

describe("refusalResponse", () => {
  for (const [reason, [status, title]] of Object.entries(expected)) {
    test(`of ${reason} is a ${status} ${title}`, () => {
      const response = refusalResponse(new Refusal(reason as Reason, "So it is."));
      expect(response).toMatchObject({ status, contentType: "application/problem+json" });
      expect(JSON.parse(String(response.body))).toEqual({
        type: "about:blank",
        title,
        status,
        detail: "So it is.",
      });
    });
  }

  test("has every error, with its location, code and sentence", () => {
    const errors = [
      { pointer: "/title", code: "too_long", detail: "At most 200 characters; this has 214." },
      { parameter: "id", code: "not_an_integer", detail: "Must be an integer." },
    ] as const;
    const { body } = refusalResponse(invalid(errors));
    expect(JSON.parse(String(body))).toMatchObject({ detail: "2 values are not valid.", errors: errors });
  });

  test("has the headers of the refusal, and Retry-After", () => {
    const refusal = new Refusal("unavailable", "Not now.", { retryAfter: 5, headers: { allow: "GET" } });
    expect(refusalResponse(refusal).headers).toEqual({ allow: "GET", "retry-after": "5" });
  });

  test("does not reveal the underlying error", () => {
    const cause = new Error("SQLITE_FULL in /var/lib/secret.db");
    const response = refusalResponse(new Refusal("storage_full", "There is no room.", { cause }));
    expect(JSON.stringify(response)).not.toMatch(/SQLITE|secret/);
  });
});

describe("internalErrorResponse", () => {
  test("has the request id and no other details", () => {
    const { status, contentType, body } = internalErrorResponse("the-id");
    expect([status, contentType]).toEqual([500, "application/problem+json"]);
    const problem = JSON.parse(String(body));
    expect(Object.keys(problem)).toEqual(["type", "title", "status", "detail"]);
    expect(problem).toMatchObject({ type: "about:blank", title: "Internal Server Error", status: 500 });
    expect(problem.detail).toContain("the-id");
  });
});
