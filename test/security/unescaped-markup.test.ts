import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";

const SRC = join(import.meta.dir, "../../src");

test("only sanitized texts of posts enter pages unescaped", () => {
  const found = [...new Glob("**/*.{ts,tsx}").scanSync(SRC)].flatMap((path) =>
    [...readFileSync(join(SRC, path), "utf8").matchAll(/dangerouslySetInnerHTML|innerHTML/g)].map(() => path),
  );
  expect(found).toEqual(["posts/pages/prose.tsx"]);
});
