import { afterAll, beforeAll, expect, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, create, draft, list, pathOf } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

useRealTimeLimits();

/** How long a server waits for another process that writes, in milliseconds. */
const LOCK_WAIT = 5_000;

const folder = temporaryFolder();
const path = folder.file("test.db");
let server: RunningServer;
let send: Send;
beforeAll(async () => {
  server = await startServer({ DATABASE_URL: `sqlite:${path}` });
  send = sendTo(server.url);
});
afterAll(async () => {
  await server.kill();
  folder[Symbol.dispose]();
});

const post = () => send(COLLECTION, { method: "POST", json: draft });

test("While another process holds the write lock, reads continue and writes wait; then they succeed", async () => {
  const bookmark = await create(send);
  const readAll = async () => {
    const started = performance.now();
    for (let count = 0; count < 30; count++) {
      expect(await list(send)).toEqual([bookmark]);
      expect((await send(pathOf(bookmark))).status).toBe(200);
      expect((await send("/readyz")).status).toBe(200);
    }
    return performance.now() - started;
  };
  const unlocked = await readAll();
  const lock = takeWriteLock();
  const writes = [post(), send(pathOf(bookmark), { method: "PATCH", json: { title: "Changed" } })];
  const answered: Response[] = [];
  for (const write of writes) write.then((response) => answered.push(response));

  // If any of the ninety requests waited, it would take seconds.
  expect(await readAll()).toBeLessThan(1_000 + 10 * unlocked);
  expect(answered).toEqual([]);

  lock.release();
  expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([201, 200]);
  expect((await list(send)).map(({ title }) => title)).toEqual([draft.title, "Changed"]);
});

test("A write that waits for more than five seconds gets 503 with Retry-After and stores nothing, and the next one succeeds", async () => {
  const calm = performance.now();
  expect((await post()).status).toBe(201);
  const unlocked = performance.now() - calm;
  const before = await list(send);
  const lock = takeWriteLock();
  const started = performance.now();
  const answers = await Promise.all([post(), post()]);
  const waited = performance.now() - started;
  for (const response of answers) {
    expect(Number(response.headers.get("retry-after"))).toBePositive();
    await expectProblem(response, 503);
  }
  expect(waited).toBeWithin(LOCK_WAIT - 100, LOCK_WAIT + 4_000 + 10 * unlocked);
  lock.release();
  expect(await list(send)).toEqual(before);
  expect((await post()).status).toBe(201);
  expect(await list(send)).toHaveLength(before.length + 1);
});

test("A server that starts while another process writes waits for it", async () => {
  const lock = takeWriteLock();
  const starting = startServer({ DATABASE_URL: `sqlite:${path}` });
  // Long enough for a server that does not wait to start or to give up.
  await sleep(700);
  expect(Bun.peek.status(starting)).toBe("pending");
  lock.release();
  const other = await starting;
  expect(await list(sendTo(other.url))).toEqual(await list(send));
  expect(await other.stop()).toBe(0);
});

/** Holds the write lock of the database, like an import in another process. */
function takeWriteLock(): { release(): void } {
  // The server may be indexing at this moment.
  const connection = new DatabaseSync(path, { timeout: LOCK_WAIT });
  connection.exec("begin immediate");
  return {
    release() {
      connection.exec("rollback");
      connection.close();
    },
  };
}

test("A server warns at its start about other processes that have the database open; the first one does not", async () => {
  const second = await startServer({ DATABASE_URL: `sqlite:${path}` });
  await until("it is logged", async () =>
    second.lines.some((line) => line.includes("also has the database open")),
  );
  expect(second.lines.join("\n")).toContain(
    `Process ${server.pid} also has the database open. If it is a server, stop it`,
  );
  expect(server.lines.join("\n")).not.toContain("also has");
  expect(await second.stop()).toBe(0);
});

/** Runs a program that sees no process outside, as in another container. */
const CONTAINED = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const canContain =
  Bun.which("unshare") !== null && Bun.spawnSync([...CONTAINED, "true"], { stderr: "ignore" }).exitCode === 0;

test.skipIf(!canContain)("It warns about a server in another container, too", async () => {
  const second = await startServer({ DATABASE_URL: `sqlite:${path}` }, { under: CONTAINED });
  await until("it is logged", async () =>
    second.lines.some((line) => line.includes("Another server has the database open, in another container")),
  );
  await second.kill();
});
