import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { TOKEN_SCOPES } from "../../../src/accounts/scope.ts";
import { checkDatabase } from "../../../src/checks/check-database.ts";
import { repairCounters } from "../../../src/checks/counters-check.ts";
import { CHECKS, type Finding } from "../../../src/checks/finding.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { inspectDatabase } from "../../../src/database/open-inspection.ts";
import { connect } from "../../../src/database/postgres/connect.ts";
import { expectRefused } from "../../support/machine/commands.ts";
import { makeToken, withToken } from "../../support/records/accounts.ts";
import { create, fill } from "../../support/records/bookmarks.ts";
import { makeMember, PASSWORD, SESSION } from "../../support/requests/sign-in.ts";
import { type AppService, describeApp } from "../../support/server/contract.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

const EXPORT = join(import.meta.dir, "../../data/bookmark-exports/firefox_nested.htm");

async function look(url: string): Promise<Finding[]> {
  const inspection = await inspectDatabase(url);
  try {
    return await checkDatabase(inspection);
  } finally {
    await inspection.close();
  }
}

async function problemsIn(url: string): Promise<string[]> {
  const findings = await look(url);
  return findings
    .filter(({ status }) => status === "problem")
    .map(({ check, detail }) => `${check}: ${detail}`);
}

/** A database with some of everything, made by the service itself. */
async function lived(
  service: AppService,
): Promise<{ url: string; send: Awaited<ReturnType<AppService["startApp"]>>["request"] }> {
  const url = await service.createDatabase();
  const app = await service.startApp({ DATABASE_URL: url });
  const account = await makeMember(app.database, "editor");
  const editor = withToken(app.request, await makeToken(app.database, account));
  await makeToken(app.database, account, { scopes: TOKEN_SCOPES });
  const first = await create(app.request);
  await app.request(`/bookmarks/${first.id}`, { method: "PATCH", json: { title: "Changed" } });
  await app.request(`/bookmarks/${(await create(app.request)).id}`, { method: "DELETE" });
  for (const published of [true, true, false])
    await editor("/api/posts/", { method: "POST", json: { title: "Post", content: "Hello.", published } });
  await editor("/api/posts/1/comments/", { method: "POST", json: { text: "First" } });
  await editor("/api/posts/2/", { method: "DELETE" });
  await app.request(SESSION, { method: "POST", json: { username: "editor", password: PASSWORD } });
  return { url, send: app.request };
}

function isSqlite(url: string): boolean {
  return url.startsWith("sqlite:");
}

/** Runs statements that no program of ours would. */
async function tamper(url: string, statements: readonly string[]): Promise<void> {
  if (isSqlite(url)) {
    const database = new DatabaseSync(url.slice("sqlite:".length), { enableForeignKeyConstraints: false });
    for (const statement of statements) database.exec(statement);
    database.close();
  } else {
    const client = connect(url, { max: 1, connectTimeout: 10_000, settings: {} });
    for (const statement of statements) await client.unsafe(statement);
    await client.close();
  }
}

describeApp("Checking a database", (service) => {
  test("finds nothing wrong with what the service has written", async () => {
    const { url } = await lived(service);
    const findings = await look(url);
    expect(findings.filter(({ status }) => status === "problem")).toEqual([]);
    const checks = new Set(findings.map(({ check }) => check));
    expect([...checks]).toEqual(
      CHECKS.filter(
        (check) => check !== "settings" && check !== "media" && (check !== "files" || isSqlite(url)),
      ),
    );
  });

  test("finds nothing wrong where the sessions of the server have another time zone", async () => {
    const { url } = await lived(service);
    if (!isSqlite(url))
      await tamper(url, [
        `alter database "${new URL(url).pathname.slice(1)}" set timezone to 'Asia/Kathmandu'`,
      ]);
    expect((await look(url)).filter(({ status }) => status === "problem")).toEqual([]);
  });

  test("notes records of a clock that was ahead for a while, by however much", async () => {
    const { url } = await lived(service);
    const HOUR = 60 * 60 * 1000;
    for (const [ahead, status] of [
      [0, "ok"],
      [24 * HOUR, "note"],
      [70 * 366 * 24 * HOUR, "note"],
    ] as const) {
      const at = new Date(Date.now() + ahead);
      await tamper(url, [
        // A session's time never goes back in a process, also where another test has set the clock forward.
        "delete from sessions",
        `update tokens set created_at = ${isSqlite(url) ? at.getTime() : `'${at.toISOString()}'`}`,
      ]);
      const found = (await look(url)).filter(({ check }) => check === "clock");
      expect(found).toMatchObject([{ status }]);
      // What it says has the dates themselves.
      const dates = found[0]?.detail?.match(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g) ?? [];
      expect(dates[0]?.slice(0, 4)).toBe(String(new Date().getUTCFullYear()));
      if (status === "note") expect(dates[1]).toBe(at.toISOString());
    }
  });

  test("finds every problem, and leaves those of records alone when it repairs counters", async () => {
    const { url, send } = await lived(service);
    const list = async () => ({
      etag: (await send("/api/posts/")).headers.get("etag"),
      count: (await page()).count,
    });
    const page = async () => (await (await send("/api/posts/")).json()) as { count: number };
    const [start, end] = isSqlite(url)
      ? ["pragma foreign_keys = off", "pragma user_version"]
      : ["set session_replication_role = replica", "set session_replication_role = default"];
    await tamper(url, [
      // In one of its rows: on PostgreSQL each connection counts in one of its own.
      "update counters set n = n + 5 where name = 'posts:total' and slot = (select min(slot) from counters where name = 'posts:total')",
      "update counters set n = n + 1 where name = 'posts:changes'",
      "delete from counters where name = 'drafts:total'",
      "update counters set n = 0 where name = 'bookmarks:changes'",
      "update bookmarks set url = 'ftp://example.com/' where id = 1",
      "update posts set published_at = null where published",
      "update tokens set scopes = 'everything'",
      "update accounts set username_key = 'somebody'",
      "update accounts set password_hash = 'letmein'",
      "update sessions set key_sha256 = 'short'",
      isSqlite(url)
        ? "update posts set updated_at = 4000000000000 where id = 1"
        : "update posts set updated_at = '2096-10-02T07:06:40Z' where id = 1",
      isSqlite(url)
        ? "update sqlite_sequence set seq = 0 where name = 'posts'"
        : "select setval(pg_get_serial_sequence('posts', 'id'), 1, false)",
      start,
      "insert into comments (post_id, author, text, status, created_at) select 99, 'a', 't', 'shown', created_at from posts limit 1",
      end,
      "drop index bookmarks_by_age",
    ]);
    expect(await problemsIn(url)).toEqual([
      'schema: index bookmarks_by_age is missing ("commonplace check --repair" makes it again)',
      ...(isSqlite(url) ? ["integrity: rows of comments refer to missing posts"] : []),
      "references: 1 comments without their post",
      "records: 1 bookmarks whose URL is not http or https, such as 1",
      "records: 1 published posts without a date of publication, such as 1",
      "records: 1 accounts without a password hash, such as editor",
      "records: 1 sessions without a cookie hash, such as 1",
      "records: the account editor has a wrong lookup key",
      "records: tokens have the unknown scope everything",
      "records: 1 bookmarks are not as they were written, such as 1",
      "ids: posts has the id sequence at 0, but an id 3 exists",
      "counters: bookmarks:changes is 0, but there were at least 2 changes",
      "counters: drafts:total is 0, but should be 1",
      "counters: posts:total is 6, but should be 1",
    ]);
    const wrong = await list();
    expect(wrong.count).toBe(6);

    const counted = await openDatabase(url, { mustExist: true });
    expect((await repairCounters(counted)).map(({ name }) => name)).toEqual([
      "bookmarks:changes",
      "drafts:total",
      "posts:total",
    ]);
    await counted.close();
    const after = await list();
    expect(after.count).toBe(1);
    expect(after.etag).not.toBe(wrong.etag);
    const left = await problemsIn(url);
    expect(left.filter((problem) => problem.startsWith("counters"))).toEqual([]);
    expect(left).toContain("records: 1 bookmarks whose URL is not http or https, such as 1");
  });
});

describe("commonplace check", () => {
  test("exits with 0, 1 or 2, and prints lines or one JSON document, also while a server runs", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.file("data"), { mode: 0o700 });
    const path = folder.file("data/test.db");
    const env = { DATABASE_URL: `sqlite:${path}` };
    const check = (words: readonly string[] = [], more: Record<string, string> = {}) =>
      run(["check", ...words], { env: { ...env, ...more } });
    expectRefused(await check(), 1, /No database at \S+test\.db\.\n$/);
    const server = await startServer(env);
    expect((await run(["import", EXPORT], { env })).code).toBe(1);
    const { code, stdout, stderr } = await check();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toStartWith(`Checked ${path}:\n  ok        settings    set: DATABASE_URL\n`);
    expect(stdout).toEndWith("\nNo problems found.\n");

    const wrong = await check(["--json"], { PORT: "none", COMMENTS: "some" });
    expect(wrong.code).toBe(1);
    const document = JSON.parse(wrong.stdout);
    expect(document).toMatchObject({
      ok: false,
      database: path,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    expect(document.findings.slice(0, 3)).toMatchObject([
      { check: "settings", status: "problem", detail: expect.stringMatching(/^PORT: /) },
      { check: "settings", status: "problem", detail: expect.stringMatching(/^COMMENTS: /) },
      { check: "files", status: "ok" },
    ]);
    for (const words of [["--mend"], ["--database-url", "mysql:x"]])
      expect(await check(words)).toMatchObject({ code: 2, stdout: "" });

    chmodSync(path, 0o640);
    chmodSync(folder.file("data"), 0o777);
    const open = await check();
    expect(open.code).toBe(1);
    expect(open.stdout).toContain(
      `  PROBLEM   files       ${path} has mode 640: others can read it (chmod 600)\n`,
    );
    expect(open.stdout).toContain("has mode 777: others can replace the database (chmod 700)\n");
    await server.stop();
  });

  test("repairs counters with --repair and reports which", async () => {
    using folder = temporaryFolder();
    const env = { DATABASE_URL: `sqlite:${folder.file("test.db")}` };
    await fill(env.DATABASE_URL, 3);
    expect(await run(["check", "--repair"], { env })).toMatchObject({ code: 0 });
    await tamper(env.DATABASE_URL, [
      "delete from counters",
      "insert into counters values ('posts:total', 7, 2)",
    ]);
    expect((await run(["check"], { env })).code).toBe(1);
    const { code, stdout } = await run(["check", "--repair"], { env });
    expect(code).toBe(0);
    expect(stdout).toContain(
      "  repaired  counters    bookmarks:changes was 0\n" +
        "  repaired  counters    bookmarks:total was 0\n  repaired  counters    posts:total was 2\n",
    );
    expect(await run(["check"], { env })).toMatchObject({ code: 0 });
  });

  test("does not change a database with another schema", async () => {
    using folder = temporaryFolder();
    const path = folder.file("test.db");
    const env = { DATABASE_URL: `sqlite:${path}` };
    await fill(env.DATABASE_URL, 3);
    await tamper(env.DATABASE_URL, [
      "delete from counters",
      "update meta set value = 'other' where name = 'schema'",
    ]);
    const other = await run(["check", "--repair"], { env });
    expect(other.code).toBe(1);
    expect(other.stdout).toContain("The database has the schema of another version of Commonplace (other;");
    const database = new DatabaseSync(path, { readOnly: true });
    expect(database.prepare("select count(*) as n from counters").get()?.n).toBe(0);
    database.close();
  });

  test("reports damaged pages, and a changed table definition", async () => {
    using folder = temporaryFolder();
    const path = folder.file("test.db");
    const env = { DATABASE_URL: `sqlite:${path}` };
    await fill(env.DATABASE_URL, 3);
    await tamper(env.DATABASE_URL, [
      "create trigger theirs after insert on posts begin select 1; end",
      "drop index comments_by_status",
      "create index comments_by_status on comments (id)",
    ]);
    expect(await problemsIn(env.DATABASE_URL)).toEqual([
      "schema: comments_by_status has a different definition than in this program",
    ]);
    const database = new DatabaseSync(path);
    const query = "select rootpage as page from sqlite_schema where name = 'bookmarks_by_age'";
    const start = (Number(database.prepare(query).get()?.page) - 1) * 4096;
    database.exec("pragma journal_mode = delete");
    database.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, start + 8, start + 4096));
    const { code, stdout } = await run(["check"], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/ {2}PROBLEM {3}integrity {3}\S/);
  });
});
