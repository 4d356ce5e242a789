import { describe, expect, test } from "bun:test";
import { requestIdOf, traceIdOf } from "./exchange.ts";

const idOf = (given?: string) =>
  requestIdOf(
    new Request("http://localhost/", { headers: given === undefined ? {} : { "x-request-id": given } }),
  );

describe("requestIdOf", () => {
  test("keeps an id of up to 128 letters, digits, dots, underscores and hyphens", () => {
    for (const id of ["a", "A-1_b.c", "x".repeat(128)]) expect(idOf(id)).toBe(id);
  });

  test("replaces any other id", () => {
    for (const id of ["", "a b", "x".repeat(129), 'a"b', "a/b", "a,b"]) {
      expect(idOf(id)).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(idOf(id)).not.toBe(id);
    }
  });

  test("generates a unique id", () => {
    const ids = Array.from({ length: 1_000 }, () => idOf());
    expect(new Set(ids).size).toBe(1_000);
  });
});

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

const of = (traceparent?: string) =>
  traceIdOf(new Request("http://localhost/", { headers: traceparent === undefined ? {} : { traceparent } }));

test.each([`00-${TRACE}-${PARENT}-01`, `01-${TRACE}-${PARENT}-00`, `cc-${TRACE}-${PARENT}-01-more`])(
  "%s names a trace",
  (traceparent) => {
    expect(of(traceparent)).toBe(TRACE);
  },
);

test.each([
  undefined,
  "",
  TRACE,
  `00-${TRACE}-${PARENT}`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01-more`,
  `ff-${TRACE}-${PARENT}-01`,
  `00-${"0".repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE}","x":"-${PARENT}-01`,
])("%s names none", (traceparent) => {
  expect(of(traceparent)).toBeUndefined();
});
