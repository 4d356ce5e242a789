import { expect, test } from "bun:test";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** How often it has gone wrong before: a line for each time. */
const { TEST_GOES_WRONG: how, TEST_WRONG_TIMES: file = "", TEST_WRONG_UNTIL: limit = "0" } = process.env;
const isWrong = how !== undefined && timesBefore() < Number(limit);

function timesBefore(): number {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
}

/** What `failed-again.test.ts` runs: a test that goes wrong in each of the ways that a file can, some times. */
test.skipIf(how === undefined)(
  "goes wrong",
  async () => {
    if (!isWrong) return;
    appendFileSync(file, `${how}\n`);
    // As a test that computes for ever does, but without a processor that others need.
    if (how === "blocks") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (how === "waits") await new Promise(() => {});
    if (how === "crashes") process.kill(process.pid, "SIGKILL");
    if (how === "exits") process.exitCode = 3;
    else expect(how).toBe("right");
  },
  // Only a test that would wait for ever ends by a clock.
  how === "waits" && isWrong ? 100 : undefined,
);

test.skipIf(how === undefined)("is right", () => {});
