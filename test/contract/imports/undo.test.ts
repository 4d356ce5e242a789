import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { sumOfCounter } from "../../../src/database/counters.ts";
import type { Database, Sql, Value } from "../../../src/database/database.ts";
import { addComment } from "../../../src/posts/comments/add-comment.ts";
import { findComment } from "../../../src/posts/comments/comment-store.ts";
import { moderateComment } from "../../../src/posts/comments/moderate-comment.ts";
import { rejectWaiting } from "../../../src/posts/comments/waiting-comments.ts";
import { lockEdit, replaceEdit } from "../../../src/posts/editing/edit-store.ts";
import { findPostOrDraft, lockPost, updatePost } from "../../../src/posts/post-store.ts";
import { importBookmarks } from "../../../src/transfer/import/import-bookmarks.ts";
import type { ExistingRule } from "../../../src/transfer/import/plan-bookmarks.ts";
import { listImports } from "../../../src/transfer/import/recorded-imports.ts";
import { previewUndo, undoImport } from "../../../src/transfer/import/undo-import.ts";
import { undoSiteImport } from "../../../src/transfer/import/undo-site-import.ts";
import { stageImport } from "../../../src/transfer/stage-bookmarks.ts";
import { openBeside } from "../../support/databases/database.ts";
import { archiveOf } from "../../support/files/archive-file.ts";
import { importBytes } from "../../support/files/imported-site.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, etagOf, list, pathOf } from "../../support/records/bookmarks.ts";
import { describeApp } from "../../support/server/contract.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

/** An export of bookmarks by their addresses' last parts, under a title. */
function exportOf(title: string, names: readonly string[]): string {
  const rows = names.map(
    (name) => `<DT><A HREF="https://example.com/${name}" ADD_DATE="1456433748">${title} ${name}</A>\n`,
  );
  return `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${rows.join("")}</DL><p>\n`;
}

describeApp("Undoing an import", (service) => {
  /** The application on a database of its own, and what the command does there. */
  async function start() {
    const { database, request: send } = await service.startApp();
    const importIt = async (title: string, names: readonly string[], existing: ExistingRule = "skip") => {
      const bytes = Buffer.from(exportOf(title, names));
      const staged = await stageImport("file.html", bytes, { now: new Date(), tags: true });
      const { import_id } = await importBookmarks(database, staged, existing);
      if (import_id === null) throw new Error("nothing was imported");
      return import_id;
    };
    const undo = (id: number) => undoImport(database, id, new Date());
    const titles = async () => (await list(send)).map(({ title }) => title).toSorted();
    return { database, send, importIt, undo, titles };
  }

  test("removes what it added, once, and the file can be imported again", async () => {
    const { database, send, importIt, undo, titles } = await start();
    const before = await etagOf(send, COLLECTION);
    const id = await importIt("First", ["a", "b", "c"]);
    const after = await etagOf(send, COLLECTION);

    expect(await previewUndo(database.read, id)).toMatchObject({ dry_run: true, removed: 3, kept: [] });
    expect(await titles()).toHaveLength(3);
    expect(await undo(id)).toMatchObject({
      ...{
        import_id: id,
        file: "file.html",
        dry_run: false,
        removed: 3,
        reverted: 0,
        gone: 0,
        kept: [],
        shared_with: [],
      },
    });
    expect(await titles()).toEqual([]);
    // Neither tag may hold: the collection has changed twice.
    const tags = new Set([before, after, await etagOf(send, COLLECTION)]);
    expect(tags.size).toBe(3);

    await expect(undo(id)).rejects.toThrow(/^Import 1 was already undone on 20/);
    const again = await importIt("First", ["a", "b", "c"]);
    expect(again).toBeGreaterThan(id);
    expect(await titles()).toHaveLength(3);
    expect(await listImports(database.read)).toMatchObject([
      { id, added: 3, undoneAt: expect.any(Date) },
      { id: again, added: 3, undoneAt: null },
    ]);
  });

  test("keeps and reports records changed since, and restores updated ones", async () => {
    const { send, importIt, undo, titles } = await start();
    await importIt("Old", ["kept", "mine"]);
    const id = await importIt("New", ["kept", "mine", "a", "b", "c"], "update");
    const other = await importIt("Other", ["a", "d"]);
    const byTitle = new Map((await list(send)).map((bookmark) => [bookmark.title, bookmark]));
    const path = (title: string) => pathOf(byTitle.get(title) ?? { id: 0 });
    for (const title of ["New mine", "New b"])
      await send(path(title), { method: "PATCH", json: { description: "by hand" } });
    await send(path("New c"), { method: "DELETE" });

    const ledger = await undo(id);
    expect(ledger).toMatchObject({ removed: 1, reverted: 1, gone: 1 });
    expect(ledger.kept.map(({ title, line }) => [title, line])).toEqual([
      ["New mine", 4],
      ["New b", 6],
    ]);
    expect(ledger.shared_with).toEqual([{ import_id: other, file: "file.html", rows: 1 }]);
    expect(await titles()).toEqual(["New b", "New mine", "Old kept", "Other d"]);
  });

  test("undoes it once, however many do it at the same time", async () => {
    const { database, importIt, undo, titles } = await start();
    const id = await importIt("First", ["a", "b", "c"]);
    const before = await sumOfCounter(database.read, "bookmarks:changes");
    const outcomes = await Promise.allSettled([undo(id), undo(id), undo(id)]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await titles()).toEqual([]);
    expect(await sumOfCounter(database.read, "bookmarks:changes")).toBe(before + 3);
  });

  test("undoing several imports in reverse order restores the original state", async () => {
    const { importIt, undo, titles } = await start();
    const first = await importIt("First", ["a", "b"]);
    const second = await importIt("Second", ["a", "b"], "update");
    const third = await importIt("Third", ["a", "b"], "update");
    expect(await undo(third)).toMatchObject({ reverted: 2, kept: [] });
    expect(await titles()).toEqual(["Second a", "Second b"]);
    expect(await undo(second)).toMatchObject({ reverted: 2, kept: [] });
    expect(await undo(first)).toMatchObject({ removed: 2, kept: [] });
    expect(await titles()).toEqual([]);
  });

  test("all or nothing: when the last step fails, nothing has changed", async () => {
    const { database, importIt, titles } = await start();
    const id = await importIt("First", ["a", "b", "c"]);
    const broken = failingAt("insert into counters", database);
    await expect(undoImport(broken, id, new Date())).rejects.toThrow("the last step");
    expect(await titles()).toHaveLength(3);
    expect(await previewUndo(database.read, id)).toMatchObject({ removed: 3 });
  });
});

const WHEN = "2026-11-21T06:40:12.345Z";
const postOf = (id: number, title: string) => ({
  ...{ id, title, content: "Imported.", published: true, created_by: null, version: 1 },
  ...{ created_at: WHEN, updated_at: WHEN, published_at: WHEN, publication: { slug: `post-${id}` } },
});
const KEY = "00000000-0000-4000-8000-000000000001";

/** A database whose writes belong to a transaction. */
const within = (sql: Sql) =>
  ({
    ...{ read: sql, clock: { now: () => new Date() } },
    write: async (work: (inner: Sql) => Promise<unknown>) => work(sql),
  }) as unknown as Database;

/** Changes of what was imported, which are not committed yet when the undo begins. */
const CHANGES: Readonly<Record<string, (sql: Sql) => Promise<unknown>>> = {
  post: async (sql) => {
    const [row] = await sql<{ id: number }>`select id from posts where title = 'Imported'`;
    await lockPost(sql, Number(row?.id));
    const post = await findPostOrDraft(sql, Number(row?.id));
    if (post !== undefined)
      await updatePost(sql, post, { title: "New", content: "New.", published: true }, new Date());
  },
  "post with a reader's comment": async (sql) => {
    const [row] = await sql<{ id: number }>`select id from posts where title = 'Imported'`;
    const comment = { author: "Di", text: "New.", status: "shown", accountId: undefined } as const;
    await addComment(sql, { ...comment, postId: Number(row?.id) }, { perPost: 9, now: new Date() });
  },
  edit: async (sql) => {
    const edit = await lockEdit(sql, KEY);
    if (edit !== undefined) await replaceEdit(sql, edit, { ...edit, content: "New." }, new Date());
  },
  comment: async (sql) => {
    const [row] = await sql<{ id: number; post_id: number }>`select id, post_id from comments`;
    await lockPost(sql, Number(row?.post_id));
    const comment = await findComment(sql, Number(row?.id));
    if (comment !== undefined) await moderateComment(sql, comment, { status: "rejected", perPost: 9 });
  },
  "comment in a rejected wave": (sql) => rejectWaiting(within(sql), {}, undefined),
  setting: (sql) =>
    Promise.resolve(
      sql`update site_settings set value = 'New', updated_at = ${new Date()} where name = 'name'`,
    ),
};

describeApp("Undoing an import of an archive", (service) => {
  for (const [what, change] of Object.entries(CHANGES))
    test(`keeps a ${what} that is being changed at the same moment`, async () => {
      const url = await service.createDatabase();
      const { database } = await service.startApp({ DATABASE_URL: url });
      const other = await openBeside(url);
      // Two writes of one process wait for each other on SQLite, two of one pool may on PostgreSQL.
      const undoing = other.engine === "sqlite" ? database : other;
      const status = what.includes("wave") ? "waiting" : "shown";
      await importBytes(database, await archiveOf({ post: [postOf(1, "Mine")] }));
      const imported = await importBytes(
        database,
        await archiveOf({
          post: [postOf(1, "Mine"), postOf(2, "Imported")],
          comment: [{ id: 1, post: 1, author: "Bo", text: "Hi", status, created_at: WHEN }],
          edit: [{ key: KEY, post: null, title: "", content: "Old", created_at: WHEN, updated_at: WHEN }],
          setting: [{ name: "name", value: "Old", updated_at: WHEN }],
        }),
      );
      const kind = what.split(" ", 1)[0] ?? "";
      expect(imported).toMatchObject({ added: 4, refused: 0 });
      const undone = await database.write(async (sql) => {
        await change(sql);
        const undo = undoSiteImport(undoing, imported?.import_id ?? 0, new Date());
        // On SQLite, it waits until this transaction has ended.
        if (sql.engine !== "sqlite")
          await until("the undo waits", async () => {
            const waiting = await database.read`
              select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
            return waiting.length > 0;
          });
        return [undo];
      });
      const { kept, removed } = (await undone[0]) ?? {};
      await other.close();
      expect(kept?.map((record) => record.kind)).toEqual([kind]);
      expect(removed).not.toHaveProperty(kind);
      const left = await database.read<{ n: number }>`
        select count(*) as n from posts where title <> 'Mine' union all
        select count(*) from edits union all select count(*) from comments union all
        select count(*) from site_settings where name = 'name'`;
      const counts = left.map(({ n }) => Number(n));
      expect(counts).toEqual(
        ["post", "edit", "comment", "setting"].map((one) =>
          Number(one === kind || (one === "comment" && what.includes("comment"))),
        ),
      );
    });
});

/** A database whose transactions fail at a statement. */
function failingAt(beginning: string, database: Database): Database {
  const failing = (sql: Sql): Sql =>
    Object.assign(
      ((text: TemplateStringsArray, ...values: Value[]) => {
        if (text[0]?.trim().startsWith(beginning)) throw new Error("the last step");
        return sql(text, ...values);
      }) as Sql,
      { engine: sql.engine, slot: sql.slot },
    );
  return Object.assign(Object.create(database), {
    write: (work: (sql: Sql) => Promise<unknown>) => database.write((sql) => work(failing(sql))),
  });
}

describe("commonplace import --forget", () => {
  test("deletes what is recorded of an import, and leaves its bookmarks and other imports", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
    const command = (...words: string[]) => run(["import", ...words], { env });
    for (const name of ["a", "b"]) {
      writeFileSync(folder.file(`${name}.html`), exportOf("Page", [name]));
      expect((await command(folder.file(`${name}.html`))).code).toBe(0);
    }
    expect(await command("--forget", "1")).toEqual({
      code: 0,
      stdout: "Import 1 is no longer recorded.\n",
      stderr: "",
    });
    const listed = JSON.parse((await command("--list", "--json")).stdout);
    expect(listed).toEqual([expect.objectContaining({ import_id: 2, added: 1, undone_at: null })]);
    for (const words of [
      ["--forget", "1"],
      ["--undo", "1"],
    ])
      expectRefused(await command(...words), 1, /No import 1|was not found|There is no import 1/);
    const json = JSON.parse((await command("--forget", "2", "--json")).stdout);
    expect(json).toEqual({ import_id: 2, forgotten: true });
    const database = await openBeside(env.DATABASE_URL);
    expect(await database.read`select url from bookmarks order by id`).toEqual(
      ["a", "b"].map((name) => ({ url: `https://example.com/${name}` })),
    );
    expect(await database.read`select * from import_rows`).toEqual([]);
    await database.close();
  });
});

describe("commonplace import --show", () => {
  test("shows refused rows with their full address and title", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
    const command = (...words: string[]) => run(["import", ...words], { env });
    const url = `javascript:${"x".repeat(1_000)}`;
    writeFileSync(
      folder.file("file.html"),
      `${exportOf("Page", ["a"])}<DL><DT><H3>Tools</H3><DL>\n<DT><A HREF="${url}" TAGS="a,b">Let\u001b ter</A></DL></DL>`,
    );
    expect((await command(folder.file("file.html"))).code).toBe(1);
    expectRefused(await command("--show", "7"), 1, /^commonplace: No import 7\.\n$/);
    const text = await command("--show", "1");
    expect(text).toEqual({
      code: 0,
      stderr: "",
      stdout: `line 6: url_scheme\n  Let\\u{1b} ter\n  ${url}\n`,
    });
    const document = JSON.parse((await command("--show", "1", "--json")).stdout);
    expect(document).toEqual({
      import_id: 1,
      imported_at: expect.stringMatching(/^20.*Z$/),
      file: "file.html",
      undone_at: null,
      rows: [
        {
          ...{ position: 1, line: 3, outcome: "added", reason: null, bookmark_id: 1 },
          ...{ url: "https://example.com/a", title: "Page a", tags: null, date: "1456433748", folders: [] },
        },
        {
          ...{ position: 2, line: 6, outcome: "refused", reason: "url_scheme", bookmark_id: null },
          ...{ url, title: "Let\u001b ter", tags: "a,b", date: null, folders: ["Tools"] },
        },
      ],
    });
  });
});

describe("commonplace import --undo and --list", () => {
  test("report what they did, and why they refuse", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
    const command = (...words: string[]) => run(["import", ...words], { env });
    expectRefused(await command("--list"), 1, /No database at/);
    writeFileSync(folder.file("evil\u001b[31m.html"), exportOf("\u001b[2J", ["a"]));
    await command(folder.file("evil\u001b[31m.html"));
    expectRefused(await command("--undo", "7"), 1, /^commonplace: No import 7\.\n$/);
    for (const words of [
      ["--undo", "x"],
      ["--undo", "0"],
      ["--undo", "1", "file.html"],
      ["--list", "file.html"],
      ["--list", "--undo", "1"],
      ["--show", "1", "--undo", "1"],
      ["--show", "x"],
      ["--show", "1", "file.html"],
      ["--undo", "1", "--existing", "add"],
      ["--list", "--no-tags"],
      [],
    ])
      expect(await command(...words)).toMatchObject({ code: 2, stdout: "" });
    for (const words of [["--list"], ["--show", "1"], ["--undo", "1", "--dry-run"], ["--undo", "1"]]) {
      const { code, stdout } = await command(...words);
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/[^\n\P{Cc}]/u);
    }
    const [listed] = JSON.parse((await command("--list", "--json")).stdout);
    expect(Object.entries(listed).flat().slice(0, 2)).toEqual(["import_id", 1]);
    expect(listed).toMatchObject({ format: "netscape", added: 1, updated: 0, skipped: 0, refused: 0 });
    expect(listed.undone_at).toMatch(/^20\d\d-.*Z$/);
  });
});
