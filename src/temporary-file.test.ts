import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTemporaryFile, temporaryFolder } from "./temporary-file.ts";

test("a temporary folder goes with what killed processes have left, and leaves what others use", async () => {
  const yesterday = Date.now() / 1000 - 25 * 60 * 60;
  const [left, used, foreign] = ["temporary-", "temporary-", "backup-"].map((name) =>
    mkdtempSync(join(tmpdir(), `commonplace-${name}`)),
  ) as [string, string, string];
  writeFileSync(join(left, "input"), "a file");
  for (const path of [left, foreign]) utimesSync(path, yesterday, yesterday);
  let path = "";
  {
    await using folder = await temporaryFolder();
    ({ path } = folder);
    expect([existsSync(path), existsSync(left)]).toEqual([true, false]);
  }
  expect([path, used, foreign].map((one) => existsSync(one))).toEqual([false, true, true]);
  for (const one of [used, foreign]) rmSync(one, { recursive: true });
});

test("a request is told that temporary files cannot be written, and not the path of their folder", async () => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(tmpdir(), "commonplace-nowhere");
  try {
    for (const make of [temporaryFolder, openTemporaryFile]) {
      const error = await make().then(String, (error) => error);
      expect(error).toMatchObject({ reason: "unavailable", message: expect.not.stringContaining("nowhere") });
    }
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});
