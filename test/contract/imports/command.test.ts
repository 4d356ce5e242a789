import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createShare } from "../../../src/bookmarks/shares/share-store.ts";
import { quoted } from "../../../src/command-name.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { BLOGS_READ } from "../../../src/readers/blog-formats.ts";
import { FORMATS_READ } from "../../../src/readers/bookmarks/recognize.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { encoded } from "../../support/files/encoded.ts";
import { makeAccount } from "../../support/records/accounts.ts";
import { COMMAND, run, startServer, temporaryFolder } from "../../support/server/server.ts";

const EXPORTS = join(import.meta.dir, "../../data/bookmark-exports");
const FIREFOX = join(EXPORTS, "firefox_nested.htm");
const SAFARI = join(EXPORTS, "safari_folded.htm");

const LIST = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>\n";

/** The database that a command without settings has in a folder. */
const inFolder = (folder: ReturnType<typeof temporaryFolder>) => ({
  env: { DATABASE_URL: `sqlite:${folder.file("data/commonplace.db")}` },
});

describe("commonplace import", () => {
  test("reports what was added and skipped, and exits with 0 when nothing was refused", async () => {
    using folder = temporaryFolder();
    const { code, stdout, stderr } = await run(["import", SAFARI], { cwd: folder.path });
    const made = `Created a new database: ${folder.file("data/commonplace.db")}\n`;
    expect({ code, stderr }).toEqual({ code: 0, stderr: made });
    expect(stdout).toBe(`Imported safari_folded.htm into ${folder.file("data/commonplace.db")}:
  3 added
  0 skipped
  0 refused
Note:
  3 without a date; the import time is used instead (line 8, 15, 21)
To undo it: ${quoted(COMMAND)} import --undo 1
`);
    const again = await run(["import", SAFARI], { cwd: folder.path });
    expect(again.stdout).toContain("  0 added\n  3 skipped: already saved\n");
  });

  test("exits with 1 when rows were refused, and reports their lines and reasons", async () => {
    using folder = temporaryFolder();
    const { code, stdout } = await run(["import", FIREFOX], inFolder(folder));
    expect(code).toBe(1);
    expect(stdout).toContain("  21 added\n  0 skipped\n  3 refused:\n");
    expect(stdout).toContain(
      "    line 11: Recent tags <place:type=6&sort=14&maxResults=10> – Only http and https URLs are kept here.\n",
    );
    expect(stdout).toContain("  line 14: The description of the folder “Comics” is not imported.\n");
  });

  test("prints the report as one JSON document with --json", async () => {
    using folder = temporaryFolder();
    const { stdout } = await run(["import", FIREFOX, "--json"], inFolder(folder));
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ file: "firefox_nested.htm", format: "netscape", encoding: "utf-8", dry_run: false, import_id: 1 },
      ...{ added: 21, updated: 0, skipped: 0, refused: 3, skips: [] },
      refusals: [
        { position: 1, line: 10, title: "Recently saved", code: "url_scheme" },
        { position: 2, line: 11, title: "Recent tags", url: "place:type=6&sort=14&maxResults=10" },
        { position: 23, line: 72, code: "url_scheme", detail: "Only http and https URLs are kept here." },
      ],
      notes: [
        { line: 14, code: "folder_description" },
        { line: 26, code: "folder_description" },
      ],
    });
  });

  test("decodes a file with one truncated character correctly, and reports its line", async () => {
    using folder = temporaryFolder();
    const file = `${LIST}<DT><A HREF="http://x/1">Zürich</A>\n<DT><A HREF="http://x/2">日本`;
    writeFileSync(folder.file("cut.html"), Buffer.from(file).subarray(0, -1));
    const { stdout } = await run(["import", "cut.html"], { cwd: folder.path });
    expect(stdout).toContain("  1 in a different encoding than the rest; read as windows-1252 (line 3)\n");
    const exported = await run(["export", "-"], inFolder(folder));
    expect(exported.stdout).toContain(">Zürich</A>");
  });

  test("says so when it has to guess the encoding, and takes a chosen one", async () => {
    using folder = temporaryFolder();
    const csv = "title,url,time_added,tags,status\nПривет,https://x.example/,1700000000,,unread\n";
    writeFileSync(folder.file("old.csv"), encoded(csv, "windows-1251"));
    const guessed = await run(["import", "old.csv", "--dry-run"], { cwd: folder.path });
    expect(guessed.stdout).toContain("It is read as windows-1252, such as “Ïðèâåò”.");
    const chosen = await run(["import", "old.csv", "--encoding", "cp1251"], { cwd: folder.path });
    expect(chosen.stdout).not.toContain("windows-1252");
    expect((await run(["export", "-"], inFolder(folder))).stdout).toContain(">Привет</A>");
    expect(await run(["import", "old.csv", "--encoding", "none"], { cwd: folder.path })).toMatchObject({
      ...{ code: 2, stderr: "commonplace: import: no encoding is called none.\n" },
    });
  });

  test("reads the standard input where the file is -", async () => {
    using folder = temporaryFolder();
    const stdin = `${LIST}<DT><A HREF="http://x/" ADD_DATE="1456433748">t</A></DL>`;
    const { code, stdout } = await run(["import", "-"], { cwd: folder.path, stdin });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("the standard input into"),
    });
  });

  test("counts marks that come along, which have no line of their own where they have no address", async () => {
    using folder = temporaryFolder();
    const table = `Highlight,Book Title,Book Author,Note,Highlighted at\nOne,Rye,Ada,,\nTwo,Not here,Ada,,\n`;
    writeFileSync(folder.file("marks.csv"), table);
    writeFileSync(folder.file("links.html"), `${LIST}<DT><A HREF="https://example.com/">Rye</A>`);
    await run(["import", folder.file("links.html")], inFolder(folder));
    const imported = async (...flags: readonly string[]) =>
      (await run(["import", folder.file("marks.csv"), ...flags], inFolder(folder))).stdout;
    expect(await imported("--dry-run")).toContain(
      "  2 without an address: their highlights go to links with their titles\n  0 refused\nThe file has 2 highlights.",
    );
    expect(await imported()).toContain(
      "Put into the notes of links: 1 highlight.\nLeft out, since no link, or more than one, has the title: 1 highlight.\n",
    );
    const { stdout } = await run(["import", "--show", "2"], inFolder(folder));
    expect(stdout).toContain("mark Two\n  Not exactly one link has its address, or without one its title.\n");
    expect(JSON.parse(await imported("--json"))).toMatchObject({
      ...{ skipped: 0, skips: [{ reason: "marks_alone" }, { reason: "marks_alone" }] },
      marks: {
        found: 2,
        kept: 0,
        without_copy: 0,
        in_notes: 0,
        there_already: 1,
        refused: 1,
        reasons: { no_link: 1 },
      },
    });
  });

  const quotations = ["quotations in the notes of others", "Put into the notes of links"] as const;
  const marks = ["also of links without a copy", "Kept as marks of links without a copy"] as const;
  test.each([
    ["auto", undefined, false, quotations],
    ["auto", "private", true, marks],
    ["auto", "read", false, marks],
    ["private", "open", false, quotations],
    ["read", "private", false, marks],
    ["open", undefined, false, marks],
  ] as const)(
    "brings no marks into notes that others may read: %s, and chosen %s",
    async (setting, bookmarksAccess, withNotes, said) => {
      using folder = temporaryFolder();
      const env = { DATABASE_URL: `sqlite:${folder.file("site.db")}`, BOOKMARKS_ACCESS: setting };
      const database = await openDatabase(env.DATABASE_URL);
      await database.write((sql) => saveSite(sql, { bookmarksAccess }, new Date()));
      const { id } = await makeAccount(database, "ada");
      const list = { query: "rye", title: "Rye", withNotes, expiresAt: null };
      await database.write((sql) => createShare(sql, list, id, new Date()));
      await database.close();
      const row = { is_archived: 0, is_starred: 0, title: "Rye", url: "https://example.com/", tags: [] };
      writeFileSync(folder.file("marks.json"), JSON.stringify([{ ...row, annotations: [{ quote: "One" }] }]));
      const imported = async (...flags: readonly string[]) =>
        (await run(["import", folder.file("marks.json"), ...flags], { env })).stdout;
      expect(await imported("--dry-run")).toContain(said[0]);
      expect(await imported()).toContain(said[1]);
    },
  );

  test("changes nothing with --dry-run, not even where no database is yet", async () => {
    using folder = temporaryFolder();
    const { code, stdout } = await run(["import", "--dry-run", SAFARI], { cwd: folder.path });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("nothing was changed"),
    });
    expect(stdout).toContain("  3 added\n");
    expect(existsSync(folder.file("data"))).toBe(false);
  });

  test("adds no hashtags with --no-tags, and accepts --existing and --database-url", async () => {
    using folder = temporaryFolder();
    const flags = ["--no-tags", "--existing", "add", "--database-url", "sqlite:other.db"];
    for (const _ of [1, 2]) await run(["import", ...flags, SAFARI], { cwd: folder.path });
    const database = new DatabaseSync(folder.file("other.db"), { readOnly: true });
    const [row] = database
      .prepare("select count(*) as n, max(description) as description from bookmarks")
      .all();
    expect(row).toEqual({ n: 6, description: "" });
    database.close();
  });

  test("asks for nothing that only serving needs", async () => {
    using folder = temporaryFolder();
    const env = { HOST: "0.0.0.0", PORT: "no port", DATABASE_URL: `sqlite:${folder.file("named.db")}` };
    const made = `Created a new database: ${folder.file("named.db")}\n`;
    expect(await run(["import", SAFARI], { env })).toMatchObject({ code: 0, stderr: made });
    expect(await run(["import", SAFARI], { env })).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(folder.file("named.db"))).toBe(true);
  });

  test.each([
    ["a file that is not there", "nowhere.html", "does not exist."],
    ["a folder", EXPORTS, "is a folder without posts: it has no Markdown files."],
    ["an empty file", join(EXPORTS, "empty.htm"), "is empty."],
    [
      "a file that is no export",
      join(EXPORTS, "README.md"),
      `has neither posts nor bookmarks that can be read. Of blogs, Commonplace reads ${BLOGS_READ}. Of bookmarks, it reads ${FORMATS_READ}.`,
    ],
    ["an empty standard input", "-", "The standard input is empty."],
  ])("refuses %s with one line and 2, before it makes a database", async (_, file, line) => {
    using folder = temporaryFolder();
    const { code, stdout, stderr } = await run(["import", file], inFolder(folder));
    expect({ code, stdout, lines: stderr.split("\n").length }).toEqual({ code: 2, stdout: "", lines: 2 });
    expect(stderr).toStartWith("commonplace: ");
    expect(stderr).toEndWith(`${line}\n`);
    expect(existsSync(folder.file("data"))).toBe(false);
  });

  test.each([
    [
      "a blog that is not read",
      '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","content_html":"x","date_published":"x"}]}',
      "JSON Feed",
    ],
    ["folders without bookmarks", `${LIST}<DT><H3>Empty</H3><DL></DL></DL>`, "has no bookmarks in it."],
    ["a blog without posts", '{"db":[{"meta":{},"data":{"posts":[]}}]}', "has no posts in it."],
    ["a table of nobody", "name,link,st\u001bars\nA,https://x.example/,5\n", "name, link"],
  ])("refuses %s with 2, also as JSON: nothing of it could be read", async (_, text, said) => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("given"), text);
    for (const flags of [[], ["--json"], ["--dry-run"]]) {
      const { code, stdout, stderr } = await run(
        ["import", folder.file("given"), ...flags],
        inFolder(folder),
      );
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(said);
      expect(stderr).not.toContain("\u001b");
    }
    expect(existsSync(folder.file("data"))).toBe(false);
  });

  test("exits with 0 when everything is here already", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("a.txt"), "https://x.example/a\nhttps://x.example/b\n");
    for (const added of [2, 0]) {
      const { code, stdout } = await run(["import", folder.file("a.txt"), "--json"], inFolder(folder));
      expect({ code, added: JSON.parse(stdout).added }).toEqual({ code: 0, added });
    }
  });

  test.each([
    [["--existing", "replace", "x"]],
    [["--nothing", "x"]],
    [[]],
    [["--database-url", "mysql:x", "x"]],
  ])("refuses the wrong call %j with 2", async (words) => {
    expect(await run(["import", ...words])).toMatchObject({ code: 2, stdout: "" });
  });

  test("exits with 1 when the database cannot be used", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file("no.db"), "this is no database, however long it may be. ".repeat(100));
    const { code, stderr } = await run([
      "import",
      SAFARI,
      "--database-url",
      `sqlite:${folder.file("no.db")}`,
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^commonplace: [^\n]+\n$/) });
  });

  test("shows nothing of a file that could steer a terminal", async () => {
    using folder = temporaryFolder();
    const file = folder.file("evil\u001b[31m.html");
    const title = "\u001b]0;owned\u0007\u009b31m\u202egpj.exe\rline";
    writeFileSync(file, `${LIST}<DT><A HREF="javascript:\u001b[2J">${title}</A></DL>`);
    for (const words of [[file], [file, "--json"], [`${file}x`]]) {
      const { stdout, stderr } = await run(["import", ...words], inFolder(folder));
      expect(`${stdout}${stderr}`).not.toMatch(/[^\n\P{Cc}]|[\u202a-\u202e]/u);
    }
    const { stdout } = await run(["import", file, "--json"], inFolder(folder));
    expect(JSON.parse(stdout).refusals[0].title).toBe(title.replace("\r", "\n"));
  });
});

describe("beside other processes", () => {
  test("bookmarks imported while the server runs are served at once", async () => {
    using folder = temporaryFolder();
    const DATABASE_URL = `sqlite:${folder.file("shared.db")}`;
    const server = await startServer({ DATABASE_URL });
    const before = await fetch(`${server.url}/bookmarks/`);
    expect(await before.json()).toEqual([]);
    expect(await run(["import", SAFARI], { env: { DATABASE_URL } })).toMatchObject({ code: 0 });
    const after = await fetch(`${server.url}/bookmarks/`, {
      headers: { "If-None-Match": before.headers.get("ETag") ?? "" },
    });
    expect([after.status, await after.json()]).toMatchObject([200, { length: 3 }]);
    expect(await server.stop()).toBe(0);
  });

  test("an import waits for another writer, and then succeeds", async () => {
    using folder = temporaryFolder();
    const DATABASE_URL = `sqlite:${folder.file("shared.db")}`;
    expect(await run(["import", SAFARI], { env: { DATABASE_URL } })).toMatchObject({ code: 0 });
    const other = new DatabaseSync(folder.file("shared.db"));
    other.exec("begin immediate");
    let isDone = false;
    const importing = run(["import", FIREFOX], { env: { DATABASE_URL } }).then((result) => {
      isDone = true;
      return result;
    });
    await sleep(1_500);
    expect(isDone).toBe(false);
    other.exec("commit");
    expect(await importing).toMatchObject({ code: 1, stdout: expect.stringContaining("21 added") });
    other.close();
  });
});
