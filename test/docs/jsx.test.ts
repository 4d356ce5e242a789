import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const SRC = join(import.meta.dir, "../../src");

// Bun takes the JSX settings of the folder that it is started in, not of the file's: elsewhere it would look for React.
test("every file of markup names its JSX runtime", () => {
  const files = [...new Glob("**/*.tsx").scanSync(SRC)];
  expect(files.length).toBeGreaterThan(3);
  const first = (path: string) => readFileSync(join(SRC, path), "utf8").split("\n", 1)[0];
  expect(files.filter((path) => first(path) !== "/** @jsxImportSource #jsx */")).toEqual([]);
});
