import { describe, expect, test } from "bun:test";
import { anyUrl, local, localTarget, segment, web } from "./urls.ts";

const AWAY = local("/fallback");

/** Texts that a browser would treat as another server or as a script. */
const HOSTILE = [
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "///evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  " /x",
  "/x y",
  "x",
  "",
  "/.//evil.example",
  "/x/..//evil.example",
  "/%0a/evil.example\u0000",
];

describe("localTarget", () => {
  test("accepts a path of this server, with its query and fragment", () => {
    for (const target of ["/", "/library", "/library?q=%23a%20b&x=1#y", "/write/1/../2"])
      expect(String(localTarget(target, AWAY))).toBe(target.replace("/1/../", "/"));
  });

  test("accepts no other server, in any spelling", () => {
    for (const target of HOSTILE) {
      const { origin } = new URL(localTarget(target, AWAY), "http://here.example");
      expect([target, origin]).toEqual([target, "http://here.example"]);
      expect(localTarget(target, AWAY)).not.toMatch(/^\/[/\\]/);
    }
    expect(localTarget(null, AWAY)).toBe(AWAY);
  });
});

test("web accepts only http and https", () => {
  expect(String(web("https://münchen.de/a b"))).toBe("https://xn--mnchen-3ya.de/a%20b");
  for (const url of [
    "javascript:alert(1)",
    "JaVaScRiPt:x",
    "data:text/html,x",
    "vbscript:x",
    "file:///x",
    "x",
    "",
  ])
    expect(web(url)).toBeUndefined();
});

test("anywhere accepts a path of this server or a URL of the web", () => {
  expect(String(anyUrl("/about"))).toBe("/about");
  expect(String(anyUrl("https://x.example"))).toBe("https://x.example/");
  for (const target of ["//x.example", "javascript:x", "about"]) expect(anyUrl(target)).toBeUndefined();
});

test("local encodes the query, and leaves out what is undefined", () => {
  expect(String(local("/library", { q: "#a b&c", cursor: undefined, page: 2 }))).toBe(
    "/library?q=%23a+b%26c&page=2",
  );
});

test("a segment stays one segment, whatever its characters", () => {
  for (const text of ["a/b", "..", ".", "?", "#", "ä é", "%2F", "//"]) {
    const url = new URL(`http://here.example/tags/${segment(text)}/end`);
    expect(url.pathname.split("/").length).toBe(4);
    expect(url.search + url.hash).toBe("");
  }
});

test("local writes a query as URLSearchParams does", () => {
  for (const q of ["a b", "#dev/js", "é 😀 \u00a0", "a+b&c=d%20", "(x) OR 'y'!~*-._", "\ud800", ""]) {
    const expected = `/library?q=${new URLSearchParams({ q }).toString().slice(2)}&page=2`;
    expect(String(local("/library", { q, none: undefined, page: 2 }))).toBe(expected);
  }
  expect(String(local("/x?a=1", { b: 2 }))).toBe("/x?a=1&b=2");
});
