import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { jobKinds } from "../../../src/app/job-kinds.ts";
import { insertBookmark } from "../../../src/bookmarks/bookmark-writer.ts";
import { indexedBookmarks } from "../../../src/bookmarks/search/indexed-bookmarks.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import type { Database, Instant } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { type JobKinds, JobRunner } from "../../../src/jobs/job-runner.ts";
import { leaseDueJob, requestJob } from "../../../src/jobs/job-store.ts";
import { Log } from "../../../src/log.ts";
import { countWaiting, requestIndexing } from "../../../src/search/index/entries.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { until } from "../../support/machine/until.ts";
import { engines } from "../../support/server/engines.ts";

const silent = new Log({ level: "silent", format: "json" });
const QUICK = { startAfter: 0, lease: 60_000, idle: 10, firstRetry: 1, lastRetry: 4 };
const GRACE = 5_000;

for (const engine of engines)
  describe(`Jobs (${engine.name})`, () => {
    const toEnd = new AsyncDisposableStack();
    let one: Database;
    let other: Database;
    let url: string;
    beforeAll(async () => {
      ({ url } = toEnd.use(await engine.createDatabase()));
      one = await openDatabase(url);
      other = await openDatabase(url);
      toEnd.defer(() => one.close());
      toEnd.defer(() => other.close());
    });
    afterAll(() => toEnd.disposeAsync());
    beforeEach(() => one.write((sql) => sql`delete from jobs`));

    const request = (key: string, { kind = "note", payload = {}, runAt = new Date() } = {}) =>
      one.write((sql) => requestJob(sql, { kind, key, payload, runAt }));
    const rows = async () =>
      (
        await one.read<{ key: string; attempts: number; last_error: string | null; lease: string | null }>`
          select key, attempts, last_error, lease from jobs order by id`
      ).map((row) => ({ ...row }));
    const noJobsLeft = () => until("no job is left", async () => (await rows()).length === 0);

    function start(kinds: JobKinds, database = one, times: Partial<typeof QUICK> = {}): JobRunner {
      const runner = new JobRunner({ database, kinds, log: silent, times: { ...QUICK, ...times } });
      runner.start();
      return runner;
    }

    test("run once each, in the order of their run times, and are then deleted", async () => {
      const ran: string[] = [];
      const now = Date.now();
      await request("third", { runAt: new Date(now - 1), payload: { n: 3 } });
      await request("first", { runAt: new Date(now - 3), payload: { n: 1 } });
      await request("second", { runAt: new Date(now - 2), payload: { n: 2 } });
      const runner = start({
        note: { run: async ({ key, payload }) => void ran.push(`${key} ${payload.n}`) },
      });
      await noJobsLeft();
      await runner.stop(GRACE);
      expect(ran).toEqual(["first 1", "second 2", "third 3"]);
    });

    test("run, also when they were due at the first instant of all, as those that make the index again are", async () => {
      await request("first of all", { runAt: new Date(0) });
      await request("another");
      const ran: string[] = [];
      const runner = start({ note: { run: async ({ key }) => void ran.push(key) } });
      await noJobsLeft();
      await runner.stop(GRACE);
      expect(ran).toEqual(["first of all", "another"]);
    });

    test("of the program write the words that a large import leaves to them", async () => {
      await one.write((sql) =>
        insertBookmark(
          sql,
          { title: "Left", url: "https://left.example/", description: "" },
          undefined,
          new Date(),
        ),
      );
      await one.write(async (sql) => {
        await sql`update search_bookmarks set version = 0`;
        await requestIndexing(sql, indexedBookmarks);
      });
      expect(await countWaiting(one.read, indexedBookmarks)).toBe(1);
      const runner = start(jobKinds(readConfig({}), one));
      await until(
        "all words are written",
        async () => (await countWaiting(one.read, indexedBookmarks)) === 0,
      );
      await runner.stop(GRACE);
    });

    test("are shared by processes: each runs in one of them", async () => {
      const keys = Array.from({ length: 40 }, (_, index) => `job ${index}`);
      await one.write(async (sql) => {
        for (const key of keys) await requestJob(sql, { kind: "note", key, runAt: new Date() });
      });
      const ran: string[] = [];
      const kinds = { note: { run: async ({ key }: { key: string }) => void ran.push(key) } };
      const runners = [start(kinds, one), start(kinds, other), start(kinds, one)];
      await noJobsLeft();
      await Promise.all(runners.map((runner) => runner.stop(GRACE)));
      expect(ran.toSorted()).toEqual(keys.toSorted());
    });

    test("wait for their run time, and are found when another process has requested them", async () => {
      const { promise: called, resolve } = Promise.withResolvers<void>();
      const runner = start({ note: { run: async () => resolve() } }, other);
      await request("later", { runAt: new Date(Date.now() + 3_600_000) });
      await request("now");
      await called;
      await until("one is left", async () => (await rows()).length === 1);
      await runner.stop(GRACE);
      expect((await rows())[0]?.key).toBe("later");
    });

    test("that are requested twice are one; while one runs, it runs once more", async () => {
      const payloads: unknown[] = [];
      await request("same", { payload: { n: 1 } });
      await request("same", { payload: { n: 2 } });
      const runner = start({
        note: {
          run: async ({ payload }) => {
            payloads.push(payload.n);
            if (payloads.length === 1) await request("same", { payload: { n: 3 } });
          },
        },
      });
      await noJobsLeft();
      await runner.stop(GRACE);
      expect(payloads).toEqual([2, 3]);
    });

    test("are requested with the change that they follow, or not at all", async () => {
      const failing = one.write(async (sql) => {
        await requestJob(sql, { kind: "note", key: "undone", runAt: new Date() });
        throw new Error("the change failed");
      });
      await expect(failing).rejects.toThrow("the change failed");
      expect(await rows()).toEqual([]);
    });

    test("that fail are retried with growing delays, and record the error", async () => {
      const attempts: number[] = [];
      const errors: (string | null)[] = [];
      await request("flaky");
      const runner = start({
        note: {
          run: async (job) => {
            attempts.push(job.attempts);
            errors.push((await rows())[0]?.last_error ?? null);
            if (attempts.length < 4) throw new Error(`attempt ${attempts.length}`);
          },
        },
      });
      await noJobsLeft();
      await runner.stop(GRACE);
      expect(attempts).toEqual([1, 2, 3, 4]);
      expect(errors).toEqual([null, "Error: attempt 1", "Error: attempt 2", "Error: attempt 3"]);
    });

    test("of a recurring kind exist without a request, one for all processes, and run again", async () => {
      let runs = 0;
      const kinds = { sweep: { every: 1, run: async () => void runs++ } };
      const runners = [start(kinds, one), start(kinds, other)];
      await until("it has come again", async () => runs >= 5);
      expect(await rows()).toHaveLength(1);
      await Promise.all(runners.map((runner) => runner.stop(GRACE)));
      expect(await rows()).toMatchObject([{ attempts: 0, lease: null }]);
    });

    test("of a killed process run in another one after their lease has expired", async () => {
      await request("orphan");
      const soon = new Date(Date.now() + 150);
      expect(await leaseDueJob(one, ["note"], new Date(), soon)).toMatchObject({
        key: "orphan",
        attempts: 1,
      });
      const ranAt: number[] = [];
      const runner = start({ note: { run: async () => void ranAt.push(Date.now()) } }, other);
      await noJobsLeft();
      await runner.stop(GRACE);
      expect(ranAt).toHaveLength(1);
      expect(ranAt[0]).toBeGreaterThanOrEqual(soon.getTime());
    });

    test("keep their lease while they run, for any time", async () => {
      // The time of these processes passes only here, so that no lease ends while the machine is busy.
      const clock = new StoppedClock();
      const databases = [await openDatabase(url, { clock }), await openDatabase(url, { clock })];
      let runs = 0;
      await request("long", { runAt: clock.now() });
      const leasedUntil = async () => {
        const [row] = await one.read<{ leased_until: Instant }>`select leased_until from jobs`;
        return new Date(row?.leased_until ?? 0).getTime();
      };
      const run = async () => {
        runs++;
        for (let longer = 0; longer < 3; longer++) {
          const before = await leasedUntil();
          clock.move(200);
          await until("the lease is longer", async () => (await leasedUntil()) > before);
        }
      };
      const runners = databases.map((database) => start({ note: { run } }, database, { lease: 300 }));
      await noJobsLeft();
      await Promise.all(runners.map((runner) => runner.stop(GRACE)));
      expect(runs).toBe(1);
      for (const database of databases) await database.close();
    });

    test("that were requested or leased while the clock was ahead do not wait until it is there again", async () => {
      const [now, ahead] = [new Date(), new Date(Date.now() + 400 * 24 * 3_600_000)];
      await request("requested then", { runAt: ahead });
      await request("leased then", { runAt: ahead });
      await one.write(
        (sql) => sql`update jobs set lease = 'killed', leased_until = ${ahead} where key = 'leased then'`,
      );
      await request("a site wants a day", { runAt: new Date(now.getTime() + 24 * 3_600_000) });
      const ran: string[] = [];
      const again: JobKinds = { again: { every: 3_600_000, run: async () => void ran.push("every hour") } };
      await request("", { kind: "again", runAt: ahead });
      const runner = start({ ...again, note: { run: async ({ key }) => void ran.push(key) } });
      await until("all have run", async () => ran.length === 3);
      await until("only those that wait are left", async () => (await rows()).length === 2);
      await runner.stop(GRACE);
      expect(ran.toSorted()).toEqual(["every hour", "leased then", "requested then"]);
    });

    test("of unknown kinds are left to other versions", async () => {
      await request("new", { kind: "of a newer version" });
      await request("known");
      const runner = start({ note: { run: async () => {} } });
      await until("one is left", async () => (await rows()).length === 1);
      await runner.stop(GRACE);
      expect((await rows())[0]).toMatchObject({ key: "new", attempts: 0 });
    });

    test("are finished at the stop, and no new ones start", async () => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const { promise: finish, resolve: release } = Promise.withResolvers<void>();
      let finished = 0;
      await request("first");
      await request("second");
      const runner = start({
        note: {
          run: async () => {
            begin();
            await finish;
            finished++;
          },
        },
      });
      await begun;
      const stopped = runner.stop(GRACE);
      release();
      await stopped;
      expect(finished).toBe(1);
      expect(await rows()).toMatchObject([{ key: "second", attempts: 0, lease: null }]);
    });

    test("that take longer than the stop allows are aborted, and this attempt does not count", async () => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      await request("endless");
      const runner = start({
        note: {
          run: async (_job, signal) => {
            begin();
            await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
          },
        },
      });
      await begun;
      await runner.stop(10);
      expect(await rows()).toMatchObject([{ key: "endless", attempts: 0, lease: null, last_error: null }]);
    });
  });
