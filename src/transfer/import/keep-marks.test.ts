import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { importParts } from "../../../test/support/files/import-parts.ts";
import {
  BARE,
  BARE_WORDS,
  MARKED,
  MARKED_AT,
  MARKED_EXPORTS,
  NOTE,
  PAGE,
  WORDS,
} from "../../../test/support/files/marked-exports.ts";
import { useLimits } from "../../../test/support/given/use-limits.ts";
import { engines } from "../../../test/support/server/engines.ts";
import { insertBookmark } from "../../bookmarks/bookmark-writer.ts";
import { existingIn, findBookmarksByUrl } from "../../bookmarks/bookmarks-by-url.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { MARK_NOTE_MAX, QUOTE_MAX } from "../../marks/mark.ts";
import { keepMark } from "../../marks/mark-changes.ts";
import { marksOf, storeNote } from "../../marks/mark-store.ts";
import { stageImport } from "../stage-bookmarks.ts";
import { importBookmarks, previewImport } from "./import-bookmarks.ts";
import { keepMarks, type MarkPlace, marksReport } from "./keep-marks.ts";
import { forgetUnchanged, keepTexts } from "./keep-texts.ts";
import { undoImport } from "./undo-import.ts";

const now = new Date("2026-11-21T06:40:12.345Z");

const wallabag = (url: string, content: string, quotes: readonly string[], text = "") => ({
  ...{ is_archived: 0, is_starred: 0, title: url, url, content, tags: ["bread"] },
  ...{ created_at: "2016-09-08T11:55:58+0200", annotations: quotes.map((quote) => ({ text, quote })) },
});

const readwise = (...rows: readonly string[]) =>
  `Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags\n${rows.join("\n")}\n`;

for (const engine of engines)
  describe(`Marks of exports (${engine.name})`, () => {
    useLimits({ marksPerBookmark: 4 });
    let toEnd: AsyncDisposableStack;
    let database: Database;
    beforeEach(async () => {
      toEnd = new AsyncDisposableStack();
      const { url } = toEnd.use(await engine.createDatabase());
      database = await openDatabase(url);
      toEnd.defer(() => database.close());
    });
    afterEach(() => toEnd.disposeAsync());

    async function bring(file: string | Uint8Array | readonly object[], place: MarkPlace = "either") {
      const bytes =
        file instanceof Uint8Array
          ? file
          : Buffer.from(typeof file === "string" ? file : JSON.stringify(file));
      using staged = await stageImport("export", bytes, { now, tags: true });
      const planned = await previewImport(existingIn(database.read), staged, "skip");
      expect(planned.marks?.kept ?? 0).toBe(0);
      const {
        import_id: importId,
        marks,
        notes,
        skipped,
        refused,
      } = await importBookmarks(database, staged, "skip");
      expect(planned.marks).toEqual(marks);
      if (importId === null) throw new Error("nothing was recorded");
      expect(await keepTexts(database, importParts(database).texts, staged, { importId })).toBe(true);
      // As one that was interrupted is continued.
      for (const most of [1, undefined])
        await keepMarks(database, staged, { importId, place, ...(most && { most }) });
      const report = await marksReport(database.read, importId, staged.marks.count);
      const codes = [...notes].map(({ code }) => code);
      return {
        ...report,
        importId,
        codes,
        skipped,
        rowsRefused: refused,
        isForgotten: await forgetUnchanged(database, importId),
      };
    }
    const add = (url: string, title = url, description = "") =>
      database.write((sql) => insertBookmark(sql, { title, url, description }, undefined, now));
    const linkAt = async (url: string) => (await findBookmarksByUrl(database.read, [url])).get(url);
    const noteAt = async (url: string) => (await linkAt(url))?.fields?.description;
    const marksAt = async (url: string) => marksOf(database.read, [(await linkAt(url))?.id ?? 0]);
    /** A link with a copy of {@link PAGE}. */
    async function addCopied(url = MARKED): Promise<void> {
      const { id } = (await linkAt(url)) ?? (await add(url));
      const { keeper, extractor } = importParts(database).texts;
      const page = await extractor.sanitize(PAGE, url);
      await keeper.keep(id, { origin: "imported", url, page, takenAt: now }, undefined);
    }

    describe.each(MARKED_EXPORTS.map((one) => [one.name, one] as const))("of %s", (_, one) => {
      test("become marks of a link with a copy and quotations of another, once; the undo takes them back", async () => {
        if (!one.bringsText) await addCopied();
        const first = await bring(one.file);
        expect(first).toMatchObject({ found: 3, kept: 2, in_notes: 1, there_already: 0, refused: 0 });
        const created = one.isUndated ? now : new Date(MARKED_AT);
        const { note = NOTE } = one;
        const marks = await marksAt(MARKED);
        expect(marks.map(({ quote, note, createdAt }) => [quote, note, createdAt])).toEqual([
          [WORDS[0], note, created],
          [WORDS[1], "", created],
        ]);
        expect(marks[1]).toMatchObject({ prefix: `${WORDS[0]}. `, suffix: ".", position: 22 });
        expect(await noteAt(BARE)).toContain(`> ${BARE_WORDS}${one.note === "" ? "" : `\n${NOTE}`}`);
        expect(await noteAt(MARKED)).not.toContain(WORDS[0]);

        expect(await bring(one.file)).toMatchObject({
          found: 3,
          there_already: 3,
          kept: 0,
          isForgotten: true,
        });
        expect(await marksAt(MARKED)).toEqual(marks);
        await undoImport(database, first.importId, now);
        expect(await linkAt(BARE)).toBeUndefined();
        expect(await database.read`select id from marks`).toEqual([]);
      });
    });

    test.each([
      ["either", { kept: 1, without_copy: 0, in_notes: 3, reasons: {} }],
      ["marks", { kept: 1, without_copy: 1, in_notes: 0, reasons: { public_note: 2 } }],
      ["notes", { kept: 0, without_copy: 0, in_notes: 4, reasons: {} }],
    ] as const)(
      "go where nobody else reads them, of links with a copy and without: %s",
      async (place, expected) => {
        await addCopied();
        await add(BARE, "Mine");
        const file = [MARKED, BARE].map((url) => wallabag(url, "", [WORDS[0], ""], NOTE));
        const { importId, ...report } = await bring(file, place);
        expect(report).toMatchObject({ found: 4, there_already: 0, ...expected });
        const quotation = `> ${WORDS[0]}\n${NOTE}`;
        const all = `${quotation}\n\n${NOTE}`;
        const notes = { either: [NOTE, all], marks: ["", ""], notes: [all, all] };
        expect([await noteAt(MARKED), await noteAt(BARE)]).toEqual(notes[place]);
        const made = [...(await marksAt(MARKED)), ...(await marksAt(BARE))];
        expect(made.map(({ quote, note }) => [quote, note])).toEqual(
          Array(expected.kept + expected.without_copy).fill([WORDS[0], NOTE]),
        );
        expect(await bring(file, place)).toMatchObject({
          ...{ there_already: 4 - report.refused, kept: 0, without_copy: 0, in_notes: 0 },
        });
        await undoImport(database, importId, now);
        expect([await noteAt(MARKED), await noteAt(BARE), await marksAt(BARE)]).toEqual(["", "", []]);
      },
    );

    test("that are new come in at a second import, and the undo leaves what has changed since", async () => {
      await add(MARKED, "Mine", "My note\n#rye");
      await add(BARE, "Mine", "My note\n#rye");
      const entries = (...quotes: readonly string[]) => [
        wallabag(MARKED, PAGE, quotes),
        wallabag(BARE, "", quotes, NOTE),
      ];
      await bring(entries("one"));
      const [one] = await marksAt(MARKED);
      if (one === undefined) throw new Error("no mark");
      await database.write((sql) => storeNote(sql, one, "Changed", now));
      const second = await bring(entries("one", "two  words"));
      expect(second).toMatchObject({ kept: 1, in_notes: 1, there_already: 2 });
      expect(await noteAt(BARE)).toBe(`My note\n\n> one\n${NOTE}\n\n> two words\n${NOTE}\n#rye`);
      await undoImport(database, second.importId, now);
      expect(await noteAt(BARE)).toBe(`My note\n\n> one\n${NOTE}\n#rye`);
      expect((await marksAt(MARKED)).map(({ quote, note }) => [quote, note])).toEqual([["one", "Changed"]]);
      await undoImport(database, second.importId - 1, now);
      expect(await noteAt(BARE)).toBe("My note\n#rye");
      expect((await marksAt(MARKED)).map(({ quote }) => quote)).toEqual(["one"]);
    });

    test("that the reader has made keep a link from the undo of its import", async () => {
      const { importId } = await bring([wallabag(MARKED, PAGE, ["one"]), wallabag(BARE, PAGE, ["one"])]);
      const { id = 0 } = (await linkAt(MARKED)) ?? {};
      const words = { quote: "Rye", prefix: "", suffix: "", position: null };
      await database.write((sql) =>
        keepMark(sql, words, { bookmarkId: id, note: "", accountId: undefined }, now),
      );
      const { removed, kept } = await undoImport(database, importId, now);
      expect([removed, kept.map(({ url }) => url)]).toEqual([1, [MARKED]]);
      expect((await marksAt(MARKED)).map(({ quote }) => quote)).toEqual(["one", "Rye"]);
    });

    test("beyond the limits are counted with their reasons, cut, or left out", async () => {
      const many = Array.from({ length: 700 }, (_, index) => `words ${index}`);
      expect(await bring([wallabag(MARKED, PAGE, ["words 0", ...many, "", "words 1"])])).toMatchObject({
        ...{ found: 702, kept: 4, there_already: 2, refused: 696, reasons: { too_many: 696 } },
      });
      const long = await bring([
        wallabag(BARE, PAGE, ["😀".repeat(QUOTE_MAX + 1), "short"], "n".repeat(MARK_NOTE_MAX + 1)),
      ]);
      expect(long).toMatchObject({ kept: 2, codes: ["not_kept"] });
      expect((await marksAt(BARE)).map(({ quote, note }) => [quote.length, note.length])).toEqual([
        [2 * QUOTE_MAX, MARK_NOTE_MAX],
        [5, MARK_NOTE_MAX],
      ]);
      // A note takes a megabyte.
      const full = Array.from({ length: 120 }, (_, index) => `${index}`);
      const url = "https://example.com/full";
      expect(await bring([wallabag(url, "", full, "n".repeat(MARK_NOTE_MAX))])).toMatchObject({
        ...{ found: 120, in_notes: 104, refused: 16, reasons: { too_long: 16 } },
      });
    });

    test("of wrong types say nothing, and leave their links", async () => {
      const annotations = [
        null,
        1,
        "x",
        [],
        { quote: 1, text: {} },
        { quote: "  ", text: "" },
        { quote: ["a"] },
      ];
      const odd = { ...wallabag(MARKED, PAGE, []), annotations };
      expect(await bring([odd, { ...odd, url: BARE, annotations: "x" }])).toMatchObject({ found: 0 });
      expect(await linkAt(BARE)).toBeDefined();
    });

    test("without an address go to the only link with their title, and are counted elsewhere", async () => {
      await add(MARKED, "Rye");
      await addCopied();
      await add(BARE, "Maps");
      for (const path of ["a", "b"]) await add(`https://example.com/${path}`, "Twice");
      const file = readwise(
        `"${WORDS[0]}",Rye,Ada,,${NOTE},yellow,"bread, deep space",page,2,2024-10-29 16:30:11+00:00,`,
        `"${BARE_WORDS}",Maps,Ada,,,,,page,2,,`,
        "nowhere,Twice,Ada,,,,,page,2,,",
        "nowhere,Not here,Ada,,,,,page,2,,",
      );
      const first = await bring(file);
      expect(first).toMatchObject({ kept: 1, in_notes: 1, refused: 2, reasons: { no_link: 2 } });
      expect([first.skipped, first.rowsRefused]).toEqual([0, 0]);
      expect(await marksAt(MARKED)).toMatchObject([
        { quote: WORDS[0], note: `${NOTE}\n#bread #deep-space`, createdAt: new Date(MARKED_AT) },
      ]);
      expect(await noteAt(BARE)).toBe(`> ${BARE_WORDS}`);
      await undoImport(database, first.importId, now);
      expect([await marksAt(MARKED), await noteAt(BARE)]).toEqual([[], ""]);
    });
  });
