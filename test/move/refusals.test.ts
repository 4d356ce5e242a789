import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { everything, fillFile, inFile, makeEmpty, move } from "../support/databases/moving.ts";
import {
  type Cluster,
  createDatabase,
  createLatinDatabase,
  sharedCluster,
} from "../support/databases/postgres.ts";
import { expectRefused } from "../support/machine/commands.ts";
import { run, temporaryFolder } from "../support/server/server.ts";

const PASSWORD = /a(?::|%3A)secret/i;

describe("commonplace move", () => {
  const toEnd = new AsyncDisposableStack();
  let cluster: Cluster;
  let folder: ReturnType<typeof temporaryFolder>;
  let source: string;
  let before: ReturnType<typeof everything>;

  beforeAll(async () => {
    cluster = await sharedCluster();
    folder = toEnd.use(temporaryFolder());
    source = `sqlite:${folder.file("source.db")}`;
    await makeEmpty(source);
    fillFile(source, { bookmarks: 5, posts: 5 });
    before = everything(source);
  });
  afterAll(() => toEnd.disposeAsync());

  const emptyDatabase = async () => toEnd.use(await createDatabase(cluster));
  /** A place for a SQLite file where there is none yet. */
  let place: string;
  let places = 0;
  beforeEach(() => {
    place = folder.file(`target-${++places}.db`);
  });

  /** Nothing was moved: one line says so, there is no file, and the source is as it was. */
  async function expectNothingMoved(
    ...[from, to, code, says]: [string, string, 1 | 2, RegExp]
  ): Promise<void> {
    const ran = await move(from, to);
    expectRefused(ran, code, says);
    expect(ran.stderr).not.toMatch(PASSWORD);
    expect(everything(source)).toEqual(before);
  }

  test("refuses a PostgreSQL database that a server was started on", async () => {
    const { url } = await emptyDatabase();
    await makeEmpty(url);
    await expectNothingMoved(
      source,
      url,
      1,
      /is not empty: it has accounts, .* and \d+ more\. Nothing was moved\.$/m,
    );
  });

  test("refuses a PostgreSQL database of another program, and leaves it as it is", async () => {
    const { url, name } = await emptyDatabase();
    const sql = cluster.connect(name);
    await sql`create table shopping (item text)`;
    await sql`insert into shopping values ('milk')`;
    await expectNothingMoved(source, url, 1, /is not empty: it has shopping\. Nothing was moved\.$/m);
    expect([...(await sql`select item from shopping`)]).toEqual([{ item: "milk" }]);
    await sql.close();
  });

  test("ignores objects of an extension in the schema", async () => {
    const { url, name } = await emptyDatabase();
    const sql = cluster.connect(name);
    const [extension] = await sql`
      select name from pg_available_extensions where name in ('pg_stat_statements', 'pg_buffercache') limit 1`;
    if (extension === undefined) return console.log("This PostgreSQL has no extension with a view to try.");
    await sql.unsafe(`create extension ${extension.name}`);
    await sql.close();
    const other = `sqlite:${folder.file("extended.db")}`;
    await makeEmpty(other);
    expect(await move(other, url)).toMatchObject({ code: 0, stderr: "" });
  });

  test("refuses any existing file", async () => {
    writeFileSync(place, "somebody's");
    await expectNothingMoved(
      source,
      `sqlite:${place}`,
      1,
      /target-\d+\.db already exists.* Nothing was moved\.$/m,
    );
    expect(readFileSync(place, "utf8")).toBe("somebody's");
    await expectNothingMoved(source, source, 1, /source\.db already exists/);
  });

  test("refuses a source that does not exist, or is not a database of this program", async () => {
    await expectNothingMoved(`sqlite:${folder.file("nowhere.db")}`, `sqlite:${place}`, 1, /No database at/);
    const other = `sqlite:${folder.file("other.db")}`;
    inFile(other, (file) => file.exec("create table shopping (item text)"));
    await expectNothingMoved(
      other,
      `sqlite:${place}`,
      1,
      /other\.db is a SQLite database that belongs to another program/,
    );
    const { url } = await emptyDatabase();
    await expectNothingMoved(url, `sqlite:${place}`, 1, /postgres:.* is not a Commonplace database/);
    expect(existsSync(place)).toBe(false);
  });

  test("refuses a source with the schema of another version", async () => {
    const newer = `sqlite:${folder.file("newer.db")}`;
    await makeEmpty(newer);
    inFile(newer, (file) => file.exec("update meta set value = 'later' where name = 'schema'"));
    await expectNothingMoved(
      newer,
      `sqlite:${place}`,
      1,
      /newer\.db has the schema of another version of Commonplace \(later;/,
    );
  });

  test("refuses a server that cannot be reached, and a password that is wrong, without showing one", async () => {
    const url = "postgres://me:a:secret@127.0.0.1:1/links";
    await expectNothingMoved(
      source,
      url,
      1,
      /^commonplace: postgres:\/\/127\.0\.0\.1:1\/links cannot be used: nothing listens at 127\.0\.0\.1:1\. .*\. Nothing was moved\.$/m,
    );
    const { name } = await emptyDatabase();
    const wrong = cluster.server.url(name).replace("%40of", "not");
    await expectNothingMoved(
      source,
      wrong,
      1,
      /^commonplace: postgres:\/\/127\.0\.0\.1:\d+\/test_\d+_\d+ cannot be used: password authentication failed/,
    );
  });

  test("reports a missing database", async () => {
    const absent = cluster.server.url("no_such_database");
    await expectNothingMoved(
      source,
      absent,
      1,
      /cannot be used: database "no_such_database" does not exist\./,
    );
  });

  test("refuses a target that cannot store every text", async () => {
    const latin = await createLatinDatabase(cluster);
    await expectNothingMoved(
      source,
      latin,
      1,
      /its encoding is LATIN1, but it must be UTF8: create it with /,
    );
  });

  test("refuses text with U+0000 for PostgreSQL, and names the record", async () => {
    const odd = `sqlite:${folder.file("odd.db")}`;
    await makeEmpty(odd);
    fillFile(odd, { bookmarks: 9, posts: 0 });
    inFile(odd, (file) => file.exec("update bookmarks set description = 'a' || char(0) || 'b' where id = 7"));
    const { url } = await emptyDatabase();
    await expectNothingMoved(odd, url, 1, /U\+0000 in texts, and bookmarks 7 has one/);
  });

  test("exits with 2 after a wrong call", async () => {
    const { DATABASE_URL, TARGET_DATABASE_URL } = {
      DATABASE_URL: source,
      TARGET_DATABASE_URL: `sqlite:${place}`,
    };
    expectRefused(await run(["move"], { env: { DATABASE_URL } }), 2, /^commonplace: --to: missing/);
    const wrong = await run(["move", "--to", "mysql://me:a:secret@x/y"], { env: { DATABASE_URL } });
    expectRefused(wrong, 2, /^commonplace: --to: must be sqlite:/);
    expect(wrong.stderr).not.toMatch(PASSWORD);
    const both = await run(["move", "--reopen", "--to", TARGET_DATABASE_URL], { env: { DATABASE_URL } });
    expectRefused(both, 2, /--reopen cannot be combined with --to/);
    const absent = { DATABASE_URL, TARGET_DATABASE_URL_FILE: folder.file("no-file") };
    expectRefused(await run(["move"], { env: absent }), 2, /TARGET_DATABASE_URL_FILE: .* cannot be read/);
    expectRefused(await run(["move", "--reopen"], { env: { DATABASE_URL } }), 1, /was not moved/);
  });

  test("reads both from the environment, secrets also from files, and shows no password", async () => {
    const { url } = await emptyDatabase();
    const [from, to] = [folder.file("from"), folder.file("to")];
    const other = `sqlite:${folder.file("moved.db")}`;
    await makeEmpty(other);
    writeFileSync(from, `${other}\n`);
    writeFileSync(to, `${url}\n`);
    const env = { DATABASE_URL_FILE: from, TARGET_DATABASE_URL_FILE: to };
    const { code, stdout, stderr } = await run(["move"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /^Moved sqlite:.*moved\.db to postgres:\/\/127\.0\.0\.1:\d+\/test_\d+_\d+ in [\d.]+ s\./,
    );
    expect(stdout).toMatch(/^bookmarks {2,}0 {2,}[0-9a-f]{64}$/m);
    expect(stdout).not.toMatch(PASSWORD);
    const again = await run(["move"], { env });
    expectRefused(again, 1, /is not empty/);
    const elsewhere = await move(other, `sqlite:${place}`);
    expectRefused(elsewhere, 1, /moved\.db was moved to postgres:\/\/127.*: later changes are only there/);
    expect(elsewhere.stderr).not.toMatch(PASSWORD);
  });

  test("leaves a database whose backups cannot be restored, since they are older than the new database", async () => {
    const other = `sqlite:${folder.file("kept.db")}`;
    await makeEmpty(other);
    expect(await move(other, `sqlite:${place}`)).toMatchObject({ code: 0 });
    const env = { DATABASE_URL: other };
    expect(await run(["backup", folder.file("kept.backup")], { env })).toMatchObject({ code: 0 });
    const elsewhere = { DATABASE_URL: `sqlite:${folder.file("restored.db")}` };
    const restored = await run(["restore", folder.file("kept.backup")], { env: elsewhere });
    expectRefused(
      restored,
      1,
      /kept\.backup is a backup of a database that was moved to sqlite:.*target-\d+\.db/,
    );
    expect(existsSync(folder.file("restored.db"))).toBe(false);
  });
});
