import { expect, test } from "bun:test";
import { temporaryFolder } from "../../test/support/server/server.ts";
import type { Database, Sql } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import { RequestStamp } from "../database/request-stamp.ts";
import { BookmarkBodyCache } from "./bookmark-body-cache.ts";
import { insertBookmark, writeBookmarks } from "./bookmark-writer.ts";

const draft = { title: "Bun", url: "https://bun.sh/", description: "" };

test("a bookmark is read once until any process commits, and a long one each time", async () => {
  using folder = temporaryFolder();
  const url = `sqlite:${folder.file("bookmarks.db")}`;
  await using ours = await opened(url);
  await using theirs = await opened(url);
  const { database, asked } = counting(ours.database);
  const bodies = new BookmarkBodyCache(database);
  const [short, long] = await theirs.database.write(async (sql) => [
    await insertBookmark(sql, draft, undefined, new Date()),
    await insertBookmark(sql, { ...draft, description: "x".repeat(4_000) }, undefined, new Date()),
  ]);
  const copies = { newest: async () => new Map(), pictures: async () => new Map() };
  const find = async (id: number, names?: readonly string[]) =>
    (await bodies.find(id, names && { names, copies }, new RequestStamp(database)))?.body;
  const reads = async (id: number) => {
    const before = asked.reads;
    await find(id);
    return asked.reads - before;
  };

  expect(await find(short.id)).toContain('"title":"Bun"');
  expect([await reads(short.id), await reads(short.id), await reads(long.id), await reads(long.id)]).toEqual([
    0, 0, 1, 1,
  ]);
  expect(await find(short.id, ["tags"])).toContain('"tags":[]');
  await writeBookmarks(theirs.database, new Date(), (writer) =>
    writer.update(short, { ...draft, title: "Bun, the runtime" }),
  );
  expect(await find(short.id)).toContain('"title":"Bun, the runtime"');
  await writeBookmarks(theirs.database, new Date(), (writer) => writer.delete({ ...short, version: 2 }));
  expect(await find(short.id)).toBeUndefined();
});

test("all caches of one request share one stamp, taken when the first needs it", () => {
  let stamps = 0;
  const stamp = new RequestStamp({ stamp: () => ++stamps, stampNow: () => ++stamps });
  expect([stamps, stamp.stamp(), stamp.stampNow(), stamp.stamp()]).toEqual([0, 1, 1, 1]);
});

async function opened(url: string) {
  const database = await openDatabase(url);
  return { database, [Symbol.asyncDispose]: () => database.close() };
}

/** A database that counts its reads. */
function counting(database: Database) {
  const asked = { reads: 0 };
  const sql = <Row>(...statement: Parameters<Sql>) => {
    asked.reads++;
    return database.read<Row>(...statement);
  };
  const read: Sql = Object.assign(sql, { engine: "sqlite" as const, slot: 0 });
  return {
    asked,
    database: {
      ...{ ...database, epoch: database.epoch, read },
      stamp: () => database.stamp(),
      stampNow: () => database.stampNow(),
    } as Database,
  };
}
