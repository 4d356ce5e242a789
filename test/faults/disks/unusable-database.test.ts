import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { create } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

/** Takes the capability to write to read-only files from a superuser; other users do not have it. */
const bound = process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

describe("A database that cannot be used is reported in one line, with an exit code, and not changed:", () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());

  test("a file that is not a database", async () => {
    const path = folder.file("notes.txt");
    writeFileSync(path, "Milk, bread, a new bicycle.\n".repeat(100));
    await expectRefusal(path, `${path} is not a SQLite database`);
  });

  test("a file that is too short to be a database", async () => {
    const path = folder.file("short.txt");
    writeFileSync(path, "milk\n");
    await expectRefusal(path, `${path} is not a SQLite database`);
  });

  test("a database of another program", async () => {
    const path = folder.file("other.db");
    const other = new DatabaseSync(path);
    other.exec("create table bookmarks (id integer primary key, address text)");
    other.exec("insert into bookmarks (address) values ('https://example.com/')");
    other.close();
    await expectRefusal(path, `${path} is a SQLite database that belongs to another program`);
  });

  test("a database of another program in WAL mode, with a log that is not checkpointed", async () => {
    const path = folder.file("other-wal.db");
    const other = new DatabaseSync(path);
    other.exec("pragma journal_mode = wal; create table things (name text)");
    await expectRefusal(path, `${path} is a SQLite database that belongs to another program`);
    expect(existsSync(`${path}-wal`)).toBeTrue();
    other.exec("insert into things values ('still mine')");
    other.close();
  });

  test("a database with the schema of another version", async () => {
    const path = await databaseOfOurs(folder.file("newer.db"));
    const database = new DatabaseSync(path);
    database.exec("update meta set value = 'of-later' where name = 'schema'");
    database.close();
    await expectRefusal(path, "The database has the schema of another version of Commonplace (of-later;", {
      code: 2,
    });
  });

  test("a database from before the first schema", async () => {
    const path = await databaseOfOurs(folder.file("before.db"));
    const database = new DatabaseSync(path);
    database.exec(`delete from meta where name = 'schema'; create table migrations (number integer, name text);
      insert into migrations values (1, 'foundation')`);
    database.close();
    await expectRefusal(
      path,
      "The database is of commit 73274df2 or another one before commit fa370e7d, which takes that of 73274df2 along: start fa370e7d with it once, then this version.",
      { code: 2 },
    );
  });

  test("a folder", async () => {
    mkdirSync(folder.file("folder.db"));
    const path = folder.file("folder.db");
    await expectRefusal(path, `${path} cannot be opened: it is a folder; name a file in it.`);
  });

  test("a read-only file", async () => {
    const path = await databaseOfOurs(folder.file("read-only.db"));
    chmodSync(path, 0o444);
    const reason = `cannot be written to: this user may not read and write ${path};`;
    await expectRefusal(path, `${path} ${reason}`, { under: bound });
  });

  test("a file in a read-only folder", async () => {
    mkdirSync(folder.file("read-only"));
    const path = await databaseOfOurs(folder.file("read-only/test.db"));
    chmodSync(path, 0o444);
    chmodSync(folder.file("read-only"), 0o555);
    await expectRefusal(path, `${path} cannot be`, { under: bound });
    chmodSync(folder.file("read-only"), 0o755);
  });

  test("a new file in a read-only folder", async () => {
    const locked = folder.file("locked");
    mkdirSync(locked, { mode: 0o555 });
    for (const path of [`${locked}/new.db`, `${locked}/new/folder/new.db`]) {
      const reason = `cannot be opened: this user may not read and write ${locked};`;
      await expectRefusal(path, `${path} ${reason}`, { under: bound });
    }
    expect(existsSync(`${locked}/new.db`)).toBeFalse();
    chmodSync(locked, 0o755);
  });
});

describe("A database that can be used", () => {
  test("may be an empty file", async () => {
    using folder = temporaryFolder();
    const path = folder.file("empty.db");
    writeFileSync(path, "");
    const server = await startServer({ DATABASE_URL: `sqlite:${path}` });
    await create(sendTo(server.url));
    expect(await server.stop()).toBe(0);
  });

  test("is created with its folder, and readable only by its owner", async () => {
    using folder = temporaryFolder();
    const path = folder.file("a/b/test.db");
    const server = await startServer({ DATABASE_URL: `sqlite:${path}` });
    await create(sendTo(server.url));
    for (const file of [path, `${path}-wal`, `${path}-shm`]) expect(modeOf(file)).toBe("600");
    for (const made of ["a", "a/b"]) expect(modeOf(folder.file(made))).toBe("700");
    expect(await server.stop()).toBe(0);
  });
});

/** Starts the server on a database. It must refuse it in one line and change nothing. */
async function expectRefusal(
  path: string,
  says: string,
  { code: expected = 1, under = [] }: { code?: 1 | 2; under?: readonly string[] } = {},
): Promise<string> {
  const before = contentsOf(path);
  const env = { PORT: "0", DATABASE_URL: `sqlite:${path}` };
  const { code, stdout, stderr } = await run(["serve"], { env, under });
  expect({ code, stdout }).toEqual({ code: expected, stdout: "" });
  expect(stderr).toMatch(/^commonplace: [^\n]+\n$/);
  expect(stderr).toContain(says);
  expect(contentsOf(path)).toEqual(before);
  return stderr;
}

/** Makes a database with a server, which then closes it. */
async function databaseOfOurs(path: string): Promise<string> {
  const server = await startServer({ DATABASE_URL: `sqlite:${path}` });
  await create(sendTo(server.url));
  await server.stop();
  return path;
}

function contentsOf(path: string): string | undefined {
  try {
    return readFileSync(path).toString("base64");
  } catch {
    return undefined;
  }
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
