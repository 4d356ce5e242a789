import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type DatedBookmark, writeBookmarks } from "../../../src/bookmarks/bookmark-writer.ts";
import { exportCsv, exportJson } from "../../../src/bookmarks/export/export-bookmarks.ts";
import { tagsOf } from "../../../src/tags/description-tags.ts";
import { importBookmarks } from "../../../src/transfer/import/import-bookmarks.ts";
import { stageImport } from "../../../src/transfer/stage-bookmarks.ts";
import { rounds } from "../../support/run/full-run.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { engines } from "../../support/server/engines.ts";

/** Text as a bookmark can have it: anything but U+0000 and unpaired surrogates. */
const piece = fc.oneof(
  fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "").toWellFormed()),
  fc.constantFrom(
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    '"',
    '""',
    ",",
    ";",
    "\\",
    "/",
    "=1+1",
    "'",
    "@home",
    "\ufeff",
    "</A>",
    "&amp;",
  ),
  fc.constantFrom("#web", " #Dev/JS", " #C++", "\n#2024 #C#", " #a,b", "#é", "# ", "\u2028"),
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const time = fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true });
const bookmark: fc.Arbitrary<DatedBookmark> = fc.record({
  url: fc.webUrl({ withQueryParameters: true }).map((url) => new URL(url).href.slice(0, 400)),
  title: text.map((title) => Array.from(title).slice(0, 200).join("")),
  description: text,
  createdAt: time,
  updatedAt: time,
  states: fc.record({ unread: fc.boolean(), archived: fc.boolean(), shared: fc.boolean() }),
});

for (const engine of engines)
  describe(`Export and import (${engine.name})`, () => {
    const toEnd = new AsyncDisposableStack();
    let app: TestApp;
    beforeAll(async () => {
      const { url } = toEnd.use(await engine.createDatabase());
      app = await startApp({ DATABASE_URL: url });
      toEnd.defer(() => app.close());
    });
    afterAll(() => toEnd.disposeAsync());

    /** All that an export promises to give back, in the order of the ids. */
    async function contents() {
      const rows = await app.database.read`
        select url, title, description, created_at, updated_at, unread, archived, shared
        from bookmarks order by id`;
      return rows.map(({ created_at, updated_at, unread, archived, shared, description, ...row }) => ({
        ...{ ...row, description, tags: tagsOf(String(description)) },
        dates: [created_at, updated_at].map((date) => new Date(date as number).toISOString()),
        states: [unread, archived, shared].map(Boolean),
      }));
    }

    async function clear() {
      await app.database.write(async (sql) => {
        await sql`delete from import_rows`;
        await sql`delete from bookmarks`;
      });
    }

    async function textOf(pieces: AsyncGenerator<string>): Promise<string> {
      return (await Array.fromAsync(pieces)).join("");
    }

    test("exports as JSON and CSV are imported unchanged, to the last space and millisecond", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(bookmark, { minLength: 1, maxLength: 8 }), async (bookmarks) => {
          await clear();
          const now = new Date();
          await writeBookmarks(app.database, now, async (writer) => {
            for (const fields of bookmarks) await writer.insertMany([fields]);
          });
          const before = await contents();
          expect(before).toHaveLength(bookmarks.length);
          const sql = app.database.read;
          const json = `{"program":"commonplace","bookmarks":[${await textOf(exportJson(sql, () => {}))}]}`;
          const csv = await textOf(exportCsv(sql, () => {}));
          for (const file of [json, csv]) {
            await clear();
            for (const tags of [true, false]) {
              using staged = await stageImport("file", Buffer.from(file), { now, tags });
              const { added, refused } = await importBookmarks(app.database, staged, "add");
              expect([added, refused]).toEqual([bookmarks.length, 0]);
              expect(await contents()).toEqual(before);
              await clear();
            }
          }
        }),
        { numRuns: Number(process.env.IDENTITY_RUNS ?? rounds(5, 15)) },
      );
    });

    test("folders with any name are restored, and columns may be in any order", async () => {
      await clear();
      const folders = ["Dev / JS", "back\\slash", "", 'ü,"x"'];
      const json = JSON.stringify([
        {
          ...{ id: 1, url: "https://example.com/", title: "t", description: "", folders },
          created_at: "2026-11-21T06:40:12.345Z",
        },
      ]);
      for (const file of [json, null]) {
        const csv = await textOf(exportCsv(app.database.read, () => {}));
        await clear();
        using staged = await stageImport("file", Buffer.from(file ?? csv), { now: new Date(), tags: true });
        await importBookmarks(app.database, staged, "add");
        const exported = JSON.parse(`[${await textOf(exportJson(app.database.read, () => {}))}]`);
        expect(exported).toMatchObject([{ folders, description: "" }]);
      }
    });
  });
