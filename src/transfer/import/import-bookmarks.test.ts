import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { whole } from "../../../test/support/files/import-report.ts";
import { rounds } from "../../../test/support/run/full-run.ts";
import { temporaryFolder } from "../../../test/support/server/server.ts";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { collectionVersion, listBookmarks } from "../../bookmarks/bookmark-store.ts";
import { insertBookmark } from "../../bookmarks/bookmark-writer.ts";
import { existingIn } from "../../bookmarks/bookmarks-by-url.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { DESCRIPTION_MAX } from "../../readers/bookmarks/check-row.ts";
import { countWaiting, INDEX_JOB, WORDS_AT_ONCE } from "../../search/index/entries.ts";
import { type StagingOptions, stageImport } from "../stage-bookmarks.ts";
import { importBookmarks, importInPieces, previewImport } from "./import-bookmarks.ts";
import type { ExistingRule } from "./plan-bookmarks.ts";
import type { StagedBookmarks } from "./staged-file.ts";

const now = new Date("2026-11-21T06:40:12.345Z");
const earlier = new Date("2020-01-01T00:00:00.000Z");

let folder: ReturnType<typeof temporaryFolder>;
let database: Database;

beforeEach(async () => {
  folder = temporaryFolder();
  database = await openDatabase(`sqlite:${folder.file("test.db")}`);
});

afterEach(async () => {
  await database.close();
  folder[Symbol.dispose]();
});

describe("a row that is accepted", () => {
  test("keeps its creation date, and gets the time of the import as its last change", async () => {
    await importText(`<DT><A HREF="http://x/" ADD_DATE="1456433748">t</A>`);
    const rows = await database.read`select title, url, created_at, updated_at, version from bookmarks`;
    expect(rows).toEqual([
      {
        title: "t",
        url: "http://x/",
        created_at: Date.parse("2016-02-25T20:55:48.000Z"),
        updated_at: now.getTime(),
        version: 1,
      },
    ]);
  });

  test.each([
    [`TAGS="web,dev tools"`, "#web #dev-tools #Dev/JS"],
    [`TAGS="Web,WEB,dev/js"`, "#Web #dev/js"],
    [`TAGS="2024,C#,R&amp;D,@home,!,"`, "#2024 #C# #R&D #@home #! #Dev/JS"],
    ["", "#Dev/JS"],
  ])("with %s in the folder Bookmarks Bar / Dev / JS gets the tag line %s", async (tags, line) => {
    await importText(`<DT><H3>Bookmarks Bar</H3><DL><DT><H3>Dev</H3><DL><DT><H3>JS</H3><DL>
      <DT><A HREF="http://x/" ${tags}>t</A><DD>words</DL></DL></DL>`);
    expect(await descriptions()).toEqual([`words\n${line}`]);
  });

  test("gets no tag twice that its description has", async () => {
    await importText(`<DT><A HREF="http://x/" TAGS="web,new">t</A><DD>words\n#Web #old`);
    expect(await descriptions()).toEqual(["words\n#Web #old #new"]);
  });

  test("gets no line of hashtags with --no-tags", async () => {
    await importText(`<DT><H3>Dev</H3><DL><DT><A HREF="http://x/" TAGS="web">t</A><DD>words</DL>`, {
      tags: false,
    });
    expect(await descriptions()).toEqual(["words"]);
  });

  test("that is too long with its tags only is refused with them, and makes one bookmark with others without", async () => {
    const text = "a".repeat(DESCRIPTION_MAX);
    const rows = `<DT><A HREF="http://x/" TAGS="web">long</A><DD>${text}\n<DT><A HREF="http://x/" TAGS="web">short</A>`;
    const refused = await importText(rows);
    expect([refused.added, refused.skipped]).toEqual([1, 0]);
    expect(refused.refusals.map(({ code }) => code)).toEqual(["too_long"]);
    expect(await descriptions()).toEqual(["#web"]);
    const kept = await importText(rows.replaceAll("http://x/", "http://y/"), { tags: false });
    expect([kept.added, kept.refused, kept.skips.map(({ reason }) => reason)]).toEqual([1, 0, ["repeated"]]);
    expect((await descriptions()).map((description) => description.length)).toEqual([DESCRIPTION_MAX, 4]);
    const again = await importText(rows.replaceAll("http://x/", "http://y/"));
    expect(again.skips.map(({ reason }) => reason)).toEqual(["kept_already"]);
  });

  test("has its title on one line", async () => {
    await importText(`<DT><A HREF="http://x/">\n  one\n  two  three \n</A>`);
    expect((await listBookmarks(database.read, 10))[0]?.title).toBe("one two  three");
  });

  test("gets a title of more than 200 characters shortened, with the full title in the description", async () => {
    const title = `${"😀".repeat(198)}  tail`;
    const list = `<DT><A HREF="http://x/1" ADD_DATE="1456433748" TAGS="a">${title}</A><DD>words`;
    const { notes } = await importText(list);
    expect(notes.map(({ line, code }) => `${line} ${code}`)).toEqual(["2 title_shortened"]);
    expect((await listBookmarks(database.read, 9)).map((bookmark) => bookmark.title)).toEqual([
      `${"😀".repeat(198)}…`,
    ]);
    expect(await descriptions()).toEqual([`${title}\nwords\n#a`]);
    expect(await importText(list, { existing: "update" })).toMatchObject({ updated: 0, skipped: 1 });
  });

  test("may have a title of 200 characters of any kind, or none", async () => {
    const report = await importText(
      `<DT><A HREF="http://x/1">${"😀".repeat(200)}</A><DT><A HREF="http://x/2"></A>`,
    );
    expect(report).toMatchObject({ added: 2, refused: 0 });
  });

  test("without a usable date gets the date of the import, with a note", async () => {
    const report = await importText(`
<DT><A HREF="http://x/1">t</A>
<DT><A HREF="http://x/2" ADD_DATE="99999999999999999">t</A>
<DT><A HREF="http://x/3" ADD_DATE="soon">t</A>`);
    expect((await listBookmarks(database.read, 10)).map(({ createdAt }) => createdAt.toISOString())).toEqual(
      Array(3).fill(now.toISOString()),
    );
    expect(report.notes.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "3 date_missing",
      "4 date_absurd",
      "5 date_unreadable",
    ]);
  });

  test("reports what is not imported: its marks, its keyword, its folder's description", async () => {
    const report = await importText(`<DT><H3>F</H3><DD>words<DL>
<DT><A HREF="http://x/1" ADD_DATE="1456433748" PRIVATE="1" SHORTCUTURL="w">t</A>
<DT><A HREF="http://x/2" ADD_DATE="1456433748" TOREAD="1" DATA-IMPORTANT="true">t</A>
<DT><A HREF="http://x/3" ADD_DATE="1456433748" PRIVATE="0" TOREAD="0" DATA-IMPORTANT="false">t</A></DL>`);
    expect(report.notes.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "2 folder_description",
      "3 private",
      "3 keyword",
      "4 important",
    ]);
  });
});

describe("a tag or folder whose name is no valid tag", () => {
  const coded = async (list: string, options: Partial<StagingOptions> = {}) =>
    (await importText(list, options)).notes.map(({ line, code, detail }) => `${line} ${code} ${detail}`);

  test("is reported once, with the number of bookmarks", async () => {
    const list = `<DT><H3>2023</H3><DL><DT><H3>Work</H3><DL>
<DT><A HREF="http://x/1" ADD_DATE="1456433748" TAGS="C#,##,dev tools,#web,ab,C#">t</A></DL></DL><DT><H3>#</H3><DL>
<DT><A HREF="http://x/2" ADD_DATE="1456433748" TAGS="ab,web">t</A>
<DT><A HREF="http://x/3" ADD_DATE="1456433748" TAGS="">t</A></DL>`;
    expect(await coded(list)).toEqual([
      "3 tag_unfit The tag “##” cannot be imported (1 bookmark): it has no valid character.",
      "3 tag_changed The tag “ab” becomes “a-b” (2 bookmarks).",
      "4 folder_unfit The folder “#” cannot become a tag (2 bookmarks).",
    ]);
    expect(await descriptions()).toEqual(["", "#a-b #web", "#C# #dev-tools #web #a-b #2023/Work"]);
  });

  test("is not reported with --no-tags, nor for our own exports", async () => {
    const list = (attributes: string) =>
      `<DT><H3>2023</H3><DL><DT><A HREF="http://x/" ADD_DATE="1456433748" TAGS="##" ${attributes}>t</A></DL>`;
    expect(await coded(list(""), { tags: false })).toEqual([]);
    expect(await coded(list('CREATED_AT="2016-02-25T20:55:48.000Z"'))).toEqual([]);
  });
});

describe("a bookmark of linkding's", () => {
  test("has its notes after its description, without their delimiters", async () => {
    await importText(`<DT><A HREF="http://x/1">t</A><DD>First[linkding-notes]Line 1\nLine 2[/linkding-notes]
<DT><A HREF="http://x/2">t</A><DD>[linkding-notes]Notes alone[/linkding-notes]
<DT><A HREF="http://x/3">t</A><DD>One mark [linkding-notes] alone
<DT><A HREF="http://x/4" CREATED_AT="2016-02-25T20:55:48.000Z">ours</A><DD>a[linkding-notes]b[/linkding-notes]`);
    expect((await descriptions()).toSorted()).toEqual([
      "First\nLine 1\nLine 2",
      "Notes alone",
      "One mark [linkding-notes] alone",
      "a[linkding-notes]b[/linkding-notes]",
    ]);
  });

  test("keeps its states: archived, unread, shared", async () => {
    const report = await importText(`
      <DT><A HREF="http://x/1" ADD_DATE="1456433748" TAGS="web,linkding:bookmarks.archived">t</A>
      <DT><A HREF="http://x/2" ADD_DATE="1456433748" TOREAD="1" PRIVATE="0">t</A>
      <DT><A HREF="http://x/2" ADD_DATE="1456433748" TAGS="linkding:bookmarks.archived">t</A>
      <DT><A HREF="http://x/3" ADD_DATE="1456433748" TOREAD="0">t</A>`);
    expect(report.notes).toEqual([]);
    expect((await descriptions()).toSorted()).toEqual(["", "", "#web"]);
    const states = await database.read`
      select url, unread, archived, shared from bookmarks where states_updated_at is not null order by url`;
    expect(states).toEqual([
      { url: "http://x/1", unread: 0, archived: 1, shared: 0 },
      { url: "http://x/2", unread: 1, archived: 1, shared: 1 },
    ]);
  });
});

describe("a row that is refused", () => {
  test.each([
    [`HREF="javascript:alert(1)">t`, "url_scheme"],
    [`HREF="place:sort=8">t`, "url_scheme"],
    [`HREF="data:text/html,x">t`, "url_scheme"],
    [`HREF="file:///etc/passwd">t`, "url_scheme"],
    [`HREF="ftp://x/">t`, "url_scheme"],
    [`HREF="?lY47tw">t`, "url_invalid"],
    [`HREF="http://">t`, "url_invalid"],
    [`HREF="http://x/a\nb">t`, "bad_character"],
    [`HREF="http://x/${"a".repeat(500)}">t`, "too_long"],
    [`HREF="http://x/">t</A><DD>${"a".repeat(DESCRIPTION_MAX + 1)}`, "too_long"],
    [`HREF="">t`, "missing"],
    [`NAME="x">t`, "missing"],
  ] as const)("%# is reported with its line and reason, and does not stop the others", async (row, code) => {
    const report = await importText(`<DT><A HREF="http://x/1">t</A>
<DT><A ${row}</A>
<DT><A HREF="http://x/2">t</A>`);
    expect(report).toMatchObject({ added: 2, refused: 1, refusals: [{ position: 2, line: 3, code }] });
    expect((await listBookmarks(database.read, 10)).map(({ url }) => url).sort()).toEqual([
      "http://x/1",
      "http://x/2",
    ]);
  });

  test("counts the unreadable rest of a truncated file", async () => {
    const report = await importText(`<DT><A HREF="http://x/1">t</A>\n<DT><A HREF="http://`);
    expect(report).toMatchObject({
      added: 1,
      refused: 1,
      refusals: [{ position: 2, line: 3, code: "cut_off" }],
    });
  });
});

describe("a URL that exists already", () => {
  const file = `<DT><A HREF="HTTP://X:80" ADD_DATE="1456433748" TAGS="a">new</A><DD>words
<DT><A HREF="http://y/" ADD_DATE="1456433748">y</A>`;

  beforeEach(async () => {
    const kept = { title: "old", url: "http://x/", description: "mine" };
    await database.write((sql) => insertBookmark(sql, kept, undefined, earlier));
  });

  test("is skipped by default, also in another spelling", async () => {
    const report = await importText(file);
    expect(report).toMatchObject({
      added: 1,
      skipped: 1,
      skips: [{ line: 2, reason: "kept_already", bookmark_id: 1 }],
    });
    expect(await contents()).toEqual(["1 old mine 1", "2 y  1"]);
  });

  test("is added again under `add`", async () => {
    expect(await importText(file, { existing: "add" })).toMatchObject({ added: 2, skipped: 0 });
    expect(await contents()).toEqual(["1 old mine 1", "2 new words\n#a 1", "3 y  1"]);
  });

  test("gets the file's title and description under `update`, and keeps its id and date", async () => {
    expect(await importText(file, { existing: "update" })).toMatchObject({ added: 1, updated: 1 });
    expect(await contents()).toEqual(["1 new words\n#a 2", "2 y  1"]);
    const [row] = await database.read`select created_at, updated_at from bookmarks where id = 1`;
    expect(row).toEqual({ created_at: earlier.getTime(), updated_at: now.getTime() });
    const [recorded] = await database.read`
      select outcome, record_id, record_version, before from import_rows where position = 1`;
    expect(recorded).toEqual({
      outcome: "updated",
      record_id: 1,
      record_version: 2,
      before: '{"title":"old","url":"http://x/","description":"mine"}',
    });
  });

  test("keeps its date under `update`, without a note about the file's date", async () => {
    const report = await importText(`<DT><A HREF="http://x/" PRIVATE="1">new</A>`, { existing: "update" });
    expect(report.notes.map(({ code }) => code)).toEqual(["private"]);
  });

  test("updates the older of two bookmarks with it", async () => {
    const kept = { title: "second", url: "http://x/", description: "" };
    await database.write((sql) => insertBookmark(sql, kept, undefined, earlier));
    await importText(file, { existing: "update" });
    expect(await contents()).toEqual(["1 new words\n#a 2", "2 second  1", "3 y  1"]);
  });
});

describe("a URL that is repeated in the file", () => {
  const file = `<DT><A HREF="http://x/">one</A>\n<DT><A HREF="http://X/">two</A>\n<DT><A HREF="http://x/">three</A>`;

  test.each(["skip", "update"] as const)("counts once, with its first row, under `%s`", async (existing) => {
    expect(await importText(file, { existing })).toMatchObject({
      added: 1,
      skipped: 2,
      skips: [
        { line: 3, reason: "repeated", bookmark_id: 1 },
        { line: 4, reason: "repeated", bookmark_id: 1 },
      ],
    });
    expect(await contents()).toEqual(["1 one  1"]);
  });

  test.each(["skip", "update"] as const)(
    "has the texts and hashtags of all rows, under `%s`",
    async (existing) => {
      const labels = `<DT><H3>History</H3><DL><DT><A HREF="http://x/" TAGS="a,b">t</A><DD>words</DL>
<DT><H3>Code</H3><DL><DT><A HREF="http://x/" TAGS="B,c">t</A><DD>more words</DL>
<DT><A HREF="http://x/">t</A><DD>words`;
      expect(await importText(labels, { existing })).toMatchObject({ added: 1, skipped: 2 });
      expect(await contents()).toEqual(["1 t words\nmore words\n#a #b #History #c #Code 1"]);
      expect(await importText(labels, { existing })).toMatchObject({ added: 0, updated: 0, import_id: null });
    },
  );

  test("has the first non-empty title; the others are reported", async () => {
    const dated = (title: string) => `<DT><A HREF="http://x/" ADD_DATE="1456433748">${title}</A>\n`;
    const report = await importText(["", "one", "two", "one", ""].map(dated).join(""));
    expect(await contents()).toEqual(["1 one  1"]);
    expect(report.notes).toEqual([
      {
        line: 4,
        code: "other_title",
        detail: "Same address as line 3, whose title is used; the title here is “two”.",
      },
    ]);
  });

  test("has up to a hundred other titles reported, and the number of the rest", async () => {
    const rows = Array.from(
      { length: 150 },
      (_, index) => `<DT><A HREF="http://x/" ADD_DATE="1456433748">t${index}</A>\n`,
    );
    const { notes } = await importText(rows.join(""));
    expect(notes.filter(({ detail }) => detail.startsWith("Same address as line 2"))).toHaveLength(100);
    expect(notes.filter(({ detail }) => !detail.startsWith("Same address"))).toEqual([
      {
        line: 2,
        code: "other_title",
        detail: "49 more rows have the same address and another title; the title of this one is used.",
      },
    ]);
  });

  test("has one text and all tags when only the tags differ, however long the text is", async () => {
    const text = "a".repeat(DESCRIPTION_MAX / 2);
    const rows = ["x", "y", "z"].map((tag) => `<DT><A HREF="http://x/" TAGS="${tag}">t</A><DD>${text}\n`);
    await importText(rows.join(""));
    expect(await descriptions()).toEqual([`${text}\n#x #y #z`]);
  });

  test("has only the first row's tags when all together would be too long", async () => {
    const rows = Array.from(
      { length: 8_000 },
      (_, index) =>
        `<DT><A HREF="http://x/" ADD_DATE="1456433748" TAGS="${`t${index}`.padEnd(150, "x")}">t</A>\n`,
    );
    const { notes } = await importText(rows.join(""));
    expect(await descriptions()).toEqual([`#${"t0".padEnd(150, "x")}`]);
    expect(notes.map(({ line, code }) => `${line} ${code}`)).toEqual(["2 repeats_too_long"]);
  });

  test("has only the first text, with a note, when all together would be too long", async () => {
    const text = (letter: string) => letter.repeat(DESCRIPTION_MAX / 2);
    const report = await importText(
      ["a", "b"]
        .map((letter) => `<DT><A HREF="http://x/" ADD_DATE="1456433748">t</A><DD>${text(letter)}\n`)
        .join(""),
    );
    expect(await descriptions()).toEqual([text("a")]);
    expect(report.notes.map(({ line, code }) => `${line} ${code}`)).toEqual(["2 repeats_too_long"]);
  });

  test("thousands of times takes linear time", async () => {
    const counting = await countingModules<
      typeof import("../../database/open.ts") &
        typeof import("../stage-bookmarks.ts") &
        typeof import("./import-bookmarks.ts")
    >(
      import.meta.resolve("../../database/open.ts"),
      import.meta.resolve("../stage-bookmarks.ts"),
      import.meta.resolve("./import-bookmarks.ts"),
    );
    await expectLinear(
      async (length) => {
        const rows = Array.from({ length }, (_, index) => `<DT><A HREF="http://x/" TAGS="t${index}">t</A>`);
        using empty = temporaryFolder();
        const database = await counting.openDatabase(`sqlite:${empty.file("test.db")}`);
        using staged = await counting.stageImport("test.html", Buffer.from(HEAD + rows.join("\n")), {
          now,
          tags: true,
        });
        const report = whole(await counting.importBookmarks(database, staged, "skip"));
        expect(report).toMatchObject({ added: 1, skipped: length - 1 });
        await database.close();
      },
      { length: rounds(300, 1_000) },
    );
  });

  test("counts each time under `add`", async () => {
    expect(await importText(file, { existing: "add" })).toMatchObject({ added: 3, skipped: 0 });
    expect(await contents()).toEqual(["1 one  1", "2 two  1", "3 three  1"]);
    expect(await database.read`select record_id from import_rows order by position`).toEqual([
      { record_id: 1 },
      { record_id: 2 },
      { record_id: 3 },
    ]);
  });
});

describe("importing a file twice", () => {
  const file = `<DT><H3>F</H3><DL><DT><A HREF="http://x/" TAGS="a">x</A><DD>words
<DT><A HREF="http://y/">y</A><DT><A HREF="http://y/">other</A><DT><A HREF="place:a">p</A></DL>`;

  test.each(["skip", "update"] as const)("changes nothing under `%s`", async (existing) => {
    await importText(file, { existing });
    const before = await everything();
    const report = await importText(file, { existing, now: new Date(now.getTime() + 60_000) });
    expect(report).toMatchObject({ added: 0, updated: 0, skipped: 3, refused: 1, import_id: null });
    expect(await everything()).toEqual(before);
  });

  test.each(["title", "description"])(
    "under `update` undoes a change of the %s in between",
    async (member) => {
      await importText(file);
      await database.write((sql) =>
        member === "title"
          ? sql`update bookmarks set title = 'changed', version = 2 where id = 1`
          : sql`update bookmarks set description = 'changed', version = 2 where id = 1`,
      );
      const report = await importText(file, { existing: "update" });
      expect(report).toMatchObject({
        updated: 1,
        skipped: 2,
        skips: [{ reason: "unchanged" }, { reason: "repeated" }],
      });
      expect(await contents()).toEqual(["1 x words\n#a #F 3", "2 y #F 1"]);
    },
  );
});

describe("a dry run", () => {
  test.each(["skip", "add", "update"] as const)(
    "reports under `%s` what the import then does",
    async (existing) => {
      await importText(`<DT><A HREF="http://x/" ADD_DATE="1456433748">old</A>`);
      const staged = await stage(`<DT><A HREF="http://x/">new</A><DT><A HREF="http://y/">y</A>
<DT><A HREF="http://y/">y again</A><DT><A HREF="place:a">p</A>`);
      const before = await everything();
      const preview = whole(await previewImport(existingIn(database.read), staged, existing));
      expect(await everything()).toEqual(before);
      const report = whole(await importBookmarks(database, staged, existing));
      const { dry_run, import_id, skips, ...rest } = preview;
      expect(report).toMatchObject(rest);
      expect({ dry_run, import_id }).toEqual({ dry_run: true, import_id: null });
      expect(report.skips.map(({ line, reason }) => [line, reason])).toEqual(
        skips.map(({ line, reason }) => [line, reason]),
      );
    },
  );
});

describe("the record of an import", () => {
  test("has every row as in the file, with its outcome", async () => {
    const report = await importText(`<DT><H3>Bookmarks Bar</H3><DL><DT><H3>Dev / JS</H3><DL>
<DT><A HREF="HTTP://X" ADD_DATE="1456433748123" TAGS="a b, c!"> t &amp; u </A>
<DT><A HREF="javascript:x">j</A>
<DT><A HREF="http://x/">t</A></DL></DL>`);
    expect(report.import_id).toBe(1);
    expect(await database.read`select * from imports`).toEqual([
      {
        ...{ id: 1, file_name: "test.html", format: "netscape" },
        ...{ created_at: now.getTime(), created_by: null, undone_at: null, toolbar_folder: null },
      },
    ]);
    const folders = '["Bookmarks Bar","Dev / JS"]';
    const common = {
      ...{ import_id: 1, kind: "bookmark", file: "", detail: null, record_key: null },
      ...{ before: null, folders },
    };
    const none = { reason: null, raw_tags: null, raw_date: null };
    const bookmark = { record_id: 1, record_version: 1 };
    expect(await database.read`select * from import_rows order by position`).toEqual([
      {
        ...{ ...common, ...none, ...bookmark, position: 1, line: 3, outcome: "added" },
        ...{ raw_url: "HTTP://X", title: " t & u ", raw_tags: "a b, c!", raw_date: "1456433748123" },
      },
      {
        ...{ ...common, ...none, position: 2, line: 4, outcome: "refused", reason: "url_scheme" },
        ...{ record_id: null, record_version: null, raw_url: "javascript:x", title: "j" },
      },
      {
        ...{ ...common, ...none, ...bookmark, position: 3, line: 5, outcome: "skipped" },
        ...{ raw_url: "http://x/", title: "t" },
      },
    ]);
  });

  test("is not stored when nothing was added or updated", async () => {
    const report = await importText(`<DT><A HREF="javascript:x">j</A>`);
    expect(report).toMatchObject({ added: 0, refused: 1, import_id: null });
    expect(await database.read`select * from imports`).toEqual([]);
  });
});

describe("an import", () => {
  test("counts each bookmark that it adds or updates as a change of the collection", async () => {
    await importText(`<DT><A HREF="http://x/">x</A><DT><A HREF="http://y/">y</A>`);
    expect(await collectionVersion(database.read)).toBe(2);
    await importText(`<DT><A HREF="http://x/">z</A><DT><A HREF="http://y/">y</A>`, { existing: "update" });
    expect(await collectionVersion(database.read)).toBe(3);
  });

  test("of more bookmarks than fit in one statement assigns each its own id", async () => {
    const rows = Array.from({ length: 173 }, (_, n) => `<DT><A HREF="http://x/${n}">${n}</A>`);
    await importText(rows.join("\n"));
    const [wrong] = await database.read<{ n: number }>`
      select count(*) as n from import_rows join bookmarks on id = record_id where raw_url <> url`;
    const [right] = await database.read<{ n: number }>`
      select count(*) as n from import_rows join bookmarks on id = record_id where raw_url = url`;
    expect([wrong?.n, right?.n]).toEqual([0, 173]);
  });

  test(`in pieces leaves the words of all but the first ${WORDS_AT_ONCE} bookmarks to the job`, async () => {
    const rows = Array.from(
      { length: WORDS_AT_ONCE + 600 },
      (_, n) => `<DT><A HREF="http://x/${n}">${n}</A>`,
    );
    using staged = await stage(rows.join("\n"));
    await importInPieces(database, staged, "skip", {
      begun: undefined,
      onPiece: async () => {},
      signal: new AbortController().signal,
    });
    expect(await countWaiting(database.read, indexedBookmarks)).toBe(600);
    expect(await database.read`select key from jobs where kind = ${INDEX_JOB}`).toEqual([
      { key: "bookmarks" },
    ]);
  });

  test("that fails stores nothing", async () => {
    const staged = await stage(`<DT><A HREF="http://x/">x</A><DT><A HREF="http://y/">y</A>`);
    const failing: Database = {
      ...database,
      read: database.read,
      write: (work) =>
        database.write(async (sql) => {
          await work(sql);
          throw new Error("the very end");
        }),
    };
    const before = await everything();
    await expect(importBookmarks(failing, staged, "skip")).rejects.toThrow("the very end");
    expect(await everything()).toEqual(before);
  });
});

interface Options extends Partial<StagingOptions> {
  readonly existing?: ExistingRule;
}

const HEAD = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>\n";

/** Imports the content of a list; the content's first line is the file's second. */
async function importText(list: string, { existing = "skip", ...options }: Options = {}) {
  using staged = await stage(list, options);
  return whole(await importBookmarks(database, staged, existing));
}

async function stage(list: string, options: Partial<StagingOptions> = {}): Promise<StagedBookmarks> {
  const bytes = Buffer.from(HEAD + list);
  return stageImport("test.html", bytes, { now, tags: true, ...options });
}

async function descriptions(): Promise<string[]> {
  return (await listBookmarks(database.read, 10)).map(({ description = "" }) => description);
}

async function contents(): Promise<string[]> {
  const rows = await database.read`select id, title, description, version from bookmarks order by id`;
  return rows.map(({ id, title, description, version }) => `${id} ${title} ${description} ${version}`);
}

async function everything() {
  return {
    bookmarks: await database.read`select * from bookmarks order by id`,
    imports: await database.read`select * from imports order by id`,
    rows: await database.read`select * from import_rows order by import_id, position`,
    version: await collectionVersion(database.read),
  };
}
