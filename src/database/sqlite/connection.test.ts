import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import type { Sql } from "../database.ts";
import { connect, createSql } from "./connection.ts";

describe("A connection", () => {
  const folder = temporaryFolder();
  let connection: DatabaseSync;
  let sql: Sql;
  beforeAll(() => {
    connection = connect(folder.file("test.db"), { readOnly: false });
    sql = createSql(connection);
    connection.exec("create table things (id integer primary key, value)");
  });
  afterAll(() => {
    connection.close();
    folder[Symbol.dispose]();
  });

  test("syncs every commit, checks foreign keys, and never blocks the process for a lock", () => {
    const pragma = (name: string) => Object.values(connection.prepare(`pragma ${name}`).get() ?? {})[0];
    expect(pragma("synchronous")).toBe(2);
    expect(pragma("foreign_keys")).toBe(1);
    expect(pragma("busy_timeout")).toBe(0);
    expect(pragma("trusted_schema")).toBe(0);
  });

  test("that only reads cannot write", () => {
    const reading = connect(folder.file("test.db"), { readOnly: true });
    expect(() => reading.exec("insert into things (value) values (1)")).toThrow("readonly");
    reading.close();
  });

  describe("binds values that", () => {
    const values: [description: string, value: string | number | null | Uint8Array, stored: unknown][] = [
      ["are text", "e\u0301 '; drop table things; -- ?", "e\u0301 '; drop table things; -- ?"],
      ["are numbers", 9_007_199_254_740_991, 9_007_199_254_740_991],
      ["are nothing", null, null],
      ["are bytes", new Uint8Array([0, 255]), new Uint8Array([0, 255])],
    ];
    for (const [description, value, stored] of values) {
      test(`${description} unchanged`, async () => {
        expect(await sql`select ${value} as value`).toEqual([{ value: stored }]);
      });
    }

    test("are booleans as 1 and 0", async () => {
      expect(await sql`select ${true} as yes, ${false} as no`).toEqual([{ yes: 1, no: 0 }]);
    });

    test("are instants as whole milliseconds since 1970", async () => {
      const time = new Date("2026-11-21T06:40:12.345Z");
      expect(await sql`select ${time} as time`).toEqual([{ time: time.getTime() }]);
    });

    test("are lists of ids as lists in parentheses, of any length", async () => {
      for (let id = 1; id <= 9; id++) await sql`insert into things (id, value) values (${id}, ${id * 10})`;
      for (const ids of [[3], [1, 9], [5, 4, 2], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]) {
        const rows = await sql<{ id: number }>`
          select id from things where value > ${0} and id in ${ids} and value < ${1_000} order by id`;
        expect(rows.map(({ id }) => id)).toEqual(ids.filter((id) => id <= 9).toSorted((a, b) => a - b));
      }
    });
  });

  test("prepares each call site once, and forgets no value between calls", async () => {
    const find = async (id: number) => (await sql<{ n: number }>`select ${id} + ${1} as n`)[0]?.n;
    expect([await find(1), await find(2), await find(1)]).toEqual([2, 3, 2]);
  });

  describe("returns the id of a new row", () => {
    beforeAll(() =>
      connection.exec(`
        create table added (id integer primary key autoincrement, name text unique);
        create table log (id integer primary key autoincrement, text);
        create trigger added_inserted after insert on added begin
          insert into log (text) values ('one'), ('two'), ('three');
        end;
        create table keyed (key text primary key) strict, without rowid;
        create table numbered (number integer not null, name text primary key) strict`),
    );
    const add = (name: string) => sql`insert into added (name) values (${name}) returning id`;
    const addNew = (name: string) =>
      sql`insert into added (name) values (${name}) on conflict (name) do nothing returning id`;

    test("and not those that a trigger has added", async () => {
      expect([await add("a"), await add("b")]).toEqual([[{ id: 1 }], [{ id: 2 }]]);
    });

    test("unless there was a conflict", async () => {
      expect(await addNew("c")).toHaveLength(1);
      expect(await addNew("c")).toEqual([]);
      expect(await addNew("d")).toEqual(await sql`select id from added where name = ${"d"}`);
    });

    test("and refuses a row that breaks a rule", () => {
      expect(() => add("a")).toThrow("UNIQUE");
    });

    test("or another column, or the ids of several rows", async () => {
      expect(await sql`insert into added (name) values (${"e"}) returning name`).toEqual([{ name: "e" }]);
      expect(await sql`insert into keyed (key) values (${"k"}) returning key`).toEqual([{ key: "k" }]);
      expect(await sql`insert into numbered (number, name) values (${7}, ${"n"}) returning number`).toEqual([
        { number: 7 },
      ]);
      const ids = await sql<{ id: number }>`insert into added (name) values (${"f"}), (${"g"}) returning id`;
      expect(ids.length).toBe(2);
    });
  });

  test("throws SQLite's error when it maps to no refusal", () => {
    expect(() => sql`select * from nowhere`).toThrow("no such table");
  });
});
