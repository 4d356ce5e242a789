import { afterAll, describe, expect, test } from "bun:test";
import { quoted } from "../../../src/command-name.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { fill } from "../../support/records/bookmarks.ts";
import { makeCopy } from "../../support/records/copies.ts";
import { makeMark } from "../../support/records/marks.ts";
import { COMMAND, run, startServer, temporaryFolder } from "../../support/server/server.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const EXPORT = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><A HREF="https://example.com/">Example</A></DL>`;

describe("A command", () => {
  test("hints at a command that can be run as it is printed", async () => {
    const path = folder.file("it's ours.db");
    const words = ["import", "-", "--database-url", `sqlite:${path}`];
    await fill(`sqlite:${path}`, 1);
    const { stdout } = await run(words, { stdin: EXPORT });
    const hint = /^To undo it: (.*)$/m.exec(stdout)?.[1] ?? "";
    expect(hint).toStartWith(`${quoted(COMMAND)} `);
    const child = Bun.spawn(["sh", "-c", hint], { env: { PATH: "/usr/bin:/bin" }, stdout: "pipe" });
    expect(await new Response(child.stdout).text()).toContain("1 removed");
    expect(await child.exited).toBe(0);
  });

  test("that is unknown is a usage error, also with --help", async () => {
    for (const words of [["foo"], ["foo", "--help"], ["foo", "-h"]])
      expect(await run(words)).toMatchObject({
        code: 2,
        stdout: "",
        stderr: "error: unknown command 'foo'\n",
      });
    for (const words of [["--help"], ["import", "--help"]])
      expect(await run(words)).toMatchObject({ code: 0, stderr: "" });
  });

  test("reports all invalid settings at once, each in one line", async () => {
    const env = { PORT: "x", WORKERS: "0", DATABASE_URL: "mysql://me:secret@localhost/x" };
    expect(await run(["serve"], { env })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: [
        'commonplace: PORT: "x" is not an integer from 0 to 65535.',
        "commonplace: DATABASE_URL: must be sqlite: followed by a file path, or a URL that starts with postgres://.",
        'commonplace: WORKERS: "0" is not an integer from 1 to 256.',
        "",
      ].join("\n"),
    });
  });

  test("says in one line that a folder for temporary files is missing", async () => {
    const env = { DATABASE_URL: `sqlite:${folder.file("any.db")}`, TMPDIR: folder.file("nowhere") };
    await fill(env.DATABASE_URL, 1);
    for (const words of [
      ["import", "-"],
      ["backup", "-"],
    ]) {
      const { code, stderr } = await run(words, { env, stdin: EXPORT });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^commonplace: .*(?:TMPDIR|nowhere).*\.\n$/);
    }
  });

  test("explains errors in a PostgreSQL URL: a slash or a percent sign in the password, a host that is down, one that is unknown", async () => {
    // Too long a name to ask any name server for.
    const unknown = `${"x".repeat(64)}.invalid`;
    const messages = {
      "postgres://me:a/b@127.0.0.1/x": "write / as %2F",
      "postgres://me:12/34@127.0.0.1/x": "write / as %2F",
      "postgres://me:50%secret@127.0.0.1:1/x": "% as %25",
      "postgres://me:secret@127.0.0.1:1/x": "nothing listens at 127.0.0.1:1",
      [`postgres://me:secret@${unknown}/x`]: `the host ${unknown} is unknown`,
    };
    for (const [url, message] of Object.entries(messages)) {
      for (const words of [["account", "list"], ["check"], ["move", "--to", "sqlite:new.db"]]) {
        const { stderr } = await run(words, { env: { DATABASE_URL: url } });
        expect(stderr).toContain(message);
        expect(stderr).not.toContain("secret");
      }
    }
  });

  test("uses the singular for one bookmark", async () => {
    const [from, to, copy] = ["one.db", "restored.db", "copy.db"].map((name) => folder.file(name));
    await fill(`sqlite:${from}`, 1);
    const backup = await run(["backup", "--database-url", `sqlite:${from}`, String(copy)]);
    expect(backup.stdout).toContain(": 1 bookmark, 0 posts, 0 comments, 0 accounts;");
    const exported = await run(["export", "--database-url", `sqlite:${from}`, folder.file("one.html")]);
    expect(exported.stdout).toStartWith("Exported 1 bookmark from ");
    const { stdout } = await run(["restore", "--database-url", `sqlite:${to}`, String(copy)]);
    expect(stdout).toContain(": 1 bookmark, 0 posts, 0 accounts.");
  });

  test("says how many copies and marks of pages are in an archive", async () => {
    const url = `sqlite:${folder.file("copies.db")}`;
    await fill(url, 1);
    const database = await openDatabase(url);
    const [bookmark] = await database.read<{ id: number }>`select id from bookmarks`;
    const id = Number(bookmark?.id);
    for (const words of ["Two words", "Three more words"]) await makeCopy(database, id, words);
    await makeMark(database, id, "words");
    await database.close();
    const words = ["export", "--database-url", url, "--format", "archive", folder.file("all.zip")];
    expect((await run(words)).stdout).toStartWith(
      "Exported 1 bookmark, 0 posts, 0 comments, 0 images, 2 copies of pages, 1 mark from ",
    );
  });
});

test("A server whose port is taken reports it, and what to do", async () => {
  const first = await startServer({ DATABASE_URL: `sqlite:${folder.file("first.db")}` });
  const env = { DATABASE_URL: `sqlite:${folder.file("second.db")}`, PORT: new URL(first.url).port };
  const { code, stderr } = await run(["serve"], { env });
  await first.kill();
  expect(code).toBe(1);
  expect(stderr).toContain("(EADDRINUSE): another program, perhaps another server, listens there.");
});
