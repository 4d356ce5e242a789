import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { until } from "../machine/until.ts";
import { childrenOf, isAlive } from "../server/processes.ts";
import { temporaryFolder } from "../server/server.ts";

const ROOT = join(import.meta.dir, "../../..");
const WITHIN = 60_000;

test.each(["waits", "computes"])(
  "Ctrl+C ends a run whose test %s, and each server, database and browser that it has started",
  async (what) => {
    using folder = temporaryFolder();
    const cache = folder.file("cache");
    const run = Bun.spawn([process.execPath, "test/run.ts", "test/support/run/never-ends.test.ts"], {
      cwd: ROOT,
      // With a database server of its own.
      env: { ...process.env, TEST_POSTGRES: undefined, TEST_CACHE: cache, TEST_NEVER_ENDS: what },
      stdout: "ignore",
      stderr: "ignore",
    });
    const log = join(cache, "test-output.log");
    const started = async () => existsSync(log) && readFileSync(log, "utf8").includes("All have started.");
    await until("all have started", started, { within: WITHIN });
    const processes = [...below(run.pid), ...inFolderOf(run.pid)];
    // `bun test`, the server, PostgreSQL with its own processes, and the browser with its.
    expect(processes.length).toBeGreaterThan(10);
    run.kill("SIGINT");
    expect(await run.exited).not.toBe(0);
    // PostgreSQL closes its files when all else has ended.
    await until("all have ended", async () => !processes.some(isAlive), { within: WITHIN });
  },
  2 * WITHIN,
);

function below(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...below(child)]);
}

/** The processes of PostgreSQL work in their data folder, which is in the folder of the run. */
function inFolderOf(run: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => folderOf(pid).includes(`commonplace-tests-${run}/`));
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
