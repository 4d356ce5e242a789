import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "../..");
const page = readFileSync(join(ROOT, "docs/security.md"), "utf8");

test("docs/security.md names existing tests", () => {
  const named = [...page.matchAll(/`((?:src|test)\/[^`]+\.test\.ts|\.ci\/run)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(new Set(named).size).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("docs/security.md names a test for each of its promises, or says why there is none", () => {
  const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| promise"));
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows)
    expect(row.split(" | ").at(-1), row).toMatch(/\.test\.ts`|\.ci\/run|nothing to test/);
});
