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

test("markup that is not escaped enters in one place: the rendered text of a post", () => {
  expect(filesWith(/dangerouslySetInnerHTML/)).toEqual(["posts/pages/prose.tsx"]);
});

test("a URL for an attribute is made in one file, and no other calls a text one", () => {
  expect(filesWith(/\bas SafeUrl\b/)).toEqual(["web/urls.ts"]);
});

test("no page has a word about styles or handlers that the Content Security Policy would refuse", () => {
  expect(filesWith(/\s(?:style|on[a-z]+)=[{"]/)).toEqual([]);
});

test("a class has its rules in a style sheet that its page loads", () => {
  const classesIn = (sheet: string) => {
    const css = readFileSync(join(SRC, "web/public", sheet), "utf8").replace(/\/\*.*?\*\//gs, "");
    // The modes of all pages name classes of both parts.
    const rules = css.replace(/@layer modes \{.*/s, "");
    return new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name));
  };
  const common = classesIn("common.css");
  const [library, blog] = ["library.css", "blog.css"].map(classesIn) as [Set<string>, Set<string>];
  /** The classes that a file must not use: they have rules elsewhere only. */
  const others = (path: string) =>
    path.startsWith("library/reading/")
      ? library.difference(blog.union(common).union(classesIn("reading.css")))
      : /^(?:library|today)\//.test(path)
        ? blog.difference(library.union(common))
        : path.startsWith("web/")
          ? library.union(blog).difference(common)
          : library.difference(blog.union(common));
  const wrong = files.flatMap((path) => {
    const markup = readFileSync(join(SRC, path), "utf8").matchAll(/class=(?:"([^"]*)"|\{([^}]*)\})/g);
    const used = [...markup].flatMap(([, plain, code = ""]) =>
      (plain ?? code.match(/"[^"]*"/g)?.join(" ") ?? "").split(/[^\w-]+/),
    );
    return [...new Set(used).intersection(others(path))].map((name) => `${path}: ${name}`);
  });
  expect([library.has("bookmarks"), blog.has("prose"), common.has("button")]).toEqual([true, true, true]);
  expect(wrong).toEqual([]);
});
