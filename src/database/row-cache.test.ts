import { expect, test } from "bun:test";
import type { Stamp } from "./database.ts";
import { RowCache } from "./row-cache.ts";

/** A table of one column, which counts its reads. */
class Table {
  stamp: Stamp | undefined = 1;
  reads = 0;
  rows = new Map([[1, "one"]]);

  stampNow(): Stamp | undefined {
    return this.stamp;
  }

  read = async (id: number): Promise<string | undefined> => {
    this.reads++;
    return this.rows.get(id);
  };
}

test("a row is read once until something is committed", async () => {
  const table = new Table();
  const cache = new RowCache<string>(table, 10);
  expect(await cache.get(1, table.read)).toBe("one");
  expect(await cache.get(1, table.read)).toBe("one");
  expect(table.reads).toBe(1);
  table.rows.set(1, "uno");
  table.stamp = 2;
  expect(await cache.get(1, table.read)).toBe("uno");
});

test("a row read during a commit is not cached for later", async () => {
  const table = new Table();
  const cache = new RowCache<string>(table, 10);
  const slow = cache.get(1, async () => {
    table.rows.set(1, "uno");
    table.stamp = 2;
    expect(await cache.get(2, table.read)).toBeUndefined();
    return "one";
  });
  expect(await slow).toBe("one");
  expect(await cache.get(1, table.read)).toBe("uno");
});

test("no row is cached where it is missing, or where the stamp costs a round trip", async () => {
  const table = new Table();
  const cache = new RowCache<string>(table, 10);
  expect(await cache.get(2, table.read)).toBeUndefined();
  table.rows.set(2, "two");
  expect(await cache.get(2, table.read)).toBe("two");
  table.stamp = undefined;
  table.rows.set(2, "dos");
  expect(await cache.get(2, table.read)).toBe("dos");
});

test("no more rows are cached than the capacity", async () => {
  const table = new Table();
  const cache = new RowCache<string>(table, 2);
  table.rows = new Map([1, 2, 3].map((id) => [id, String(id)]));
  for (const id of [1, 2, 3, 3]) await cache.get(id, table.read);
  expect(table.reads).toBe(3);
  await cache.get(1, table.read);
  expect(table.reads).toBe(4);
});
