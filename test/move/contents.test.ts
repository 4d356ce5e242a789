import { afterAll, expect, test } from "bun:test";
import { openSource } from "../../src/database/move/ends.ts";
import { moveDatabase } from "../../src/database/move/move.ts";
import { contentsOf } from "../../src/database/move/rows.ts";
import { StartError } from "../../src/errors.ts";
import { inFile, makeEmpty } from "../support/databases/moving.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { temporaryFolder } from "../support/server/server.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const url = `sqlite:${folder.file("test.db")}`;
const change = (sql: string) => inFile(url, (file) => file.exec(sql));

async function checksum(): Promise<string> {
  await using source = await openSource(url);
  const table = (await source.tables()).find(({ name }) => name === "bookmarks");
  if (table === undefined) throw new Error("There is no table of bookmarks.");
  return (await contentsOf(source, table, () => {})).sha256;
}

const ROWS =
  "insert into bookmarks (id, title, url, description, created_at, updated_at, version, created_by) values (1, 'ab', 'c', '', 5, 6, 1, null), (2, '~', '1:a', 'é', 5, 6, 1, 7)";

test("A checksum changes with any change of any value, and is the same again when that is undone", async () => {
  await makeEmpty(url);
  change(ROWS);
  const sums = [await checksum()];
  for (const [column, value] of [
    ["id", 9],
    ["title", "'a'"],
    ["url", "'bc'"],
    ["description", "'~'"],
    ["created_at", 56],
    ["updated_at", -6],
    ["version", 2],
    ["created_by", 0],
    ["unread", 1],
    ["archived", 1],
    ["shared", 1],
    ["states_updated_at", 5],
    ["not_before", 5],
  ] as const) {
    change(`update bookmarks set ${column} = ${value} where id = 1`);
    sums.push(await checksum());
    change(`delete from bookmarks; ${ROWS}`);
    expect(await checksum()).toBe(sums[0] ?? "");
  }
  change("update bookmarks set title = 'a', url = 'bc' where id = 1");
  sums.push(await checksum());
  change("delete from bookmarks where id = 2");
  sums.push(await checksum());
  expect(new Set(sums).size).toBe(sums.length);
});

test("A move is undone if source and target differ in any byte", async () => {
  await using database = await createDatabase(await sharedCluster());
  const odd = `sqlite:${folder.file("odd.db")}`;
  await makeEmpty(odd);
  // Not UTF-8, so the target cannot store the same value.
  inFile(odd, (file) =>
    file.exec(
      "insert into posts (id, title, content, published, created_at, updated_at) values (1, 'x', cast(x'41ff' as text), 0, 0, 0)",
    ),
  );
  for (const to of [database.url, `sqlite:${folder.file("to.db")}`]) {
    const failure = await moveDatabase(odd, to).catch((error) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(failure.message).toMatch(
      /^posts is not the same in both: 1 rows with checksum \w{64} in sqlite:.*, 1 with \w{64} in .*\. Nothing was moved\.$/,
    );
  }
});
