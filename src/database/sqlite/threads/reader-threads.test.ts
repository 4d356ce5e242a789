import { afterEach, beforeEach, expect, test } from "bun:test";
import { deadlineIn } from "../../../../test/support/machine/deadline.ts";
import { temporaryFolder } from "../../../../test/support/server/server.ts";
import type { Database } from "../../database.ts";
import { openDatabase } from "../../open.ts";
import { ReaderThreads } from "./reader-threads.ts";

const LONG =
  "with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000000) select max(n) as n from numbers";

let folder: ReturnType<typeof temporaryFolder>;
let location: string;
/** Of the server: a file that nobody has open is locked for a moment by the first who reads it. */
let database: Database;

beforeEach(async () => {
  folder = temporaryFolder();
  location = folder.file("read.db");
  database = await openDatabase(`sqlite:${location}`);
});
afterEach(async () => {
  await database.close();
  folder[Symbol.dispose]();
});

const soon = () => deadlineIn(100_000);

test("A fast read does not wait for one that takes long", async () => {
  const threads = new ReaderThreads(location);
  const order: string[] = [];
  const slow = threads.read({ text: LONG, values: [] }, soon()).then(() => order.push("slow"));
  await threads.read({ text: "select 1 as n", values: [] }, soon()).then(() => order.push("fast"));
  await slow;
  expect(order).toEqual(["fast", "slow"]);
  threads.close();
});

test("A read that waits for a thread until its deadline says that the server is busy", async () => {
  const threads = new ReaderThreads(location);
  const running = [1, 2].map(() => threads.read({ text: LONG, values: [] }, soon()));
  const waiting = threads.read({ text: "select 1", values: [] }, deadlineIn(0));
  await expect(waiting).rejects.toMatchObject({ isBusy: true });
  await Promise.all(running);
  threads.close();
});
