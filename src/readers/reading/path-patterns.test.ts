import { expect, test } from "bun:test";
import { ANY_PATH, LazyPattern, MatchingBudget, PathPattern } from "./path-patterns.ts";

const budget = () => new MatchingBudget();

test.each([
  ["*.md", "a.md", true],
  ["*.md", "a/b.md", false],
  ["**/*.md", "a.md", true],
  ["**/*.md", "a/b/c.md", true],
  ["a/**", "a/b/c", true],
  ["a/**", "b/a/c", false],
  ["{a,b/*}.md", "b/c.md", true],
  ["[!_]?.md", "ab.md", true],
  ["[!_]?.md", "_b.md", false],
  [String.raw`\*.md`, "*.md", true],
  ["a+(b).md", "a+(b).md", true],
])("The glob %s and the path %s", (glob, path, matches) => {
  expect(PathPattern.glob(glob)?.matches(path, budget())).toBe(matches);
});

test.each([
  [String.raw`\.Rmd$`, "a/b.Rmd", true],
  [String.raw`\.Rmd$`, "a/b.Rmd.md", false],
  ["^content/(drafts|wip)/", "content/wip/a.md", true],
  ["^content/(?:drafts|wip)/", "content/a/wip/b.md", false],
  [String.raw`\d{4}-\w+?\.md`, "x/2020-a_b.md", true],
  ["ab{2,3}c", "abbbbc", false],
  ["ab{2,}c$", "xabbbbc", true],
  ["[a-c_.]+$", "x/b_.", true],
  ["[^/]x", "/x", false],
  ["", "a", true],
])("The regular expression %s and the path %s", (regex, path, matches) => {
  expect(PathPattern.regex(regex)?.matches(path, budget())).toBe(matches);
});

test.each([
  ...[
    "(?i)a",
    "a(?=b)",
    String.raw`\pL`,
    String.raw`\bx`,
    "(a",
    "a)",
    "[a",
    "*a",
    "a**",
    "(a{99}){99}",
    "[[:alpha:]]",
  ],
  ...["(".repeat(100), "x".repeat(5_000)],
])("What is not understood is no pattern: %s", (regex) => {
  expect(PathPattern.regex(regex)).toBeUndefined();
});

test("A hostile pattern takes steps in proportion to the path, and its result is not known when they are used up", () => {
  const pattern = PathPattern.regex("^(a*)*(a|a)*(a+)+$");
  const steps = (length: number) => {
    let used = 0;
    const counting = new (class extends MatchingBudget {
      override take(count: number): boolean {
        used += count;
        return true;
      }
    })();
    expect(pattern?.matches(`${"a".repeat(length)}b`, counting)).toBe(false);
    return used;
  };
  expect(steps(2_000) / steps(1_000)).toBeLessThan(2.1);
  expect(pattern?.matches("a".repeat(1_000), new MatchingBudget(100))).toBeUndefined();
});

test("A pattern is compiled once, when a path is first compared with it", () => {
  let made = 0;
  const pattern = new LazyPattern(() => {
    made++;
    return PathPattern.glob("a/**");
  });
  expect(made).toBe(0);
  expect(["a/b", "b"].map((path) => pattern.matches(path, new MatchingBudget()))).toEqual([true, false]);
  expect(made).toBe(1);
  expect(ANY_PATH.matches("a", new MatchingBudget())).toBeUndefined();
});
