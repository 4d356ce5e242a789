import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { until } from "../../../test/support/machine/until.ts";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { sizeOf } from "./file.ts";
import { openSqlite } from "./sqlite.ts";

const LONG = "x".repeat(20 * 2 ** 20);

test("a server checkpoints a long write-ahead log in a thread, after the response", async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  const database = await openSqlite(path, { servesRequests: true });
  await database.write((sql) => sql`insert into meta (name, value) values ('long', ${LONG})`);
  // If this thread had checkpointed it, all of it would be in the file by now.
  expect(sizeOf(path)).toBeLessThan(LONG.length / 4);
  await until("the log is taken", async () => sizeOf(path) > LONG.length);
  await database.close();
  expect(existsSync(`${path}-wal`)).toBeFalse();
});

test("closing waits for the checkpoint thread", async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  const database = await openSqlite(path, { servesRequests: true });
  await database.write((sql) => sql`insert into meta (name, value) values ('long', ${LONG})`);
  await database.close();
  expect(sizeOf(path)).toBeGreaterThan(LONG.length);
  expect(existsSync(`${path}-wal`)).toBeFalse();
});

test("a log that the thread cannot checkpoint is checkpointed after the next write", async () => {
  using folder = temporaryFolder();
  using _none = withoutThreads();
  const path = folder.file("test.db");
  const database = await openSqlite(path, { servesRequests: true });
  await database.write((sql) => sql`insert into meta (name, value) values ('long', ${LONG})`);
  await setImmediate();
  await database.write((sql) => sql`insert into meta (name, value) values ('short', 'x')`);
  expect(sizeOf(path)).toBeGreaterThan(LONG.length);
  await database.close();
});

test("a command checkpoints at once", async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  const database = await openSqlite(path);
  await database.write((sql) => sql`insert into meta (name, value) values ('long', ${LONG})`);
  expect(sizeOf(path)).toBeGreaterThan(LONG.length);
  await database.close();
});

/** Until it is disposed, each new `Worker` fails at its first message. */
function withoutThreads(): Disposable {
  const { Worker } = globalThis;
  class NoWorker {
    onerror?: (event: { message: string }) => void;
    postMessage() {
      queueMicrotask(() => this.onerror?.({ message: "no thread" }));
    }
    unref() {}
    terminate() {}
  }
  globalThis.Worker = NoWorker as unknown as typeof Worker;
  return {
    [Symbol.dispose]() {
      globalThis.Worker = Worker;
    },
  };
}
