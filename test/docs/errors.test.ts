import { expect, test } from "bun:test";
import { join } from "node:path";
import { VALIDATION_CODES } from "../../src/errors.ts";

test("docs/errors.md lists exactly the existing error codes", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/errors.md")).text();
  const documented = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, code]) => code as string);
  expect(documented.toSorted()).toEqual(VALIDATION_CODES.toSorted());
});
