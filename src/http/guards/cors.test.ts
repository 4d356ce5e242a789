import { describe, expect, test } from "bun:test";
import { Cors } from "./cors.ts";

const APP = "https://app.example";
const STRANGER = "https://evil.example";

describe("Cors", () => {
  test("is off without origins", () => {
    const cors = new Cors([]);
    expect(cors.enabled).toBeFalse();
    expect(cors.headersFor(from(APP))).toBeUndefined();
    expect(cors.preflightHeaders(preflightFrom(APP), "GET")).toBeUndefined();
  });

  test("lets the listed origins read, with credentials, and no others", () => {
    const cors = new Cors([APP]);
    expect(cors.headersFor(from(APP))).toMatchObject({
      "access-control-allow-origin": APP,
      "access-control-allow-credentials": "true",
    });
    for (const origin of [STRANGER, "null", "", `${APP}/`, APP.toUpperCase()])
      expect(cors.headersFor(from(origin))).toBeUndefined();
    expect(cors.headersFor(new Request("http://localhost/"))).toBeUndefined();
  });

  test("lets any origin read when `*` is listed, but with credentials only those listed beside it", () => {
    const cors = new Cors(["*", APP]);
    expect(cors.headersFor(from(STRANGER))).toMatchObject({ "access-control-allow-origin": "*" });
    expect(cors.headersFor(from(STRANGER))).not.toHaveProperty("access-control-allow-credentials");
    expect(cors.headersFor(from(APP))).toMatchObject({ "access-control-allow-credentials": "true" });
  });

  test("never mistakes an origin called `*` for a listed one", () => {
    expect(new Cors(["*"]).headersFor(from("*"))).not.toHaveProperty("access-control-allow-credentials");
    expect(new Cors(["*"]).trusts("*")).toBeFalse();
  });

  test("trusts the listed origins, and not those that only `*` covers", () => {
    const cors = new Cors(["*", APP]);
    expect([cors.trusts(APP), cors.trusts(STRANGER)]).toEqual([true, false]);
  });

  test("answers only a preflight with the methods of the path", () => {
    const cors = new Cors([APP]);
    expect(cors.preflightHeaders(preflightFrom(APP), "GET, PUT")).toMatchObject({
      "access-control-allow-methods": "GET, PUT",
    });
    expect(cors.preflightHeaders(preflightFrom(STRANGER), "GET")).toBeUndefined();
    expect(cors.preflightHeaders(from(APP), "GET")).toBeUndefined();
  });

  test("allows the request headers in use here, and those that libraries add", () => {
    expect(allowedBy()).toContain("If-Match");
    const allowed = allowedBy("content-type,traceparent, x-requested-with");
    for (const name of ["If-Match", "content-type", "traceparent", "x-requested-with"])
      expect(allowed).toContain(name);
  });

  test("ignores a malformed list of header names", () => {
    for (const asked of ["a b", "a,,b", ",", "a;b", "<script>", `"x"`, `${"a,".repeat(50_000)};`])
      expect(allowedBy(asked)).toEqual(allowedBy());
  });
});

/** The response to a preflight that asks for headers. */
function allowedBy(asked?: string): string[] {
  const request = preflightFrom(APP);
  if (asked !== undefined) request.headers.set("access-control-request-headers", asked);
  const allowed = new Cors([APP]).preflightHeaders(request, "GET")?.["access-control-allow-headers"];
  return (allowed ?? "").split(/, ?/);
}

function from(origin: string): Request {
  return new Request("http://localhost/", { headers: { origin } });
}

function preflightFrom(origin: string): Request {
  const headers = { origin, "access-control-request-method": "PUT" };
  return new Request("http://localhost/", { method: "OPTIONS", headers });
}
