import { describe, expect, test } from "bun:test";
import type { DatabaseObserver } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { until } from "../support/machine/until.ts";
import { engines } from "../support/server/engines.ts";

/** Records what it is notified of. */
class RecordingObserver implements DatabaseObserver {
  readonly commits: { readonly writes: number; readonly milliseconds: number }[] = [];
  retries = 0;
  failedCheckpoints = 0;

  committed(writes: number, milliseconds: number): void {
    this.commits.push({ writes, milliseconds });
  }

  retried(): void {
    this.retries++;
  }

  checkpointFailed(): void {
    this.failedCheckpoints++;
  }
}

for (const engine of engines)
  describe(`A database that is watched (${engine.name})`, () => {
    test("counts each commit, and none for what was rolled back", async () => {
      await using place = await engine.createDatabase();
      const recorded = new RecordingObserver();
      const database = await openDatabase(place.url, { observer: recorded });
      await database.write((sql) => sql`insert into meta (name, value) values ('watched', 'yes')`);
      const undone = database.write(async (sql) => {
        await sql`delete from meta where name = 'watched'`;
        throw new Error("No.");
      });
      await expect(undone).rejects.toThrow("No.");
      await database.close();
      expect(recorded.commits.map(({ writes }) => writes)).toEqual([1]);
      expect(recorded.commits.every(({ milliseconds }) => milliseconds > 0)).toBeTrue();
      expect(recorded.retries).toBe(0);
    });
  });

for (const engine of engines.filter(({ name }) => name.startsWith("PostgreSQL")))
  describe(`A pool (${engine.name})`, () => {
    test("counts writers, and those that wait for them", async () => {
      await using place = await engine.createDatabase();
      const database = await openDatabase(place.url, { poolSize: 4 });
      const { promise: gate, resolve: open } = Promise.withResolvers<void>();
      const writing = Array.from({ length: 5 }, () =>
        database.write(async (sql) => {
          await sql`select 1`;
          await gate;
        }),
      );
      await until("three write and two wait", async () => {
        const { pool } = database.state();
        return pool?.writers === 3 && pool.writersWaiting === 2;
      });
      expect(database.state().pool).toMatchObject({ size: 4, writersMax: 3 });
      open();
      await Promise.all(writing);
      expect(database.state().pool).toMatchObject({ writers: 0, writersWaiting: 0, pendingStatements: 0 });
      await database.close();
    });

    test("counts transactions that conflicted and were run again", async () => {
      await using place = await engine.createDatabase();
      const recorded = new RecordingObserver();
      const database = await openDatabase(place.url, { observer: recorded });
      await database.write((sql) => sql`insert into meta (name, value) values ('left', ''), ('right', '')`);
      const { promise: bothHold, resolve } = Promise.withResolvers<void>();
      let holding = 0;
      const crossing = (first: string, second: string) =>
        database.write(async (sql) => {
          await sql`update meta set value = 'held' where name = ${first}`;
          if (++holding === 2) resolve();
          await bothHold;
          await sql`update meta set value = 'held' where name = ${second}`;
        });
      await Promise.all([crossing("left", "right"), crossing("right", "left")]);
      expect(recorded.retries).toBeGreaterThan(0);
      expect(recorded.commits).toHaveLength(3);
      await database.close();
    });
  });
