import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const SRC = join(import.meta.dir, "../../src");
const files = [...new Glob("**/*.{ts,tsx}").scanSync(SRC)].filter(
  (path) => !/\.test\.tsx?$|\.d\.ts$/.test(path),
);

function filesWith(pattern: RegExp): string[] {
  return files.filter((path) => pattern.test(readFileSync(join(SRC, path), "utf8"))).toSorted();
}

test("markup that is not escaped enters in two places: the rendered text of a post, and what was rendered before", () => {
  expect(filesWith(/dangerouslySetInnerHTML/)).toEqual(["posts/pages/prose.tsx", "web/markup-cache.tsx"]);
});

test("kept markup is made in one file, by rendering", () => {
  expect(filesWith(/\bas CachedHtml\b/)).toEqual(["web/markup-cache.tsx"]);
});

test("a URL for an attribute is made in one file, and no other calls a text one", () => {
  expect(filesWith(/\bas SafeUrl\b/)).toEqual(["web/urls.ts"]);
});

test("no page has a word about styles or handlers that the Content Security Policy would refuse", () => {
  expect(filesWith(/\s(?:style|on[a-z]+)=[{"]/)).toEqual([]);
});
