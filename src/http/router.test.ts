import { describe, expect, test } from "bun:test";
import { fillPath, Router } from "./router.ts";

const router = new Router({
  "/": {},
  "/bookmarks/": {},
  "/bookmarks/{id}": {},
  "/bookmarks/new": {},
  "/posts/{id}/comments/": {},
  "/healthz": {},
  "/tags/{tag...}": {},
  "/tags/{tag...}/feed.atom": {},
});

describe("Router", () => {
  const matches: [path: string, route: string, params: Record<string, string>, canonical: boolean][] = [
    ["/", "/", {}, true],
    ["/bookmarks/", "/bookmarks/", {}, true],
    ["/bookmarks", "/bookmarks/", {}, false],
    ["/bookmarks/7", "/bookmarks/{id}", { id: "7" }, true],
    ["/bookmarks/7/", "/bookmarks/{id}", { id: "7" }, false],
    ["/bookmarks/new", "/bookmarks/new", {}, true],
    ["/bookmarks/%6eew", "/bookmarks/{id}", { id: "new" }, true],
    ["/bookmarks/a%2Fb", "/bookmarks/{id}", { id: "a/b" }, true],
    ["/bookmarks/%c3%a9", "/bookmarks/{id}", { id: "é" }, true],
    ["/bookmarks/%c3", "/bookmarks/{id}", { id: "%c3" }, true],
    ["/bookmarks/__proto__", "/bookmarks/{id}", { id: "__proto__" }, true],
    ["/posts/7/comments", "/posts/{id}/comments/", { id: "7" }, false],
    ["/tags/a", "/tags/{tag...}", { tag: "a" }, true],
    ["/tags/a/b%20c/", "/tags/{tag...}", { tag: "a/b c" }, false],
    ["/tags/a%2F%2Fb", "/tags/{tag...}", { tag: "a//b" }, true],
    ["/tags/a/b/feed.atom", "/tags/{tag...}/feed.atom", { tag: "a/b" }, true],
    ["/tags/feed.atom", "/tags/{tag...}", { tag: "feed.atom" }, true],
    ["/healthz", "/healthz", {}, true],
    ["/healthz/", "/healthz", {}, false],
  ];
  for (const [path, route, params, canonical] of matches) {
    test(`matches ${path} to ${route}`, () => {
      expect(router.match(path)).toEqual({ route: { path: route, resource: {} }, params, canonical });
    });
  }

  for (const path of [
    "//",
    "//bookmarks/",
    "/bookmarks//",
    "/bookmarks//7",
    "/Bookmarks/",
    "/bookmarks/7/8",
    "/posts/7",
    "/posts//comments/",
    "/posts/7/comments//",
    "/__proto__",
    "/constructor/",
    "/bookmarks%2f7",
    "/tags",
    "/tags/",
    "/tags//a",
    "/tags/a//b",
    "/tags/a//feed.atom",
  ]) {
    test(`does not match "${path}"`, () => {
      expect(router.match(path)).toBeUndefined();
    });
  }
});

describe("A path without a route, for the log,", () => {
  const logged = new Router({ "/shared/{secret}": {}, "/shared/{secret}/feed.atom": {}, "/{slug}": {} });
  const secret = "q7ZkT0b3RwXv9LmN2sAy4c";
  for (const [path, expected] of [
    [`/shared/${secret}/x`, "/shared/{secret}"],
    [`/%73hared/${secret}/x`, "/%73hared/{secret}"],
    [`/Shared/${secret}`, "/Shared/{secret}"],
    ["/SHARED/short/x", "/SHARED/{secret}"],
    [`/library/shared/${secret}`, "/library/shared/{secret}"],
    [`/library/shared/${secret}/feed.atom`, "/library/shared/{secret}"],
    [`/library/shared/${secret}).`, "/library/shared/{secret}"],
    [`/library/shared/%71${secret.slice(1)}`, "/library/shared/{secret}"],
    [`/x/shared%2F${secret}`, "/x/{secret}"],
    ["/2024/05/what-i-have-learned-in-the-garden", "/2024/05/what-i-have-learned-in-the-garden"],
    ["/wiki/What-I-Have-Learned-In-The-Garden", "/wiki/What-I-Have-Learned-In-The-Garden"],
    ["/wiki/%C3%89t%C3%A9", "/wiki/%C3%89t%C3%A9"],
    ["//__proto__/constructor", "//__proto__/constructor"],
  ] as const)
    test(`is ${expected} for ${path}`, () => {
      expect(logged.withoutSecret(path)).toBe(expected);
    });
});

describe("fillPath", () => {
  test("encodes parameters so that they stay one segment", () => {
    expect(fillPath("/bookmarks/{id}", { id: "7" })).toBe("/bookmarks/7");
    expect(fillPath("/posts/{id}/comments/", { id: "//evil.example/?#" })).toBe(
      "/posts/%2F%2Fevil.example%2F%3F%23/comments/",
    );
    expect(fillPath("/tags/{tag...}", { tag: "a/b c" })).toBe("/tags/a/b%20c");
    expect(fillPath("/tags/{tag...}", { tag: "//a" })).toBe("/tags/%2F%2Fa");
    expect(fillPath("/bookmarks/{id}", { id: "\r\nLocation: x" })).toBe("/bookmarks/%0D%0ALocation%3A%20x");
  });
});
