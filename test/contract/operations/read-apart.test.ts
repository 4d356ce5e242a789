import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "../../../src/database/database.ts";
import { ReadTimeout } from "../../../src/database/errors.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { deadlineIn } from "../../support/machine/deadline.ts";
import { engines } from "../../support/server/engines.ts";

// PostgreSQL ends such a read after its own two seconds.
useRealTimeLimits();

for (const engine of engines) {
  describe(`Reading apart on ${engine.name}`, () => {
    const toEnd = new AsyncDisposableStack();
    let url: string;
    let database: Database;

    beforeAll(async () => {
      ({ url } = toEnd.use(await engine.createDatabase()));
      database = await openDatabase(url);
      toEnd.defer(() => database.close());
    });
    afterAll(() => toEnd.disposeAsync());

    /** A query that takes a second or more on any machine. PostgreSQL can wait, which takes nothing from others. */
    const long = (deadline: number, from = database) =>
      from.engine === "postgres"
        ? from.readApart(deadline)`select pg_sleep(60) as n`
        : from.readApart(deadline)`
            with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 9000000)
            select max(n) as n from numbers`;

    test("sees a write that was confirmed just before", async () => {
      for (let n = 1; n <= 20; n++) {
        await database.write(
          (sql) => sql`insert into counters (name, slot, n) values (${`read ${n}`}, 0, ${n})`,
        );
        const rows = await database.readApart(soon())`select n from counters where name = ${`read ${n}`}`;
        expect(rows.map((row) => Number(row.n))).toEqual([n]);
      }
    });

    test("does not wait behind a slow one, if many read at once", async () => {
      let isOver = false;
      // In a database of its own, since a read goes on for seconds after its deadline.
      const other = await openDatabase(url);
      const slow = Promise.resolve(long(soon(), other))
        .catch(() => {})
        .finally(() => {
          isOver = true;
        });
      const short = Array.from({ length: 12 }, () => other.readApart(soon())`select 7 as n`);
      expect((await Promise.all(short)).map(([row]) => Number(row?.n))).toEqual(Array(12).fill(7));
      expect(isOver).toBe(false);
      await slow;
      await other.close();
    });

    test("ends at its deadline, and does not delay others", async () => {
      const late = [long(deadlineIn(100)), long(deadlineIn(150)), long(deadlineIn(200))].map((read) =>
        Promise.resolve(read).catch((error: unknown) => error),
      );
      for (const error of await Promise.all(late)) expect(error).toBeInstanceOf(ReadTimeout);
      const rows = await database.readApart(soon())`select 7 as n`;
      expect(Number(rows[0]?.n)).toBe(7);
    });

    test("accepts lists and instants like other reads", async () => {
      const rows = await database.readApart(soon())`
        select name from counters where n in ${[2, 3]} and name like ${"read %"} order by name`;
      expect(rows).toEqual([{ name: "read 2" }, { name: "read 3" }]);
    });
  });
}

function soon(): number {
  return deadlineIn(50_000);
}
