import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { StartError } from "../../errors.ts";
import { openSqlite } from "./sqlite.ts";

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = folder.file("test.db");
});
afterEach(() => folder[Symbol.dispose]());

describe("openSqlite", () => {
  test("creates folder and file with access for their owner alone, in WAL mode, with our application id", async () => {
    path = folder.file("new/deep/test.db");
    const database = await openSqlite(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(folder.file("new")).mode & 0o777).toBe(0o700);
    const beside = new DatabaseSync(path);
    expect(beside.prepare("pragma journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(beside.prepare("pragma application_id").get()).toEqual({ application_id: 0x636d706c });
    beside.close();
    await database.close();
  });

  test("reopens a database with its contents and its epoch", async () => {
    const first = await openSqlite(path);
    await first.write((sql) => sql`insert into counters (name, slot, n) values ('kept', 0, 7)`);
    await first.close();
    const second = await openSqlite(path);
    expect(await second.read`select n from counters where name = 'kept'`).toEqual([{ n: 7 }]);
    expect(second.epoch).toBe(first.epoch);
    await second.close();
  });

  test("gives each database its own epoch", async () => {
    const epochs = new Set<string>();
    for (let index = 0; index < 5; index++) {
      const database = await openSqlite(folder.file(`${index}.db`));
      epochs.add(database.epoch);
      await database.close();
    }
    expect(epochs.size).toBe(5);
  });

  test("allows concurrent calls for a database that does not exist yet", async () => {
    const databases = await Promise.all(Array.from({ length: 5 }, () => openSqlite(path)));
    expect(new Set(databases.map(({ epoch }) => epoch)).size).toBe(1);
    for (const database of databases) await database.close();
  });

  test("allows calls of many processes at once, whether the database exists or not", async () => {
    const program = join(import.meta.dir, "../../../test/support/databases/open-and-close.ts");
    for (let round = 0; round < 5; round++) {
      const processes = Array.from({ length: 4 }, () =>
        Bun.spawn([process.execPath, program, folder.file(`${round}.db`)], { stderr: "pipe" }),
      );
      for (const { exited, stderr } of processes) {
        expect([await exited, await new Response(stderr).text()]).toEqual([0, ""]);
      }
    }
  });

  test("sets its reserve aside beside the file, also when only a link to it is there at first", async () => {
    mkdirSync(folder.file("there"));
    symlinkSync(folder.file("there/real.db"), path);
    const database = await openSqlite(path, { servesRequests: true });
    await database.close();
    expect([`${path}-reserve`, folder.file("there/real.db-reserve")].map(existsSync)).toEqual([false, true]);
  });

  test("refuses what is no file, such as /dev/null, and leaves nothing beside it", async () => {
    Bun.spawnSync(["mkfifo", path]);
    await expect(openSqlite(path)).rejects.toThrow(/ cannot be opened: it is not a regular file\.$/);
    expect(readdirSync(folder.path)).toEqual(["test.db"]);
  });

  test("creates nothing when the database must exist", async () => {
    await expect(openSqlite(path, { mustExist: true })).rejects.toMatchObject({ exitCode: 1 });
    expect(existsSync(path)).toBeFalse();
  });

  test("waits for the lock up to its limit, and then reports it", async () => {
    await (await openSqlite(path)).close();
    const other = new DatabaseSync(path);
    other.exec("begin immediate");
    await expect(openSqlite(path, { lockWait: 30 })).rejects.toThrow("locked by another process");
    const opening = openSqlite(path, { lockWait: 60_000 });
    other.exec("rollback");
    await (await opening).close();
    other.close();
  });

  test("leaves another program's file unchanged, and closes it", async () => {
    writeFileSync(path, "no database".repeat(100));
    await expect(openSqlite(path)).rejects.toBeInstanceOf(StartError);
    expect(existsSync(`${path}-wal`)).toBeFalse();
  });
});

describe("A SQLite database", () => {
  test("shows a confirmed write to every reader at once, also in another process", async () => {
    const one = await openSqlite(path);
    const other = await openSqlite(path);
    for (let n = 1; n <= 50; n++) {
      await one.write(
        (sql) => sql`insert into counters (name, slot, n) values ('x', ${n}, ${n})
          on conflict (name, slot) do nothing`,
      );
      for (const { read } of [one, other])
        expect(await read`select max(n) as n from counters where name = 'x'`).toEqual([{ n }]);
    }
    await one.close();
    await other.close();
  });

  test("changes its stamp with any commit of any process, and only then", async () => {
    const one = await openSqlite(path);
    const other = await openSqlite(path);
    const stamps = [await one.stamp()];
    await one.write((sql) => sql`insert into counters (name, slot, n) values ('a', 0, 1)`);
    stamps.push(await one.stamp());
    await other.write((sql) => sql`insert into counters (name, slot, n) values ('b', 0, 1)`);
    stamps.push(await one.stamp());
    expect(new Set(stamps).size).toBe(3);
    await one.read`select 1`;
    expect(await one.stamp()).toBe(stamps[2] ?? 0);
    await one.close();
    await other.close();
  });

  test("refuses writes on its reading connection", async () => {
    const database = await openSqlite(path);
    expect(() => database.read`delete from meta`).toThrow();
    expect(await database.read`select count(*) > 0 as there from meta`).toEqual([{ there: 1 }]);
    await database.close();
  });

  test("finishes pending writes on close, refuses new ones, and leaves no side files", async () => {
    const database = await openSqlite(path);
    const add = (n: number) =>
      database.write((sql) => sql`insert into counters (name, slot, n) values ('x', ${n}, ${n})`);
    const writes = Array.from({ length: 100 }, (_, n) => add(n));
    const closing = database.close();
    await expect(add(100)).rejects.toMatchObject({ reason: "unavailable" });
    await Promise.all([...writes, closing]);
    for (const file of [`${path}-wal`, `${path}-shm`]) expect(existsSync(file)).toBeFalse();
    const reading = new DatabaseSync(path);
    expect(reading.prepare("select count(*) as n from counters where name = 'x'").get()).toEqual({ n: 100 });
    reading.close();
  });

  test("is ready while its schema is current", async () => {
    const database = await openSqlite(path);
    await database.ready();
    await database.write((sql) => sql`update meta set value = 'other' where name = 'schema'`);
    await expect(database.ready()).rejects.toMatchObject({ reason: "unavailable" });
    await database.close();
  });

  test("never assigns an id twice, even when the last record is deleted and the database reopened", async () => {
    const ids: number[] = [];
    for (let round = 0; round < 3; round++) {
      const database = await openSqlite(path);
      const [row] = await database.write(
        (sql) => sql<{ id: number }>`
          insert into bookmarks (title, url, description, created_at, updated_at)
          values ('t', 'u', 'd', 0, 0) returning id`,
      );
      ids.push(row?.id ?? 0);
      await database.write((sql) => sql`delete from bookmarks where id = ${row?.id ?? 0}`);
      await database.close();
    }
    expect(ids).toEqual([1, 2, 3]);
  });
});
