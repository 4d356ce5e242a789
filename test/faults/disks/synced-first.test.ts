import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { canTrace } from "../../support/machine/strace.ts";
import { until } from "../../support/machine/until.ts";
import { create, draft, pathOf } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { startServer, temporaryFolder } from "../../support/server/server.ts";

const LIVES = 30;
const CALLS = "write,writev,sendto,sendmsg,pwrite64,pwritev,pwritev2,fsync,fdatasync";

// After SIGKILL, data that was written to the kernel survives; after a power cut, it does not. So the test
// checks the system calls.
test.skipIf(!canTrace)("No write is answered before the fsync that covers it", async () => {
  using folder = temporaryFolder();
  const trace = folder.file("trace");
  const server = await startServer(
    { DATABASE_URL: `sqlite:${folder.file("test.db")}` },
    // With `-D`, the tracer is the server's child and not its parent: signals reach the server.
    { under: ["strace", "-D", "-f", "-q", "-y", "-s", "6000", "-e", `trace=${CALLS}`, "-o", trace] },
  );
  const send = sendTo(server.url);
  const lives = Array.from({ length: LIVES }, async (_, index) => {
    const bookmark = await create(send, { title: `mark-${index}.` });
    const json = { ...draft, title: `changed-${index}.` };
    expect((await send(pathOf(bookmark), { method: "PUT", json })).status).toBe(200);
    expect((await send(pathOf(bookmark), { method: "DELETE" })).status).toBe(204);
  });
  await Promise.all(lives);
  expect(await server.stop()).toBe(0);
  await until("the trace is complete", async () => readFileSync(trace, "utf8").includes("+++ exited with 0"));

  const { answers, early } = readTrace(readFileSync(trace, "latin1"));
  expect(early).toEqual([]);
  expect(answers).toBe(3 * LIVES);
});

/**
 * Reads the calls in order.
 * @returns the number of answered writes, and the responses that were sent before the confirmed data was on the
 *   disk
 */
function readTrace(trace: string): { answers: number; early: string[] } {
  const written = new Set<string>();
  const synced = new Set<string>();
  const syncing = new Set<string>();
  const early: string[] = [];
  let answers = 0;
  let dirty = false;
  for (const line of trace.split("\n")) {
    const [, thread = "", call = ""] = /^(\d+) +(?:<\.\.\. )?(\w+)/.exec(line) ?? [];
    const marks = line.match(/(?:mark|changed)-\d+\./g) ?? [];
    if (call.startsWith("pwrite") && line.includes("-wal>")) {
      dirty = true;
      for (const mark of marks) written.add(mark);
    } else if (call.endsWith("sync") && (line.includes("-wal>") || syncing.has(thread))) {
      // A call that another thread interrupts takes two lines in the trace. It counts when it is done.
      if (line.includes("<unfinished")) syncing.add(thread);
      else {
        syncing.delete(thread);
        dirty = false;
        for (const mark of written) synced.add(mark);
      }
    } else if (/"HTTP\/1\.1 20[014] /.test(line)) {
      answers++;
      if (dirty || marks.some((mark) => !synced.has(mark))) early.push(line);
    }
  }
  return { answers, early };
}
