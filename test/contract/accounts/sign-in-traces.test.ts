import { expect, test } from "bun:test";
import { argon2Sync } from "node:crypto";
import type { Account } from "../../../src/accounts/account.ts";
import { insertAccount } from "../../../src/accounts/account-store.ts";
import type { Database } from "../../../src/database/database.ts";
import { describeSite, oneEngine } from "../../support/pages/site.ts";
import { disableAccount } from "../../support/records/accounts.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import {
  PASSWORD,
  quickHash,
  SESSION,
  signIn,
  signInForCookie,
  signInForToken,
  TOKEN,
  WRONG,
  whoIs,
} from "../../support/requests/sign-in.ts";

describeSite(
  "The log of a server",
  (site) => {
    test("has every sign-in with its address, and only the names of existing accounts", async () => {
      const member = await site.createAccount();
      const disabled = await site.createAccount();
      await disableAccount(site.database, disabled);
      const server = await site.startServer();
      const send = sendTo(server.url);
      await signIn(send, TOKEN, { username: member.username.toUpperCase() });
      await signIn(send, SESSION, member);
      for (let n = 0; n < 6; n++) await signIn(send, TOKEN, { ...member, password: WRONG });
      await signIn(send, TOKEN, disabled);
      await signIn(send, SESSION, { username: "my-secret-password", password: "secret too" });
      await signIn(send, SESSION, { username: "evil\n\u001b[2K", password: "secret too" });
      await server.stop();

      const at = { address: "127.0.0.1" };
      expect(linesAbout(server.lines, /sign/i)).toEqual([
        { level: "info", message: "Signed in.", account: member.username, ...at },
        { level: "info", message: "Signed in.", account: member.username, ...at },
        ...Array.from({ length: 5 }, () => ({
          level: "warn",
          message: "Sign-in failed.",
          account: member.username,
          ...at,
        })),
        { level: "warn", message: "Sign-in refused: too many failed attempts.", ...at },
        { level: "warn", message: "Sign-in failed.", account: disabled.username, ...at },
        { level: "warn", message: "Sign-in failed.", ...at },
        { level: "warn", message: "Sign-in failed.", ...at },
      ]);
      const log = server.lines.join("\n");
      for (const secret of [PASSWORD, WRONG, "secret", "evil"]) expect(log).not.toContain(secret);
    });
  },
  { on: oneEngine },
);

describeSite("The hash of a password", (site) => {
  const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

  test("with outdated parameters is renewed at the next sign-in; sessions and tokens stay valid", async () => {
    const { username, id } = await outdated(site.database, "once");
    const first = await signInForCookie(site.send, { username });
    expect(await hashOf(site.database, id)).toMatch(CURRENT);
    const token = await signInForToken(site.send, { username });
    expect(await whoIs(site.send, { cookie: first })).toBe(username);
    expect(await whoIs(site.send, { authorization: `Token ${token}` })).toBe(username);
    const renewed = await hashOf(site.database, id);
    expect((await signIn(site.send, TOKEN, { username, password: WRONG })).status).toBe(401);
    expect(await hashOf(site.database, id)).toBe(renewed);
  });

  test("stays as it is when the password is wrong, and when the account is disabled", async () => {
    const account = await outdated(site.database, "never");
    await signIn(site.send, TOKEN, { ...account, password: WRONG });
    await disableAccount(site.database, account);
    await signIn(site.send, TOKEN, account);
    expect(await hashOf(site.database, account.id)).toBe(account.passwordHash);
  });

  test("may be rehashed by two simultaneous sign-ins: both succeed", async () => {
    const { username } = await outdated(site.database, "twice");
    const from = (address: string): ReturnType<Send> => signIn(site.send, TOKEN, { username, address });
    const responses = await Promise.all(["192.0.2.71", "192.0.2.72", "192.0.2.73"].map(from));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("of other software, with other lanes, stays", async () => {
    const account = await site.createAccount();
    expect((await signIn(site.send, TOKEN, account)).status).toBe(200);
    expect(await hashOf(site.database, account.id)).toBe(quickHash(PASSWORD));
  });
});

/** An account whose password was hashed with outdated parameters. */
async function outdated(database: Database, username: string): Promise<Account> {
  const nonce = Buffer.alloc(16);
  const tag = argon2Sync("argon2id", {
    message: PASSWORD,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 8,
    passes: 1,
  });
  const unpadded = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  const hash = `$argon2id$v=19$m=8,t=1,p=1$${unpadded(nonce)}$${unpadded(tag)}`;
  const account = await database.write((sql) => insertAccount(sql, username, hash, new Date()));
  if (account === undefined) throw new Error(`There is an account ${username} already.`);
  return account;
}

async function hashOf(database: Database, id: number): Promise<string | undefined> {
  const [row] = await database.read<{
    password_hash: string;
  }>`select password_hash from accounts where id = ${id}`;
  return row?.password_hash;
}

/** What the log says of something, but for the time. */
function linesAbout(lines: readonly string[], what: RegExp): Record<string, unknown>[] {
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ message }) => what.test(String(message)))
    .map(({ time: _, ...rest }) => rest);
}
