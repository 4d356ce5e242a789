import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { temporaryFolder } from "../../../../test/support/server/server.ts";
import type { Database } from "../../database.ts";
import { sizeOf } from "../file.ts";
import { openSqlite } from "../sqlite.ts";

describe("TurnReadLock", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let database: Database;
  /** A connection of somebody else. */
  let beside: DatabaseSync;
  beforeEach(async () => {
    folder = temporaryFolder();
    path = folder.file("test.db");
    database = await openSqlite(path, { sharesReadLock: true });
    beside = new DatabaseSync(path);
    await setImmediate();
  });
  afterEach(async () => {
    beside.close();
    await database.close();
    folder[Symbol.dispose]();
  });

  const store = (value: string) =>
    beside.prepare("insert or replace into meta (name, value) values ('test', ?)").run(value);
  const read = () => database.read<{ value: string }>`select value from meta where name = 'test'`;
  /** Whether a lock from before keeps the log from starting over. */
  function isHeld(): boolean {
    store("for the log");
    return beside.prepare("pragma wal_checkpoint(truncate)").get()?.busy === 1;
  }

  test("holds the lock from the third statement of a turn until its end", async () => {
    read();
    read();
    expect(isHeld()).toBeFalse();
    read();
    expect(isHeld()).toBeTrue();
    await setImmediate();
    expect(isHeld()).toBeFalse();
  });

  test("lets each statement see what others have committed meanwhile", () => {
    for (const value of ["1", "2", "3", "4", "5"]) {
      const before = database.stamp();
      store(value);
      expect(database.stamp()).not.toBe(before);
      for (let statement = 0; statement < 3; statement++) expect(read()).toEqual([{ value }] as never);
    }
  });

  test("gives up a lock from before a commit of others", () => {
    database.stamp();
    for (let statement = 0; statement < 3; statement++) database.stamp();
    expect(isHeld()).toBeTrue();
    database.stamp();
    expect(isHeld()).toBeFalse();
  });

  test("lets the log start over when this process commits", async () => {
    const page = "x".repeat(100_000);
    for (let n = 0; n < 200; n++)
      await database.write((sql) => {
        for (let statement = 0; statement < 3; statement++) read();
        return sql`insert or replace into meta (name, value) values ('page', ${page + n})`;
      });
    expect(sizeOf(`${path}-wal`)).toBeLessThan(4 * 2 ** 20);
  });

  test("is left out unless a process serves alone", async () => {
    await database.close();
    database = await openSqlite(path);
    for (let statement = 0; statement < 5; statement++) read();
    expect(isHeld()).toBeFalse();
  });
});
