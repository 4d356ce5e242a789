import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { checkIntegrity } from "../../support/databases/sqlite.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { Terminal } from "../../support/machine/terminal.ts";
import { until } from "../../support/machine/until.ts";
import { create, etagOf, list } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { COMMAND, run, startServer, temporaryFolder } from "../../support/server/server.ts";

const EXPORT = join(import.meta.dir, "../../data/bookmark-exports/firefox_nested.htm");
const OPEN_AND_CLOSE = join(import.meta.dir, "../../support/databases/open-and-close.ts");

const made = temporaryFolder();
const original = made.file("commonplace.db");

beforeAll(async () => {
  expect((await run(["import", EXPORT, "--database-url", `sqlite:${original}`])).code).toBe(1);
});
afterAll(() => made[Symbol.dispose]());

/** A folder with a database of 21 bookmarks, and the command on it. */
function site() {
  const folder = temporaryFolder();
  const path = folder.file("data/commonplace.db");
  mkdirSync(folder.file("data"), { mode: 0o700 });
  copyFileSync(original, path);
  const env = { DATABASE_URL: `sqlite:${path}` };
  const command = (...words: string[]) => run(words, { env, cwd: folder.path });
  return { folder, path, env, command, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

function valueIn(path: string, query: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    return Object.values(database.prepare(query).get() ?? {})[0];
  } finally {
    database.close();
  }
}

const countOf = (path: string) => valueIn(path, "select count(*) from bookmarks");
const epochOf = (path: string) => valueIn(path, "select value from meta where name = 'epoch'");

/** What is beside a database: the empty file that servers lock, the room that they set aside, and the date of the last backup. */
const BESIDE = /-(?:server|reserve|backed-up)$/;

describe("commonplace backup", () => {
  test("writes one intact file that only its owner may read, and no side files", async () => {
    using there = site();
    mkdirSync(there.folder.file("backups"));
    const target = there.folder.file("backups/today.db");
    const { code, stdout, stderr } = await there.command("backup", "backups/today.db");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Backed up \S+commonplace\.db to \S+today\.db: 21 bookmarks, .* checked\.\n$/);
    expect(readdirSync(there.folder.file("backups"))).toEqual(["today.db"]);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect([countOf(target), epochOf(target)]).toEqual([21, epochOf(there.path)]);
    checkIntegrity(target);
    // Opening it to read made no write-ahead log: it stands alone.
    expect(readdirSync(there.folder.file("backups"))).toEqual(["today.db"]);
  });

  test("replaces a file only with --force, and never anything but a backup", async () => {
    using there = site();
    writeFileSync(there.folder.file("kept.db"), "kept");
    expectRefused(
      await there.command("backup", "kept.db"),
      1,
      /kept\.db already exists; --force replaces it\./,
    );
    expect(readFileSync(there.folder.file("kept.db"), "utf8")).toBe("kept");
    writeFileSync(there.folder.file("kept.db-wal"), "a log");
    expectRefused(await there.command("backup", "--force", "kept.db"), 1, /is a database in use, or was/);
    expect(await there.command("backup", "--force", "other.db")).toMatchObject({ code: 0 });
    writeFileSync(there.folder.file("other.db"), "kept");
    expect(await there.command("backup", "--force", "other.db")).toMatchObject({ code: 0, stderr: "" });
    expect(countOf(there.folder.file("other.db"))).toBe(21);
  });

  test("never writes over the database itself, by whatever name it is called", async () => {
    using there = site();
    const before = readFileSync(there.path);
    symlinkSync(there.path, there.folder.file("symbolic.db"));
    linkSync(there.path, there.folder.file("hard.db"));
    for (const name of [there.path, "symbolic.db", "hard.db"])
      expectRefused(await there.command("backup", "--force", name), 1, /is the database itself\.\n$/);
    expect(readFileSync(there.path)).toEqual(before);
  });

  test.each([
    ["a folder that is not there", "nowhere/x.db", 1, /^commonplace: There is no folder \S+nowhere\.\n$/],
    ["a folder", ".", 1, /is a folder, not a file\.\n$/],
    ["a place where nothing can be written", "/proc/x.db", 1, /^commonplace: \/proc\/x\.db [^\n]+\n$/],
    ["a device", "/dev/null", 1, /is not a regular file/],
  ] as const)("says in one line why it cannot write to %s", async (_, target, code, says) => {
    using there = site();
    expectRefused(await there.command("backup", target), code, says);
    expect(readdirSync(there.folder.path)).toEqual(["data"]);
  });

  test("explains the alternative on PostgreSQL, and reports a missing database", async () => {
    using folder = temporaryFolder();
    for (const command of ["backup", "restore"]) {
      const env = { DATABASE_URL: "postgres://localhost/none" };
      const says = new RegExp(
        `use ${command === "backup" ? "pg_dump" : "pg_restore"} .*docs/operations\\.md`,
      );
      expectRefused(await run([command, folder.file("x")], { env }), 2, says);
    }
    const env = { DATABASE_URL: `sqlite:${folder.file("none.db")}` };
    expectRefused(await run(["backup", folder.file("x")], { env }), 1, /No database at \S+none\.db\.\n$/);
    new DatabaseSync(folder.file("none.db")).exec("create table theirs (a)");
    expectRefused(await run(["backup", folder.file("x")], { env }), 1, /belongs to another program/);
    expect(readdirSync(folder.path)).toEqual(["none.db"]);
  });

  test("writes to a pipe with -, but not to a terminal", async () => {
    using there = site();
    const piped = Bun.spawn(
      ["sh", "-c", '"$0" backup - | "$0" restore --database-url sqlite:copy.db -', COMMAND],
      {
        cwd: there.folder.path,
        env: { PATH: process.env.PATH ?? "", ...there.env },
        stdio: ["ignore", "ignore", "ignore"],
      },
    );
    expect(await piped.exited).toBe(0);
    expect(countOf(there.folder.file("copy.db"))).toBe(21);
    using terminal = new Terminal(["backup", "-"], there.env);
    await terminal.shows("Cannot write a backup to a terminal");
    expect(await terminal.exited).toBe(2);
    using other = new Terminal(["restore", "-"], there.env);
    await other.shows("Cannot read a backup from a terminal");
    expect(await other.exited).toBe(2);
  });

  test("refuses to back up a damaged database", async () => {
    using there = site();
    // A page in the middle, of a table or an index.
    const bytes = readFileSync(there.path);
    bytes.fill(0xff, 8 * 4096, 9 * 4096);
    writeFileSync(there.path, bytes);
    const ran = await there.command("backup", "x.db");
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(/^commonplace: The (copy|backup) [^\n]+\n$/);
    expect(readdirSync(there.folder.path)).toEqual(["data"]);
  });
});

describe("commonplace restore", () => {
  test("creates a missing database, with a new epoch", async () => {
    using there = site();
    await there.command("backup", "b.db");
    const path = there.folder.file("new/place/c.db");
    const ran = await there.command("restore", "b.db", "--database-url", `sqlite:${path}`);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^Restored \S+c\.db from b\.db: 21 bookmarks, 0 posts, 0 accounts\.\n$/);
    expect(countOf(path)).toBe(21);
    expect(epochOf(path)).not.toBe(epochOf(there.path));
    expect([path, there.folder.file("new/place")].map((name) => statSync(name).mode & 0o777)).toEqual([
      0o600, 0o700,
    ]);
    expect(readdirSync(there.folder.file("new/place"))).toEqual(["c.db"]);
  });

  test("replaces a database only with --force, keeps the old one intact, and reuses none of its ids", async () => {
    using there = site();
    await there.command("backup", "b.db");
    const server = await startServer(there.env);
    const tag = await etagOf(sendTo(server.url), "/bookmarks/1");
    const { id } = await create(sendTo(server.url), { title: "since" });
    await server.kill();
    expect(statSync(`${there.path}-wal`).size).toBePositive();

    expectRefused(
      await there.command("restore", "b.db"),
      1,
      /already exists; --force replaces it and keeps it/,
    );
    const { code, stdout } = await there.command("restore", "--force", "b.db");
    expect(code).toBe(0);
    const kept = /^The replaced database is kept as (\S+)\.$/m.exec(stdout)?.[1] ?? "";
    expect(kept).toMatch(/commonplace\.db\.replaced-\d{8}T\d{9}Z$/);
    // The replaced database is one file, with what was only in its write-ahead log.
    expect([countOf(there.path), countOf(kept)]).toEqual([21, 22]);
    const files = readdirSync(there.folder.file("data")).filter((name) => !BESIDE.test(name));
    expect(files).toHaveLength(2);
    const again = await startServer(there.env);
    const send = sendTo(again.url);
    expect((await send("/bookmarks/1", { headers: { "if-none-match": tag } })).status).toBe(200);
    expect((await create(send)).id).toBeGreaterThan(id);
    expect(await again.stop()).toBe(0);
  });

  test("refuses while a server has the database open, idle or not", async () => {
    using there = site();
    await there.command("backup", "b.db");
    const server = await startServer(there.env);
    expectRefused(
      await there.command("restore", "--force", "b.db"),
      1,
      /is in use by .*stop the server first\.\n$/,
    );
    expect(await list(sendTo(server.url))).toHaveLength(21);
    expect(await server.stop()).toBe(0);
    expect(await there.command("restore", "--force", "b.db")).toMatchObject({ code: 0 });
  });

  test.skipIf(process.platform !== "linux")(
    "makes processes that open the database during the restore use the new one",
    async () => {
      using there = site();
      const next = there.folder.file("next.db");
      await there.command("backup", "next.db");
      const locked = new DatabaseSync(there.path);
      // Less than a restore's lock, which lets nobody open the file at all: this one lets others come as far as
      // their first write.
      locked.exec("pragma journal_mode = delete; begin immediate");
      const opening = Bun.spawn([process.execPath, OPEN_AND_CLOSE, there.path], { stderr: "pipe" });
      const descriptors = `/proc/${opening.pid}/fd`;
      await until("it has the old file open", async () => openFiles(descriptors).includes(there.path));
      await Bun.$`mv ${there.path} ${there.path}.replaced && mv ${next} ${there.path}`.quiet();
      locked.close();
      expect([await opening.exited, await new Response(opening.stderr).text()]).toEqual([0, ""]);
      expect(valueIn(`${there.path}.replaced`, "pragma journal_mode")).toBe("delete");
      expect(valueIn(there.path, "pragma journal_mode")).toBe("wal");
    },
  );

  test("refuses an invalid or damaged backup, and does not change the database", async () => {
    using there = site();
    await there.command("backup", "b.db");
    const bytes = readFileSync(there.folder.file("b.db"));
    writeFileSync(there.folder.file("half.db"), bytes.subarray(0, bytes.length / 2));
    writeFileSync(there.folder.file("bent.db"), Buffer.from(bytes).fill(0xff, 8 * 4096, 9 * 4096));
    writeFileSync(there.folder.file("empty.db"), "");
    writeFileSync(there.folder.file("text.db"), "no database ".repeat(1_000));
    const theirs = new DatabaseSync(there.folder.file("theirs.db"));
    theirs.exec("create table theirs (a)");
    theirs.close();
    copyFileSync(there.path, there.folder.file("newer.db"));
    const newer = new DatabaseSync(there.folder.file("newer.db"));
    newer.exec("update meta set value = 'later' where name = 'schema'");
    newer.close();
    copyFileSync(there.path, there.folder.file("moved.db"));
    const moved = new DatabaseSync(there.folder.file("moved.db"));
    moved.exec("insert into meta values ('moved_to', 'postgres://db.example.com/links')");
    moved.close();
    writeFileSync(there.folder.file("logged.db"), bytes);
    writeFileSync(there.folder.file("logged.db-wal"), "some of it");
    symlinkSync(there.folder.file("logged.db"), there.folder.file("linked.db"));
    const before = epochOf(there.path);
    for (const [file, code, says] of [
      ["nowhere.db", 2, /does not exist/],
      ["half.db", 1, /is damaged/],
      ["bent.db", 1, /is damaged/],
      ["empty.db", 2, /is empty/],
      ["text.db", 2, /is not a SQLite database/],
      ["theirs.db", 1, /belongs to another program/],
      ["newer.db", 1, /newer\.db has the schema of another version of Commonplace/],
      ["moved.db", 1, /was moved to postgres:\/\/db\.example\.com\/links/],
      ["logged.db", 1, /write-ahead log next to it/],
      ["linked.db", 1, /write-ahead log next to it/],
      [there.path, 1, /is the database itself/],
    ] as const)
      expectRefused(await there.command("restore", "--force", file), code, says);
    expect([countOf(there.path), epochOf(there.path)]).toEqual([21, before]);
    expect(readdirSync(there.folder.file("data")).filter((name) => !BESIDE.test(name))).toEqual([
      "commonplace.db",
    ]);
  });

  test("renames a damaged database with its log, and an orphaned log, too", async () => {
    using there = site();
    await there.command("backup", "b.db");
    writeFileSync(there.path, "damaged ".repeat(1_000));
    writeFileSync(`${there.path}-wal`, "its log");
    expect(await there.command("restore", "--force", "b.db")).toMatchObject({ code: 0, stderr: "" });
    expect(countOf(there.path)).toBe(21);
    const kept = readdirSync(there.folder.file("data")).filter((name) => name.includes("replaced"));
    const kinds = kept.map((name) => name.replace(/replaced-\w+/, "replaced"));
    expect(kinds.toSorted()).toEqual(["commonplace.db.replaced", "commonplace.db.replaced-wal"]);
    const alone = there.folder.file("alone.db");
    writeFileSync(`${alone}-wal`, "a log of nothing");
    expect(await there.command("restore", "b.db", "--database-url", `sqlite:${alone}`)).toMatchObject({
      code: 0,
    });
    expect([existsSync(`${alone}-wal`), countOf(alone)]).toEqual([false, 21]);
  });

  test("replaces the target of a symbolic link, not the link", async () => {
    using there = site();
    await there.command("backup", "b.db");
    symlinkSync(there.path, there.folder.file("link.db"));
    const url = `sqlite:${there.folder.file("link.db")}`;
    const before = epochOf(there.path);
    expect(await there.command("restore", "--force", "b.db", "--database-url", url)).toMatchObject({
      code: 0,
    });
    expect(readlinkSync(there.folder.file("link.db"))).toBe(there.path);
    expect(epochOf(there.path)).not.toBe(before);
    expect(readdirSync(there.folder.file("data")).filter((name) => !BESIDE.test(name))).toHaveLength(2);
  });

  test("never touches another program's database", async () => {
    using there = site();
    await there.command("backup", "b.db");
    const path = there.folder.file("theirs.db");
    const theirs = new DatabaseSync(path);
    theirs.exec("create table theirs (a)");
    theirs.close();
    const ran = await there.command("restore", "--force", "b.db", "--database-url", `sqlite:${path}`);
    expectRefused(ran, 1, /is a SQLite database that belongs to another program/);
    expect(valueIn(path, "select count(*) from theirs")).toBe(0);
  });
});

function openFiles(descriptors: string): string[] {
  return readdirSync(descriptors).flatMap((name) => {
    try {
      return readlinkSync(`${descriptors}/${name}`);
    } catch {
      return [];
    }
  });
}
