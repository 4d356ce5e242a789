import { expect, test } from "bun:test";
import { displayHost, displayTitle } from "./shown-text.ts";

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

test.each([
  ["A title", "https://example.org/x", "A title"],
  ["", "https://example.org/notes/a-field-guide/?page=2#top", "a-field-guide"],
  [" \t", "https://example.org/%E5%9C%B0%E5%9B%B3.html", "地図.html"],
  ["\u200b\u202e", "https://www.example.org/", "example.org"],
  ["", "https://example.org/%20%E2%80%AE/", "example.org"],
  ["", "https://example.org/%ff", "%ff"],
  ["", "https://xn--mnchen-3ya.de", "münchen.de"],
  ["", "no address", "no address"],
] as const)("the link with the title %j and the address %s is called %s", (title, url, name) => {
  expect(displayTitle({ title, url })).toBe(name);
});

test("a link without a title is called by a hundred letters at most", () => {
  const name = displayTitle({ title: "", url: `https://example.org/${"long".repeat(500)}` });
  expect(name).toHaveLength(101);
});
