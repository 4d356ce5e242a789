import { afterAll, describe, expect, test } from "bun:test";
import { engines } from "../../../test/support/server/engines.ts";
import { type BookmarkWriter, writeBookmarks } from "../../bookmarks/bookmark-writer.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";

const NOW = new Date();

describe.each(engines)("On $name", (engine) => {
  const toEnd = new AsyncDisposableStack();
  afterAll(() => toEnd.disposeAsync());

  async function open(): Promise<Database> {
    const { url } = toEnd.use(await engine.createDatabase());
    return toEnd.adopt(await openDatabase(url), (opened) => opened.close());
  }

  test("each new bookmark is marked once, alone or with others", async () => {
    const database = await open();
    await writeBookmarks(database, NOW, (writer) => writer.insert(bookmark(1), undefined));
    expect(await marked(database)).toEqual([1]);
    await writeBookmarks(database, NOW, (writer) => writer.insertMany([bookmark(2), bookmark(3)]));
    expect(await marked(database)).toEqual([1, 2, 3]);
    await writeBookmarks(database, NOW, (writer) =>
      writer.restoreMany([7, 5].map((id) => ({ ...bookmark(id), id, version: 1, createdBy: null }))),
    );
    expect(await marked(database)).toEqual([1, 2, 3, 5, 7]);
  });

  test("a change that is taken back leaves no mark", async () => {
    const database = await open();
    const refused = async (writer: BookmarkWriter) => {
      await writer.insert(bookmark(1), undefined);
      throw new Error("refused");
    };
    await expect(writeBookmarks(database, NOW, refused)).rejects.toThrow("refused");
    expect(await marked(database)).toEqual([]);
  });
});

function bookmark(number: number) {
  const url = `https://example.com/${number}`;
  return { title: "New", url, description: "", createdAt: NOW };
}

async function marked({ read }: Database): Promise<number[]> {
  const rows = await read<{ record_id: number }>`
    select record_id from search_pending where collection = 'bookmarks' order by record_id`;
  return rows.map(({ record_id }) => Number(record_id));
}
