import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { addToCounter } from "../counters.ts";
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

  test("commits early when the work takes long, so that readers are served in between", async () => {
    let now = 0;
    using _clock = spyOn(performance, "now").mockImplementation(() => now);
    const slowly = (n: number) => (sql: Sql) => {
      now += 10_000;
      return add(n)(sql);
    };
    const works = [add(0), add(1), slowly(2), slowly(3), add(4)];
    await Promise.all(works.map((work) => writer.write(work)));
    expect(commits()).toBe(3);
    expect(committed()).toHaveLength(works.length);
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

  describe("runs pieces that share a transaction", () => {
    /** A piece that notes each of its runs, and fails in all of them. */
    const failing = (runs: string[], name: string, work: (sql: Sql) => unknown) => async (sql: Sql) => {
      runs.push(name);
      await work(sql);
      throw new Error(name);
    };
    const adding = (runs: string[], n: number) => (sql: Sql) => {
      runs.push(`${n}`);
      return add(n)(sql);
    };

    test("once, when one is refused before it has changed anything", async () => {
      const runs: string[] = [];
      const outcomes = await Promise.allSettled([
        writer.write(adding(runs, 1)),
        writer.write(failing(runs, "refused", (sql) => sql`select n from things`)),
        writer.write(adding(runs, 2)),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(runs).toEqual(["1", "refused", "2"]);
      expect(committed()).toEqual([1, 2]);
      expect(commits()).toBe(1);
    });

    test("again, when one fails after a change, and those of later with them", async () => {
      const runs: string[] = [];
      let later: Promise<unknown> | undefined;
      const outcomes = await Promise.allSettled([
        writer.write(adding(runs, 1)),
        writer.write(
          failing(runs, "failed", async (sql) => {
            await add(7)(sql);
            later ??= writer.write(adding(runs, 3));
          }),
        ),
        writer.write(adding(runs, 2)),
      ]);
      await later;
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(runs).toEqual(["1", "failed", "1", "failed", "2", "3"]);
      expect(committed()).toEqual([1, 2, 3]);
      expect(commits()).toBe(1);
    });

    test("not again, when the one that fails is alone", async () => {
      const runs: string[] = [];
      await expect(writer.write(failing(runs, "alone", add(1)))).rejects.toThrow("alone");
      expect(runs).toEqual(["alone"]);
      expect(committed()).toEqual([]);
      await writer.write(add(2));
      expect(committed()).toEqual([2]);
    });
  });

  test("keeps no addition to a counter of a piece that failed", async () => {
    connection.exec("create table counters (name text, slot integer, n integer, primary key (name, slot))");
    const count = (n: number) => (sql: Sql) => addToCounter(sql, "things", n);
    const failed = async (sql: Sql) => {
      await count(10)(sql);
      throw new Error("no");
    };
    await Promise.allSettled([1, 2, 4].map((n) => writer.write(count(n))).concat(writer.write(failed)));
    expect(beside.prepare("select n from counters where name = 'things'").get()?.n).toBe(7);
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
      let now = 0;
      using _clock = spyOn(performance, "now").mockImplementation(() => now);
      const impatient = new SqliteWriter(connection, 600);
      const early = impatient.write(add(1)).catch((error) => error);
      now = 300;
      const late = impatient.write(add(2));
      now = 700;
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
