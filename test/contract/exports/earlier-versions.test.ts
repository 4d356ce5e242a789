import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { exportJson } from "../../../src/bookmarks/export/export-bookmarks.ts";
import type { Database } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { ARCHIVED } from "../../../src/nouns.ts";
import { nothingWritten, writeArchive } from "../../../src/transfer/archive/write-archive.ts";
import { noneWritten, writeFullJson } from "../../../src/transfer/full-json/write-full-json.ts";
import { importBookmarks } from "../../../src/transfer/import/import-bookmarks.ts";
import { stageImport } from "../../../src/transfer/stage-bookmarks.ts";
import { recordsOf } from "../../support/files/archive-file.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { makeAccount } from "../../support/records/accounts.ts";
import { engines } from "../../support/server/engines.ts";

/** A folder for each version that has changed a format. */
const EXPORTS = join(import.meta.dir, "../../data/own-exports");
/** The first JSON, whose posts had no publications; there was no archive and no CSV. */
const OLDEST = "0.1.0-before-publications";
const versions = readdirSync(EXPORTS).filter((name) => name !== "README.md");

for (const engine of engines)
  for (const version of versions)
    describe(`Exports of version ${version} are restored (${engine.name})`, () => {
      const file = (name: string) => readFileSync(join(EXPORTS, version, name));
      const isThere = (name: string) => existsSync(join(EXPORTS, version, name));
      const into = async (use: (database: Database) => Promise<void>) => {
        await using place = await engine.createDatabase();
        const database = await openDatabase(place.url);
        await makeAccount(database, "ada");
        await use(database).finally(() => database.close());
      };

      if (isThere("everything.zip"))
        test("from the archive: every member of every record", () =>
          into(async (database) => {
            const archive = file("everything.zip");
            expect(await importBytes(database, archive)).toMatchObject({ refused: 0, skipped: 0, notes: [] });
            const now = writeArchive(database.read, database.engine, nothingWritten(), new Date());
            const records = await recordsOf(Buffer.concat(await Array.fromAsync(now)));
            expect(records).toMatchObject(await recordsOf(archive));
          }));

      test("from the JSON", () =>
        into(async (database) => {
          const bytes = file("everything.json");
          const report = await importBytes(database, bytes);
          expect(report).toMatchObject({ refused: 0, skipped: 0 });
          const now = (await Array.fromAsync(writeFullJson(database.read, noneWritten()))).join("");
          const { bookmarks, posts } = JSON.parse(bytes.toString());
          expect(JSON.parse(now)).toMatchObject({ bookmarks, posts });
          // A published post without a publication gets one.
          const published = JSON.parse(now).posts.filter((post: { published: boolean }) => post.published);
          const slugs = published.map((post: { publication: { slug: string } }) => post.publication.slug);
          expect(report?.notes.map(({ code }) => code)).toEqual(version === OLDEST ? ["slug_changed"] : []);
          expect(slugs).toEqual(
            version === OLDEST ? ["first-light", "first-light-2", "日本"] : ["first-light"],
          );
        }));

      for (const name of ["bookmarks.html", "bookmarks.csv"].filter(isThere))
        test(`from ${name}`, () =>
          into(async (database) => {
            using staged = await stageImport(name, file(name), { now: new Date(), tags: true });
            expect(await importBookmarks(database, staged, "add")).toMatchObject({ added: 2, refused: 0 });
            const now = (await Array.fromAsync(exportJson(database.read, () => {}))).join("");
            const { bookmarks } = JSON.parse(file("everything.json").toString());
            const byUrl = (a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1);
            // These formats have no ids and no accounts, and the date of the import is that of the last change.
            const expected = bookmarks.map((bookmark: object) => ({
              ...bookmark,
              ...{ id: expect.any(Number), updated_at: expect.any(String), created_by: null },
            }));
            expect(JSON.parse(`[${now}]`).toSorted(byUrl)).toMatchObject(expected.toSorted(byUrl));
          }));
    });

/** What a record of an archive has where its line says nothing: a promise to archives that are kept. */
const ABSENT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ...{ setting: {}, tag: {}, image: { created_by: null }, icon: {} },
  bookmark: {
    ...{ description: "", created_by: null, version: 1, folders: [] },
    ...{ unread: false, archived: false, shared: false, states_updated_at: null },
  },
  post: { created_by: null, version: 1, former_slugs: [], redirects: [], properties: {} },
  version: { replaced_by: null },
  comment: { created_by: null, reasons: null, parent: null },
  edit: { base_version: null, fields: {}, version: 1, created_by: null },
  copy: {
    ...{ byline: null, site: null, language: null, direction: null, published_at: null },
    ...{ created_by: null, original: null, pictures: [], reading: null },
  },
  picture: {},
  mark: { prefix: "", suffix: "", position: null, note: "", version: 1, created_by: null },
};

test("A line of an archive may leave out what lines of earlier versions did not have", () => {
  const absent = ARCHIVED.map(({ kind, archive }) => {
    const { shape } = archive.shape as unknown as { readonly shape: Readonly<Record<string, z.ZodType>> };
    const defaults = Object.entries(shape).flatMap(([name, type]) => {
      const { success, data } = type.safeParse(undefined);
      return success ? [[name, data] as const] : [];
    });
    return [kind, Object.fromEntries(defaults)] as const;
  });
  expect(Object.fromEntries(absent)).toEqual(ABSENT);
});
