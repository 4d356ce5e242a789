import { expect, test } from "bun:test";
import { modifiedSince } from "./modified-since.ts";

const MADE = "Wed, 25 Nov 2026 20:00:00 GMT";
const made = Date.parse(MADE);
const response = { status: 200, body: "<feed/>", headers: { "last-modified": MADE, link: "<x>" } };

function answer(headers: Record<string, string>, after = 1_000, given = response) {
  const request = new Request("http://localhost/feed.atom", { headers });
  const { status, body, headers: sent } = modifiedSince(request, given, new Date(made + after));
  return [status, body, sent?.["last-modified"]];
}

test("a feed that has not changed since is 304 for a client without tags", () => {
  expect(answer({})).toEqual([200, "<feed/>", MADE]);
  expect(answer({ "if-modified-since": MADE })).toEqual([304, null, MADE]);
});

test("every other date is of other content, also a later one", () => {
  for (const date of ["Wed, 25 Nov 2026 19:59:59 GMT", "Wed, 25 Nov 2026 20:00:01 GMT", "yesterday", ""])
    expect([date, answer({ "if-modified-since": date })[0]]).toEqual([date, 200]);
});

test("If-None-Match wins (RFC 9110, section 13.1.3)", () => {
  expect(answer({ "if-modified-since": MADE, "if-none-match": '"other"' })[0]).toBe(200);
});

test("what may still change in its second has no Last-Modified, and is never 304 by it", () => {
  expect(answer({ "if-modified-since": MADE }, 999)).toEqual([200, "<feed/>", undefined]);
});
