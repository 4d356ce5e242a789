import { expect, test } from "bun:test";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { openDatabase } from "../../database/open.ts";
import { INDEX_TABLES } from "../collection.ts";
import type { IndexedRecord } from "../text/document.ts";
import { placeEntries } from "./sqlite-keys.ts";

const { entries, words } = INDEX_TABLES.bookmarks;
const NOON = Date.UTC(2024, 5, 1, 12);

test("entries of one moment that are placed from both ends leave each other room", async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(`sqlite:${folder.file("test.db")}`);
  const place = (from: number, to: number) =>
    database.derive((sql) => placeEntries(sql, entries, words, madeBetween(from, to)));
  // Like the indexer: the oldest and the newest marks first.
  const outcomes = [
    await place(1, 100),
    await place(901, 1_000),
    await place(101, 200),
    await place(801, 900),
    await place(201, 800),
  ];
  expect(outcomes).toEqual(outcomes.map(() => ({ unplaced: [], moved: [] })));
  const places = await database.read<{ place: number }>`select distinct key - id as place from ${entries}`;
  expect(places).toHaveLength(1);
  await database.close();
});

test("entries in no order of age are placed by their time, and none has to move", async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(`sqlite:${folder.file("test.db")}`);
  const records = madeBetween(1, 2_000).map((record) => ({
    ...record,
    id: record.id * 1_000,
    // Days within ten years, each used once at most.
    createdAt: NOON + ((record.id * 1_237) % 3_653) * 86_400_000,
  }));
  for (let start = 0; start < records.length; start += 200) {
    const batch = records.slice(start, start + 200);
    const outcome = await database.derive((sql) => placeEntries(sql, entries, words, batch));
    expect(outcome).toEqual({ unplaced: [], moved: [] });
  }
  const [span] = await database.read<{ days: number }>`
    select (max(key) - min(key)) * 131072.0 / 86400000 as days from ${entries}`;
  expect(span?.days).toBeLessThan(3_700);
  await database.close();
});

test("entries of one moment between others get room together", async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(`sqlite:${folder.file("test.db")}`);
  const place = (records: readonly IndexedRecord[]) =>
    database.derive((sql) => placeEntries(sql, entries, words, records));
  await place(madeBetween(1, 20).map((record) => ({ ...record, createdAt: NOON + record.id })));
  const { unplaced, moved } = await place(
    madeBetween(21, 220).map((record) => ({ ...record, createdAt: NOON + 10 })),
  );
  expect(unplaced).toEqual([]);
  expect(moved.length).toBeLessThanOrEqual(20);
  const rows = await database.read<{ id: number }>`select id from ${entries} order by key`;
  expect(rows.map(({ id }) => id)).toEqual(
    [madeBetween(1, 10), madeBetween(21, 220), madeBetween(11, 20)].flat().map(({ id }) => id),
  );
  await database.close();
});

function madeBetween(from: number, to: number) {
  const other = { createdAt: NOON, title: "River", fields: {}, tags: [], page: "", host: "" };
  return Array.from({ length: to - from + 1 }, (_, index) => ({ ...other, id: from + index }));
}
