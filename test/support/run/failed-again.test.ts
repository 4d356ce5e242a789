import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../server/server.ts";

const ROOT = join(import.meta.dir, "../../..");
const FILE = "test/support/run/goes-wrong.test.ts";
/** It has one test, which is skipped, and comes after the other. */
const NEXT = "test/support/run/never-ends.test.ts";
const CHANCE = `depends on chance: ${FILE} >`;

/** Runs a file whose first test goes wrong so many times. @returns the exit code and the lines of the output */
async function run(how: string, times: number, options = ["--again"]) {
  using folder = temporaryFolder();
  const { exited, stdout } = Bun.spawn([process.execPath, "test/run.ts", ...options, FILE, NEXT], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...{ TEST_SEED: "7", TEST_POSTGRES: undefined, TEST_CACHE: folder.file("cache") },
      ...{ TEST_GOES_WRONG: how, TEST_WRONG_TIMES: folder.file("times"), TEST_WRONG_UNTIL: String(times) },
      // Much longer than a process takes to begin, also beside many others.
      ...(how === "blocks" && { TEST_SILENCE: "15000" }),
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = (await new Response(stdout).text()).trim().split("\n");
  const chance = lines.filter((line) => line.startsWith("depends on chance"));
  return { code: await exited, last: lines.at(-1), chance, lines };
}

test("npm test itself repeats nothing", async () => {
  expect(await run("fails", 1, [])).toMatchObject({
    ...{ code: 1, last: "1 passed, 1 failed, 1 skipped", chance: [] },
  });
});

test.each([
  ["fails", ["goes wrong (seed 7)"]],
  ["waits", ["goes wrong (seed 7)"]],
  ["crashes", ["its process ended before its tests (seed 7)"]],
  ["exits", []],
])(
  "a file that %s once is green when it runs again, and is said to depend on chance",
  async (how, chance) => {
    const { lines, ...outcome } = await run(how, 1);
    const lost = `depends on chance: ${NEXT} > not run, since its process had ended (seed 7)`;
    const ended = `depends on chance: ${FILE} ${NEXT} > the process ended with exit code 3 (seed 7)`;
    expect(outcome).toEqual({
      ...{ code: 0, last: "2 passed, 0 failed, 1 skipped" },
      chance: [
        ...chance.map((what) => `${CHANCE} ${what}`),
        ...(how === "crashes" ? [lost] : []),
        ...(how === "exits" ? [ended] : []),
      ],
    });
    // `.ci/run` looks for these words at the beginning of a line.
    expect(lines.filter((line) => line.startsWith("(fail)"))).toEqual([]);
  },
);

test.each([
  ["fails", "1 passed, 1 failed, 1 skipped", "(fail) goes wrong"],
  ["waits", "1 passed, 1 failed, 1 skipped", "(fail) goes wrong"],
  ["crashes", "0 passed, 1 failed, 1 skipped", "(fail) its process ended before its tests"],
  ["blocks", "0 passed, 1 failed, 1 skipped", "(fail) said nothing for long and was killed"],
  ["exits", "2 passed, 1 failed, 1 skipped", "(fail) the process ended with exit code 3"],
])("a file that %s twice fails the run", async (how, last, failure) => {
  const { lines, ...outcome } = await run(how, 2);
  expect(outcome).toEqual({
    ...{ code: 1, last },
    chance: how === "crashes" || how === "blocks" ? [expect.stringContaining(`${NEXT} > not run`)] : [],
  });
  expect(lines.filter((line) => line.startsWith("(fail)"))).toEqual([expect.stringContaining(failure)]);
});

test.each([
  ["green", { code: 0, end: ["9 passed, 0 failed"] }, []],
  ["depends on chance", { code: 0, end: [CHANCE, "9 passed, 0 failed"] }, [CHANCE]],
  ["red", { code: 1, end: [CHANCE, "(fail) other [1.00ms]", "8 passed, 1 failed"] }, [CHANCE, "  (fail) x"]],
])(".ci/run ends with what is wrong and the sum of both runs: %s", async (name, expected, short) => {
  using folder = temporaryFolder();
  const full = name === "red" ? ["(fail) other [1.00ms]", "3 passed, 1 failed"] : ["4 passed, 0 failed"];
  writeFileSync(folder.file("short"), [...short, "5 passed, 0 failed, 2 skipped", ""].join("\n"));
  writeFileSync(folder.file("full"), [...full, ""].join("\n"));
  // In place of npm, which would install and test everything.
  const npm = [
    "#!/bin/sh",
    `case "$*" in`,
    `"test -- --again") cat "${folder.file("short")}" ;;`,
    `"run test:all -- --again") cat "${folder.file("full")}"; exit ${expected.code} ;;`,
    "esac",
  ];
  writeFileSync(folder.file("npm"), npm.join("\n"), { mode: 0o755 });
  const run = Bun.spawn([join(ROOT, ".ci/run")], {
    env: { ...process.env, PATH: `${dirname(folder.file("npm"))}:${process.env.PATH}` },
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = (await new Response(run.stdout).text()).trim().split("\n");
  expect([await run.exited, lines.slice(-expected.end.length)]).toEqual([expected.code, expected.end]);
});
