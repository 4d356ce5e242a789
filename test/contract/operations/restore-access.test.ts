import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { removeAccount, replacePassword } from "../../../src/accounts/account-store.ts";
import { createKey, endKeys } from "../../../src/accounts/keys.ts";
import { endSessions } from "../../../src/accounts/sign-in/session-store.ts";
import { createShare } from "../../../src/bookmarks/shares/share-store.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { disableAccount, makeAccount, makeSession, makeToken } from "../../support/records/accounts.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const TABLES = ["sessions", "tokens", "keys", "authorization_codes", "welcome_links"] as const;

/** A database, and a backup from before all access was ended: a password, an account, a token, a list, a session. */
async function site() {
  const folder = temporaryFolder();
  mkdirSync(folder.file("data"), { mode: 0o700 });
  const path = folder.file("data/commonplace.db");
  const env = { DATABASE_URL: `sqlite:${path}` };
  const command = (...words: string[]) => run(words, { env, cwd: folder.path });
  const now = new Date();
  const database = await openDatabase(env.DATABASE_URL);
  try {
    const [ada, bob, grace, eve] = [
      await makeAccount(database, "ada"),
      await makeAccount(database, "bob"),
      await makeAccount(database, "grace"),
      await makeAccount(database, "eve"),
    ];
    await disableAccount(database, eve);
    await makeAccount(database, "same");
    await makeSession(database, ada);
    await makeToken(database, ada);
    await database.write(async (sql) => {
      await createShare(sql, { query: "x", title: "x", withNotes: false, expiresAt: null }, ada.id, now);
      await createKey(sql, "library-feed", ada.id, { secret: "feed" }, now);
    });
    expect((await command("backup", "backup.db")).code).toBe(0);
    await database.write(async (sql) => {
      await replacePassword(sql, ada, "another hash", now);
      await endSessions(sql, ada.id, "");
      await endKeys(sql, ada.id);
      await removeAccount(sql, grace.id, now, "always");
      await sql`update accounts set disabled_at = null where id = ${eve.id}`;
    });
    await disableAccount(database, bob);
    await makeAccount(database, "linus");
  } finally {
    await database.close();
  }
  const counts = () => {
    using connection = new DatabaseSync(path, { readOnly: true });
    return TABLES.map((table) => Number(connection.prepare(`select count(*) as n from ${table}`).get()?.n));
  };
  expect(counts()).toEqual([0, 0, 0, 0, 0]);
  return { folder, path, command, counts, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test("restore brings back what was ended since the backup", async () => {
  using there = await site();
  expect((await there.command("restore", "--force", "backup.db")).code).toBe(0);
  expect(there.counts().slice(0, 3)).toEqual([1, 1, 2]);
});

test("restore --end-access ends sessions, tokens, lists and feeds, and names accounts that differ from now", async () => {
  using there = await site();
  const { code, stdout, stderr } = await there.command("restore", "--force", "--end-access", "backup.db");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(there.counts()).toEqual([0, 0, 0, 0, 0]);
  const lines = stdout
    .split("\n")
    .map((line) => line.replace(/: (?:'.*commonplace'|\S*commonplace) account/, ": commonplace account"));
  expect(lines.slice(1, -2)).toEqual([
    "Ended: 1 session, 1 token, 2 shared lists, feeds and other secrets.",
    "The account ada has the password of the backup again: commonplace account password ada",
    "The account bob was disabled since, and is enabled again: commonplace account disable bob",
    "The account eve was enabled since, and is disabled again: commonplace account enable eve",
    "The account grace was removed since, and is back: commonplace account remove grace",
    "The account linus was added since, and is not there any more: commonplace account add linus",
  ]);
  // It is a database like any other.
  const { stdout: checked } = await there.command("check");
  // The accounts have no real passwords.
  expect(checked.match(/PROBLEM +\w+/g)).toEqual([expect.stringContaining("records")]);
  expect((await there.command("restore", "--force", "--end-access", "data/commonplace.db")).code).toBe(1);
});

test("restore --end-access says so where there is nothing to compare with, or no difference", async () => {
  using there = await site();
  copyFileSync(there.path, there.folder.file("now.db"));
  const same = await there.command("restore", "--force", "--end-access", "now.db");
  expect(same.stdout).toContain("Ended: 0 sessions, 0 tokens, 0 shared lists, feeds and other secrets.\n");
  expect(same.stdout).toContain("No account differs from the replaced database.");
  const nothing = "there is no readable database to compare them with";
  writeFileSync(there.path, "x".repeat(10_000));
  expect((await there.command("restore", "--force", "--end-access", "backup.db")).stdout).toContain(nothing);
  expect(there.counts()).toEqual([0, 0, 0, 0, 0]);
  rmSync(there.path);
  expect((await there.command("restore", "--end-access", "backup.db")).stdout).toContain(nothing);
  expect(there.counts()).toEqual([0, 0, 0, 0, 0]);
});
