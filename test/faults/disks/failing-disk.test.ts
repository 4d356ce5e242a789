import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { freePort } from "../../support/machine/free-port.ts";
import { canTrace, FailingCalls } from "../../support/machine/strace.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, create, draft, list, pathOf } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { scrape } from "../../support/server/metrics.ts";
import { type RunningServer, startServer, temporaryFolder } from "../../support/server/server.ts";

/** The failing system calls on the database's files, and the expected responses to writes. */
const failures = [
  {
    what: "a file system that becomes read-only",
    calls: "pwrite64",
    error: "EROFS",
    status: 507,
    detail: /disk (?:is|may be) full/,
  },
  {
    what: "a disk that cannot be written to",
    calls: "pwrite64",
    error: "EIO",
    status: 507,
    detail: /disk (?:is|may be) full/,
  },
  {
    what: "a quota that is used up",
    calls: "pwrite64",
    error: "EDQUOT",
    status: 507,
    detail: /disk (?:is|may be) full/,
  },
  {
    what: "a disk that does not keep what it was given",
    calls: "fsync,fdatasync",
    error: "EIO",
    status: 503,
    detail: /may be stored or not/,
  },
] as const;

describe("While serving,", () => {
  const folder = temporaryFolder();
  const path = folder.file("test.db");
  const files = [path, `${path}-wal`];
  let server: RunningServer;
  let send: Send;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    server = await startServer({ DATABASE_URL: `sqlite:${path}`, METRICS_PORT: String(metricsPort) });
    send = sendTo(server.url);
    await create(send);
  });
  afterAll(async () => {
    await server.kill();
    folder[Symbol.dispose]();
  });

  for (const { what, calls, error, status, detail } of failures) {
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
            expect((await expectProblem(response, status)).detail).toMatch(detail);
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
      // Data that another process wrote must be read from the disk.
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

  test.skipIf(!canTrace)(
    "a failing checkpoint is logged once, and writes continue in the write-ahead log",
    async () => {
      const messages = () =>
        server.lines.filter((line) => line.includes("Checkpoints of the write-ahead log of"));
      const description = "x".repeat(500_000);
      {
        await using _failing = await FailingCalls.start(server.pid, {
          calls: "pwrite64",
          error: "EIO",
          files: [path],
        });
        for (let count = 0; count < 8; count++) await create(send, { description });
        await until("it is logged", async () => messages().length > 0);
      }
      for (let count = 0; count < 8; count++) await create(send, { description });
      await until("the log is taken", async () =>
        server.lines.some((line) => line.includes("Checkpoints of the write-ahead log work again")),
      );
      expect(messages()).toHaveLength(1);
      const values = await scrape(metricsPort);
      expect(values.value("commonplace_checkpoint_failures_total")).toBeGreaterThan(0);
    },
  );

  test("still has everything that it confirmed, and its database is undamaged", async () => {
    const before = await list(send);
    await server.kill();
    checkIntegrity(path);
    server = await startServer({ DATABASE_URL: `sqlite:${path}` });
    send = sendTo(server.url);
    expect(await list(send)).toEqual(before);
  });
});

test("A server whose rights to its files are taken away continues with its open files, and loses nothing", async () => {
  using folder = temporaryFolder();
  mkdirSync(folder.file("place"));
  const path = folder.file("place/test.db");
  const settings = { DATABASE_URL: `sqlite:${path}` };
  // Without these capabilities, even the superuser cannot write to read-only files.
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
