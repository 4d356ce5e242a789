import { expect, test } from "bun:test";
import { displayHost } from "./shown-text.ts";

test.each([
  ["https://www.example.org/x", "example.org"],
  ["http://example.org:8080/", "example.org"],
  ["https://xn--mnchen-3ya.de/", "münchen.de"],
  ["https://good.example:x@evil.example/", "evil.example"],
  ["https://good.example@evil.example/", "evil.example"],
  ["http://[::1]/", "[::1]"],
  ["https://example.org/?@", "example.org"],
  ["no address", ""],
] as const)("the host of %s is %s", (url, host) => {
  expect(displayHost(url)).toBe(host);
});
