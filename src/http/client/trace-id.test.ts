import { expect, test } from "bun:test";
import { traceIdOf } from "./trace-id.ts";

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
