import { expect, test } from "bun:test";
import type { Source } from "../../src/database/move/endpoint.ts";
import { openSource } from "../../src/database/move/ends.ts";
import { moveDatabase } from "../../src/database/move/move.ts";
import { batches } from "../../src/database/move/rows.ts";
import { fillFile, inFile, makeEmpty } from "../support/databases/moving.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { temporaryFolder } from "../support/server/server.ts";

const MEBIBYTE = 1024 * 1024;

test("A table is read in key order, in batches of limited size, however large its rows are", async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase(await sharedCluster());
  const url = `sqlite:${folder.file("test.db")}`;
  await makeEmpty(url);
  fillFile(url, { bookmarks: 4_500, posts: 0 });
  inFile(url, (file) =>
    file
      .prepare("update bookmarks set description = ? where id between 4000 and 4009 or id = 4200")
      .run("x".repeat(MEBIBYTE)),
  );
  await moveDatabase(url, database.url);
  for (const endpoint of [url, database.url]) {
    await using source = await openSource(endpoint);
    const sizes = await sizesOfBatches(source);
    expect(sizes.slice(0, 3)).toEqual([
      { rows: 2_000, first: 1, mebibytes: 0 },
      { rows: 1_999 + 1, first: 2_001, mebibytes: 1 },
      { rows: 1, first: 4_001, mebibytes: 1 },
    ]);
    expect(sizes.reduce((sum, { rows }) => sum + rows, 0)).toBe(4_500);
    expect(Math.max(...sizes.map(({ mebibytes }) => mebibytes))).toBeLessThanOrEqual(2);
  }
});

async function sizesOfBatches(source: Source) {
  const table = (await source.tables()).find(({ name }) => name === "bookmarks");
  if (table === undefined) throw new Error("There is no table of bookmarks.");
  const row = source.dialect.jsonArray(table.columns.map((column) => source.dialect.portableValue(column)));
  const sizes = [];
  for await (const rows of batches<string>(source, table, row)) {
    const first = JSON.parse(rows[0] ?? "")[0] as number;
    sizes.push({ rows: rows.length, first, mebibytes: Math.floor(rows.join("").length / MEBIBYTE) });
  }
  return sizes;
}
