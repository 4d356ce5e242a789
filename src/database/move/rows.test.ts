import { expect, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import { contentsOf } from "./rows.ts";
import { SqliteEndpoint } from "./sqlite-endpoint.ts";

/** Counts the bytes that a database hands over. */
class CountingEndpoint extends SqliteEndpoint {
  bytes = 0;

  override async query<Row>(...words: Parameters<SqliteEndpoint["query"]>): Promise<Row[]> {
    const rows = await super.query<Row>(...words);
    for (const row of rows)
      for (const value of Object.values(row as object)) this.bytes += value?.length ?? 8;
    return rows;
  }
}

const IMAGE = 300_000;
const IMAGES = 60;

function filled(change: (database: DatabaseSync) => void = () => {}): CountingEndpoint {
  const database = new DatabaseSync(":memory:");
  database.exec("create table images (name text primary key, number integer, bytes blob, note text) strict");
  const insert = database.prepare("insert into images values (?, ?, ?, ?)");
  for (let n = 0; n < IMAGES; n++)
    insert.run(`image ${n}`, n, Buffer.alloc(IMAGE, n), n % 2 === 0 ? null : "é");
  change(database);
  return new CountingEndpoint(":memory:", database);
}

async function digestOf(endpoint: CountingEndpoint, form?: "bytes" | "hexadecimal") {
  const [table] = await endpoint.tables();
  if (table === undefined) throw new Error("There is no table.");
  endpoint.bytes = 0;
  return contentsOf(endpoint, table, undefined, form);
}

test("Images are digested as bytes, each of which is read once", async () => {
  const endpoint = filled();
  expect((await digestOf(endpoint)).rows).toBe(IMAGES);
  expect(endpoint.bytes).toBeGreaterThan(IMAGES * IMAGE);
  expect(endpoint.bytes).toBeLessThan(1.01 * IMAGES * IMAGE);
});

test("A digest differs with each value, its place, its length and its absence", async () => {
  const changes = [
    "select 1",
    "update images set bytes = zeroblob(300000) where number = 7",
    "update images set bytes = x'' where number = 7",
    "update images set bytes = null where number = 7",
    "update images set note = 'e' where number = 7",
    "update images set note = '' where number = 8",
    "delete from images where number = 59",
    "update images set bytes = case number when 1 then x'0102' when 2 then x'' end where number in (1, 2)",
    "update images set bytes = case number when 1 then x'01' when 2 then x'02' end where number in (1, 2)",
  ];
  const digests = await Promise.all(
    changes.map(async (change) => (await digestOf(filled((database) => database.exec(change)))).sha256),
  );
  expect(new Set(digests).size).toBe(changes.length);
});
