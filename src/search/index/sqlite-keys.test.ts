import { expect, test } from "bun:test";
import { temporaryFolder } from "../../../test/support/server.ts";
import { openDatabase } from "../../database/open.ts";
import { INDEX_TABLES } from "../collection.ts";
import { placeEntries } from "./sqlite-keys.ts";

const { entries, words } = INDEX_TABLES.bookmarks;
const NOON = Date.UTC(2024, 5, 1, 12);

test("entries of one moment that are placed from both ends leave each other room", async () => {
  using folder = temporaryFolder();
  const database = await openDatabase(`sqlite:${folder.file("test.db")}`);
  const place = (from: number, to: number) =>
    database.derive((sql) => placeEntries(sql, entries, words, madeBetween(from, to)));
  // As the indexer takes marks: the oldest and the newest first.
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

function madeBetween(from: number, to: number) {
  const other = { createdAt: NOON, title: "River", fields: {}, tags: [], page: "", host: "" };
  return Array.from({ length: to - from + 1 }, (_, index) => ({ ...other, id: from + index }));
}
