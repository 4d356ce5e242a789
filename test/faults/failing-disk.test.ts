import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { COLLECTION, create, draft, list, pathOf } from "../support/bookmarks.ts";
import { expectProblem } from "../support/problems.ts";
import { type Send, sendTo } from "../support/send.ts";
import { type RunningServer, startServer, temporaryFolder } from "../support/server.ts";
import { checkIntegrity } from "../support/sqlite.ts";
import { canTrace, FailingCalls } from "../support/strace.ts";

/** What the calls for the database's files say, and what writes are answered with then. */
const failures = [
  { what: "a file system that becomes read-only", calls: "pwrite64", error: "EROFS", status: 507 },
  { what: "a disk that cannot be written to", calls: "pwrite64", error: "EIO", status: 507 },
  { what: "a quota that is used up", calls: "pwrite64", error: "EDQUOT", status: 507 },
  {
    what: "a disk that does not keep what it was given",
    calls: "fsync,fdatasync",
    error: "EIO",
    status: 503,
  },
] as const;

describe("While serving,", () => {
  const folder = temporaryFolder();
  const path = folder.file("test.db");
  const files = [path, `${path}-wal`];
  let server: RunningServer;
  let send: Send;
  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: `sqlite:${path}` });
    send = sendTo(server.url);
    await create(send);
  });
  afterAll(async () => {
    await server.kill();
    folder[Symbol.dispose]();
  });

  for (const { what, calls, error, status } of failures) {
    test.skipIf(!canTrace)(
      `${what} is answered ${status} to writes, which leave nothing, and reads go on`,
      async () => {
        const before = await list(send);
        const keyed = {
          method: "POST",
          headers: { "idempotency-key": what.replaceAll(" ", "-") },
          json: draft,
        };
        {
          await using _failing = await FailingCalls.start(server.pid, { calls, error, files });
          const [bookmark] = before;
          const place = bookmark === undefined ? "" : pathOf(bookmark);
          const writes = await Promise.all([
            send(COLLECTION, keyed),
            send(place, { method: "PUT", json: { ...draft, title: "Changed" } }),
            send(place, { method: "DELETE" }),
          ]);
          for (const response of writes) {
            expect(response.headers.get("retry-after")).toMatch(/^[1-9]/);
            await expectProblem(response, status);
          }
          expect(await list(send)).toEqual(before);
          expect((await send("/readyz")).status).toBe(200);
        }
        const again = await send(COLLECTION, keyed);
        expect([again.status, again.headers.has("idempotency-replayed")]).toEqual([201, false]);
        expect((await list(send)).slice(1)).toEqual(before);
      },
    );
  }

  test.skipIf(!canTrace)(
    "a disk that cannot be read is answered 503, and reads go on when it can",
    async () => {
      const before = await list(send);
      // What another process has written must be read from the disk.
      const other = await startServer({ DATABASE_URL: `sqlite:${path}` });
      const made = await create(sendTo(other.url));
      {
        await using _failing = await FailingCalls.start(server.pid, {
          calls: "pread64",
          error: "EIO",
          files,
        });
        await expectProblem(await send(COLLECTION), 503);
        expect((await send("/readyz")).status).toBe(503);
        expect((await send("/healthz")).status).toBe(200);
      }
      expect(await list(send)).toEqual([made, ...before]);
      await other.stop();
    },
  );

  test("has all that it confirmed afterwards, and its database is whole", async () => {
    const before = await list(send);
    await server.kill();
    checkIntegrity(path);
    server = await startServer({ DATABASE_URL: `sqlite:${path}` });
    send = sendTo(server.url);
    expect(await list(send)).toEqual(before);
  });
});

test("A server whose rights to its files are taken away goes on with those that it has open, and loses nothing", async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("place"));
  const path = folder.file("place/test.db");
  const settings = { DATABASE_URL: `sqlite:${path}` };
  // A superuser may write where nobody may.
  const bound = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];
  const server = await startServer(settings, { under: bound });
  const send = sendTo(server.url);
  const first = await create(send);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) chmodSync(file, 0o000);
  chmodSync(folder.file("place"), 0o000);
  const second = await create(send);
  expect(await list(send)).toEqual([second, first]);
  expect((await send("/readyz")).status).toBe(200);
  expect(await server.stop()).toBe(0);

  chmodSync(folder.file("place"), 0o700);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) chmodIfThere(file);
  const next = await startServer(settings, { under: bound });
  expect(await list(sendTo(next.url))).toEqual([second, first]);
  expect(await next.stop()).toBe(0);
  checkIntegrity(path);
});

function chmodIfThere(file: string): void {
  if (existsSync(file)) chmodSync(file, 0o600);
}
