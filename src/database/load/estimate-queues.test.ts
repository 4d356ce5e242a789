import { expect, test } from "bun:test";
import { temporaryFolder } from "../../../test/support/server.ts";
import { openDatabase } from "../open.ts";
import { withQueueEstimates } from "./estimate-queues.ts";

test("a wrapped database still counts writes", async () => {
  using folder = temporaryFolder();
  const opened = await openDatabase(`sqlite:${folder.file("test.db")}`);
  const { database } = withQueueEstimates(opened, { connections: 10, minAdmitted: 4 });
  await database.write((sql) => sql`insert into counters (name, slot, n) values ('made', 0, 1)`);
  await database.write((sql) => sql`update counters set n = 2 where name = 'made'`);
  expect(database.writeCount).toBe(2);
  await database.close();
});
