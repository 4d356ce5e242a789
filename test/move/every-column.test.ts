import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fillEveryTable } from "../support/databases/filled-tables.ts";
import { everything, inFile, makeEmpty, move } from "../support/databases/moving.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { temporaryFolder } from "../support/server/server.ts";

describe("A move", () => {
  const toEnd = new AsyncDisposableStack();
  const folder = toEnd.use(temporaryFolder());
  const first = `sqlite:${folder.file("first.db")}`;
  const last = `sqlite:${folder.file("last.db")}`;

  beforeAll(async () => {
    const database = toEnd.use(await createDatabase(await sharedCluster()));
    await makeEmpty(first);
    inFile(first, fillEveryTable);
    for (const [from, to] of [
      [first, database.url],
      [database.url, last],
    ] as const)
      expect(await move(from, to)).toMatchObject({ code: 0, stderr: "" });
  });
  afterAll(() => toEnd.disposeAsync());

  test("moves every column of every row of every table, in both directions, and the highest ids", () => {
    const before = unsealed(everything(first));
    for (const [name, rows] of Object.entries(before)) expect([name, rows.length > 0]).toEqual([name, true]);
    expect(everything(last)).toEqual(before);
  });
});

/** The source says where it was moved to, which the target does not. */
function unsealed(contents: Record<string, unknown[]>): Record<string, unknown[]> {
  const meta = contents.meta as { name: string }[];
  return { ...contents, meta: meta.filter(({ name }) => name !== "moved_to") };
}
