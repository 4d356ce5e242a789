import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../../../test/support/server.ts";
import type { Sql } from "../database.ts";
import { connect } from "./connection.ts";
import { SqliteWriter } from "./writer.ts";

describe("SqliteWriter", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let connection: DatabaseSync;
  /** Another connection, which sees only committed data. */
  let beside: DatabaseSync;
  let writer: SqliteWriter;
  /** How many commits there have been. */
  let commits: () => number;
  beforeEach(() => {
    folder = temporaryFolder();
    connection = connect(folder.file("test.db"), { readOnly: false });
    connection.exec("pragma journal_mode = wal; create table things (n integer primary key)");
    beside = new DatabaseSync(folder.file("test.db"));
    writer = new SqliteWriter(connection, 5_000);
    let count = 0;
    const exec = connection.exec.bind(connection);
    connection.exec = (sql) => {
      exec(sql);
      if (sql === "commit") count++;
    };
    commits = () => count;
  });
  afterEach(() => {
    beside.close();
    connection.close();
    folder[Symbol.dispose]();
  });

  const add = (n: number) => (sql: Sql) => sql`insert into things (n) values (${n}) returning n`;
  const committed = () =>
    beside
      .prepare("select n from things order by n")
      .all()
      .map(({ n }) => n);

  test("resolves with the result of the work once it is committed", async () => {
    expect(await writer.write(add(1))).toEqual([{ n: 1 }]);
    expect(committed()).toEqual([1]);
  });

  test("resolves no piece of work before the shared commit", async () => {
    const seen: unknown[][] = [];
    const first = writer.write(add(1)).then(() => seen.push(committed()));
    const second = writer.write((sql) => {
      seen.push(committed());
      return add(2)(sql);
    });
    await Promise.all([first, second]);
    expect(seen).toEqual([[], [1, 2]]);
  });

  test("commits waiting work together", async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => writer.write(add(n))));
    expect(commits()).toBe(1);
    expect(committed()).toHaveLength(100);
  });

  test("shares a commit among at most 512 pieces, so that readers are served in between", async () => {
    await Promise.all(Array.from({ length: 1_100 }, (_, n) => writer.write(add(n))));
    expect(commits()).toBe(3);
    expect(committed()).toHaveLength(1_100);
  });

  test("runs the work in order of arrival; each piece sees those before it", async () => {
    const counts = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        writer.write(async (sql) => {
          await add(n)(sql);
          const [row] = await sql<{ count: number }>`select count(*) as count from things`;
          return row?.count;
        }),
      ),
    );
    expect(counts).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  test("rolls back a piece that throws, and no other", async () => {
    const trouble = new Error("I changed my mind");
    const results = await Promise.allSettled([
      writer.write(add(1)),
      writer.write(async (sql) => {
        await add(2)(sql);
        await add(3)(sql);
        throw trouble;
      }),
      writer.write(add(4)),
      writer.write(add(1)),
      writer.write(add(5)),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(results[1]).toMatchObject({ reason: trouble });
    expect(committed()).toEqual([1, 4, 5]);
  });

  test("rolls back what a piece did before an await, too", async () => {
    const failing = writer.write(async (sql) => {
      await add(1)(sql);
      await sql`select 1`;
      throw new Error("late");
    });
    await expect(failing).rejects.toThrow("late");
    expect(committed()).toEqual([]);
    await writer.write(add(2));
    expect(committed()).toEqual([2]);
  });

  test("continues after a failed commit, whose writes are all refused", async () => {
    connection.exec(`create table parents (id integer primary key);
      create table children (parent integer references parents (id) deferrable initially deferred)`);
    const results = await Promise.allSettled([
      writer.write(add(1)),
      writer.write((sql) => sql`insert into children (parent) values (7)`),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(committed()).toEqual([]);
    await writer.write(add(2));
    expect(committed()).toEqual([2]);
  });

  describe("while another process holds the lock", () => {
    beforeEach(() => {
      beside.exec("begin immediate");
    });

    test("waits, and commits the work that arrived meanwhile together", async () => {
      const writes = [writer.write(add(1))];
      await Bun.sleep(5);
      writes.push(writer.write(add(2)));
      beside.exec("rollback");
      await Promise.all(writes);
      expect(commits()).toBe(1);
      expect(committed()).toEqual([1, 2]);
    });

    test("gives up each piece after its own time limit, and runs the others", async () => {
      const impatient = new SqliteWriter(connection, 600);
      const early = impatient.write(add(1)).catch((error) => error);
      await Bun.sleep(300);
      const late = impatient.write(add(2));
      expect(await early).toMatchObject({ reason: "unavailable", retryAfter: 1 });
      beside.exec("rollback");
      await late;
      expect(committed()).toEqual([2]);
    });

    test("finishes when every piece is done or given up", async () => {
      const impatient = new SqliteWriter(connection, 30);
      const write = impatient.write(add(1));
      const outcome = write.catch((error) => error);
      await impatient.finish();
      expect(await outcome).toMatchObject({ reason: "unavailable" });
      beside.exec("rollback");
    });
  });

  test("accepts no work after it is finished", async () => {
    const write = writer.write(add(1));
    await writer.finish();
    expect(await write).toEqual([{ n: 1 }]);
    await expect(writer.write(add(2))).rejects.toMatchObject({ reason: "unavailable" });
    expect(committed()).toEqual([1]);
  });
});
