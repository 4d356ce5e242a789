import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApp, type TestApp } from "../../test/support/server/app.ts";
import { addToCounter, sumOfCounter } from "./counters.ts";

describe("A counter", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const add = (name: string, n: number) => app.database.write((sql) => addToCounter(sql, name, n));
  const sum = (name: string) => sumOfCounter(app.database.read, name);

  test("is zero at first", async () => {
    expect(await sum("untouched")).toBe(0);
  });

  test("is the exact sum, also of concurrent additions", async () => {
    await Promise.all(Array.from({ length: 50 }, (_, n) => add("many", n - 10)));
    expect(await sum("many")).toBe((49 * 50) / 2 - 500);
  });

  test("sums all its slots, and those of no other counter", async () => {
    await app.database.write(
      (sql) =>
        sql`insert into counters (name, slot, n) values ('slots', 1, 5), ('slots', 63, 7), ('slot', 1, 9)`,
    );
    await add("slots", 1);
    expect(await sum("slots")).toBe(13);
  });

  test("changes with its transaction, or not at all", async () => {
    const failing = app.database.write(async (sql) => {
      await addToCounter(sql, "undone", 1);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await sum("undone")).toBe(0);
  });
});
