import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { FULL_RUN_FILES } from "./full-run-files.ts";

test("every file of the full run exists, and another one that the short run has stands for it", () => {
  for (const [file, other] of Object.entries(FULL_RUN_FILES)) {
    for (const path of [file, other])
      expect([path, existsSync(join(import.meta.dir, "../../..", path))]).toEqual([path, true]);
    expect(other in FULL_RUN_FILES).toBe(false);
  }
});
