import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { OLD_POCKET, PINBOARD, POCKET } from "../../support/files/bookmark-files.ts";
import { makeZip } from "../../support/files/make-zip.ts";
import { engines } from "../../support/server/engines.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const EXPORT = join(import.meta.dir, "../../data/bookmark-exports/firefox_nested.htm");

for (const engine of engines)
  test(`a real browser's export is imported, imported again, and updates existing bookmarks (${engine.name})`, async () => {
    const place = await engine.createDatabase();
    const importIt = async (...words: string[]) => {
      const { code, stdout } = await run(["import", EXPORT, "--json", "--database-url", place.url, ...words]);
      const { added, updated, skipped, refused } = JSON.parse(stdout);
      return { code, added, updated, skipped, refused };
    };
    try {
      expect(await importIt("--dry-run")).toEqual({ code: 1, added: 21, updated: 0, skipped: 0, refused: 3 });
      expect(await importIt()).toEqual({ code: 1, added: 21, updated: 0, skipped: 0, refused: 3 });
      expect(await importIt()).toEqual({ code: 1, added: 0, updated: 0, skipped: 21, refused: 3 });
      expect(await importIt("--existing", "update", "--no-tags")).toEqual({
        code: 1,
        added: 0,
        updated: 20,
        // One stands in no folder and has no tags: nothing of it changes.
        skipped: 1,
        refused: 3,
      });
      expect(await importIt("--existing", "add")).toEqual({
        code: 1,
        added: 21,
        updated: 0,
        skipped: 0,
        refused: 3,
      });
    } finally {
      await place[Symbol.asyncDispose]();
    }
  });

for (const engine of engines)
  test(`the list of imports and the report of an undo are JSON alone, with numbers as numbers (${engine.name})`, async () => {
    await using place = await engine.createDatabase();
    const env = { DATABASE_URL: place.url };
    const list = await run(["import", "--list", "--json"], { env });
    expect([list.code, JSON.parse(list.stdout), list.stderr]).toEqual([0, [], ""]);
    using folder = temporaryFolder();
    for (const [name, titles] of [
      ["one.html", ["a", "b"]],
      ["two.html", ["b", "c"]],
    ] as const) {
      const links = titles.map((title) => `<DT><A HREF="https://${title}.example/">${title}</A>`);
      writeFileSync(folder.file(name), `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>${links.join("")}</DL>`);
      await run(["import", folder.file(name), "--json"], { env });
    }
    const { stdout } = await run(["import", "--undo", "1", "--json"], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ import_id: 1, removed: 2, reverted: 0, gone: 0, kept: [] },
      shared_with: [{ import_id: 2, file: "two.html", rows: 1 }],
    });
  });

for (const engine of engines)
  test(`JSON and an archive are previewed, imported, shown and undone (${engine.name})`, async () => {
    await using place = await engine.createDatabase();
    using folder = temporaryFolder();
    // The names say nothing, or something else.
    writeFileSync(folder.file("export.html"), PINBOARD);
    writeFileSync(folder.file("pocket"), makeZip({ "a.csv": POCKET, "b/b.csv": OLD_POCKET, "c.png": "x" }));
    const env = { DATABASE_URL: place.url };
    const dry = await run(["import", folder.file("export.html"), "--dry-run"], { env });
    expect(dry.code).toBe(1);
    expect(dry.stdout).toMatch(/ {2}2 added\n {2}0 skipped\n {2}1 refused:/);
    expect(dry.stdout).toContain("bookmark 3: An old file <ftp://example.com/old> – Only http and https");
    expect(dry.stdout).toContain("anyone who can read bookmarks can read them\n");

    const report = JSON.parse((await run(["import", folder.file("export.html"), "--json"], { env })).stdout);
    expect(report).toMatchObject({
      format: "pinboard",
      counted_by: "bookmark",
      added: 2,
      refused: 1,
      import_id: 1,
    });
    const shown = JSON.parse((await run(["import", "--show", "1", "--json"], { env })).stdout);
    expect(shown.rows[2]).toMatchObject({
      ...{ position: 3, line: 3, outcome: "refused", reason: "url_scheme" },
      ...{ url: "ftp://example.com/old", title: "An old file", tags: "funny", date: "2005-10-26T15:56:28Z" },
    });

    expect((await run(["import", "--show", "1"], { env })).stdout).toBe(
      "bookmark 3: url_scheme\n  An old file\n  ftp://example.com/old\n",
    );
    const pocket = await run(["import", folder.file("pocket")], { env });
    expect(pocket.code).toBe(0);
    expect(pocket.stdout).toContain("  3 added\n");
    expect(pocket.stdout).toContain("The file “c.png” in the archive is not imported.\n");
    const list = JSON.parse((await run(["import", "--list", "--json"], { env })).stdout);
    expect(list.map(({ format, added }: { format: string; added: number }) => [format, added])).toEqual([
      ["pinboard", 2],
      ["pocket", 3],
    ]);
    expect(await run(["import", "--undo", "2"], { env })).toMatchObject({ code: 0 });
    const { stdout } = await run(["export", "-", "--format", "csv"], { env });
    expect(stdout.match(/https:/g)).toHaveLength(2);
    expect(stdout).toMatch(/,walks C# 2019,,true,false,false,2019-04-05T12:21:12\.000Z,/);
  });
