import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Database } from "../../../src/database/database.ts";
import { openBeside } from "../../support/databases/database.ts";
import { until } from "../../support/machine/until.ts";
import { engines } from "../../support/server/engines.ts";

const OLD = 20_000;
const BATCH = 500;

for (const engine of engines)
  describe(`A process that is killed while it purges (${engine.name})`, () => {
    test("leaves whole batches, and another process continues when the lease has expired", async () => {
      await using place = await engine.createDatabase();
      const database = await openBeside(place.url);
      await addExpiredKeys(database);

      const killed = startJobs(place.url);
      await until("the purge is under way", async () => (await keysLeft(database)) < OLD);
      killed.kill("SIGKILL");
      await killed.exited;
      const left = await keysLeft(database);
      expect(left % BATCH).toBe(0);
      const [job] = await database.read<{
        lease: string | null;
      }>`select lease from jobs where kind = 'purge'`;
      expect(job?.lease === null).toBe(left === 0);

      await database.write(
        (sql) => sql`update jobs set leased_until = ${new Date()}, run_at = ${new Date(0)}`,
      );
      const next = startJobs(place.url);
      await until("the purge is done", async () => (await keysLeft(database)) === 0);
      next.kill("SIGTERM");
      expect(await next.exited).toBe(0);
      const rows = await database.read`select attempts, lease from jobs where kind = 'purge'`;
      expect(rows.map((row) => ({ ...row }))).toEqual([{ attempts: 0, lease: null }]);
      await database.close();
    });
  });

function startJobs(databaseUrl: string): Bun.Subprocess {
  return Bun.spawn([process.execPath, join(import.meta.dir, "../../support/databases/run-jobs.ts")], {
    env: { PATH: process.env.PATH ?? "", DATABASE_URL: databaseUrl },
    stdout: "inherit",
    stderr: "inherit",
  });
}

async function addExpiredKeys(database: Database): Promise<void> {
  const createdAt = new Date(Date.now() - 25 * 60 * 60 * 1000);
  for (let batch = 0; batch < OLD; batch += 1_000)
    await database.write(async (sql) => {
      for (let count = batch; count < batch + 1_000; count++)
        await sql`
          insert into idempotency_keys (caller, path, key, body_sha256, status, location, body, created_at)
          values ('anonymous', '/bookmarks/', ${String(count)}, ${"0".repeat(64)}, 201, null, '', ${createdAt})`;
    });
}

async function keysLeft({ read }: Database): Promise<number> {
  const [row] = await read<{ n: number }>`select count(*) as n from idempotency_keys`;
  return Number(row?.n);
}
