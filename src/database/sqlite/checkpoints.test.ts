import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { sizeOf } from "./file.ts";
import { openSqlite } from "./sqlite.ts";

test("a long write-ahead log is checkpointed after its commit, and gone after the close", async () => {
  using folder = temporaryFolder();
  const path = folder.file("test.db");
  const database = await openSqlite(path);
  const long = "x".repeat(20 * 2 ** 20);
  await database.write((sql) => sql`insert into meta (name, value) values ('long', ${long})`);
  expect(sizeOf(path)).toBeGreaterThan(long.length);
  await database.close();
  expect(existsSync(`${path}-wal`)).toBeFalse();
});
