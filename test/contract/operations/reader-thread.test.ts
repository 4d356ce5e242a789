import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { openDatabase } from "../../../src/database/open.ts";
import { deadlineIn } from "../../support/machine/deadline.ts";
import { canTrace, FailingCalls } from "../../support/machine/strace.ts";
import { startServer, temporaryFolder } from "../../support/server/server.ts";

test.skipIf(process.platform !== "linux")("Slow reads have a low priority", async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(`sqlite:${folder.file("read.db")}`);
  try {
    const own = getPriority(0);
    const low = Math.min(own + 5, 19);
    const before = threadsAt(low);
    await database.readApart(deadlineIn(10_000))`select 1 as n`;
    // One at least: what earlier tests left behind may begin to read, too.
    expect([...threadsAt(low)].filter((id) => !before.has(id))).not.toEqual([]);
    expect(getPriority(0)).toBe(own);
  } finally {
    await database.close();
  }
});

test.skipIf(!canTrace)("Slow reads need no permission to lower their priority", async () => {
  using folder = temporaryFolder();
  const server = await startServer({ DATABASE_URL: `sqlite:${folder.file("read.db")}` });
  try {
    const denied = { calls: "setpriority", error: "EPERM", files: [] };
    await using _ = await FailingCalls.start(server.pid, denied);
    const { status } = await fetch(`${server.url}/bookmarks/?q=river`);
    expect(status).toBe(200);
  } finally {
    await server.kill();
  }
});

/** The threads of this process with this nice value (proc(5), `/proc/pid/stat`, field 19). */
function threadsAt(nice: number): Set<string> {
  return new Set(readdirSync("/proc/self/task").filter((id) => niceOf(id) === nice));
}

function niceOf(thread: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
  } catch {
    // It has ended since it was listed.
    return undefined;
  }
}
