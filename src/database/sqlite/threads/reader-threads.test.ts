import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { temporaryFolder } from "../../../../test/support/server/server.ts";
import { openDatabase } from "../../open.ts";
import { ReaderThreads } from "./reader-threads.ts";

const LONG =
  "with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000000) select max(n) as n from numbers";

let folder: ReturnType<typeof temporaryFolder>;
let location: string;

beforeEach(async () => {
  folder = temporaryFolder();
  location = folder.file("read.db");
  await (await openDatabase(`sqlite:${location}`)).close();
});
afterEach(() => folder[Symbol.dispose]());

const soon = () => performance.now() + 100_000;

describe("Slow reads on a single core", () => {
  test("begin one after another while they are fast", async () => {
    const threads = new ReaderThreads(location, 1);
    await threads.read({ text: "select 1 as n", values: [] }, soon());
    const reads = [1, 2, 3].map((n) => threads.read({ text: "select ? as n", values: [n] }, soon()));
    expect(threads.running).toBe(1);
    expect(await Promise.all(reads)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    threads.close();
  });

  test("do not wait for one that takes long", async () => {
    const threads = new ReaderThreads(location, 1);
    const order: string[] = [];
    const slow = threads.read({ text: LONG, values: [] }, soon()).then(() => order.push("slow"));
    await threads.read({ text: "select 1 as n", values: [] }, soon()).then(() => order.push("fast"));
    await slow;
    expect(order).toEqual(["fast", "slow"]);
    threads.close();
  });
});

test("On several cores, two slow reads begin at once", async () => {
  const threads = new ReaderThreads(location, 2);
  const reads = [1, 2, 3].map((n) => threads.read({ text: "select ? as n", values: [n] }, soon()));
  expect(threads.running).toBe(2);
  expect(await Promise.all(reads)).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
  threads.close();
});

test("A read that waits for a thread until its deadline says that the server is busy", async () => {
  const threads = new ReaderThreads(location, 2);
  const running = [1, 2].map(() => threads.read({ text: LONG, values: [] }, soon()));
  const waiting = threads.read({ text: "select 1", values: [] }, performance.now());
  await expect(waiting).rejects.toMatchObject({ isBusy: true });
  await Promise.all(running);
  threads.close();
});
