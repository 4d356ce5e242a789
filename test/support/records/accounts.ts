import type { Account } from "../../../src/accounts/account.ts";
import { insertAccount, setDisabled } from "../../../src/accounts/account-store.ts";
import { SCOPES, type Scope } from "../../../src/accounts/scope.ts";
import { cookieName, hashOfSession, newSessionKey } from "../../../src/accounts/sign-in/session.ts";
import { insertSession } from "../../../src/accounts/sign-in/session-store.ts";
import { hashOfSecret, keyOf, newSecret } from "../../../src/accounts/tokens/token.ts";
import { insertToken } from "../../../src/accounts/tokens/token-store.ts";
import type { Database } from "../../../src/database/database.ts";
import type { Send } from "../requests/send.ts";
import { quickHash } from "../requests/sign-in.ts";

/**
 * Makes an account without the command line.
 * @param password if absent, the account cannot sign in
 */
export async function makeAccount(database: Database, username: string, password?: string): Promise<Account> {
  const hash = password === undefined ? "no password" : quickHash(password);
  const account = await database.write((sql) => insertAccount(sql, username, hash, new Date()));
  if (account === undefined) throw new Error(`There is an account ${username} already.`);
  return account;
}

export async function disableAccount(database: Database, { id }: Pick<Account, "id">): Promise<void> {
  await database.write((sql) => setDisabled(sql, id, true, new Date()));
}

/** Makes a token, by default with all scopes and without an expiry, and returns its key. */
export async function makeToken(
  database: Database,
  account: Account,
  { scopes = SCOPES, expiresAt = null }: { scopes?: readonly Scope[]; expiresAt?: Date | null } = {},
): Promise<string> {
  const secret = newSecret();
  const token = { name: "test", secretHash: hashOfSecret(secret), scopes, expiresAt };
  const id = await database.write((sql) => insertToken(sql, account, token, new Date()));
  if (id === undefined) throw new Error(`${account.username} can have no token.`);
  return keyOf(id, secret);
}

/** Signs an account in without its password. Returns the `Cookie` header of its session over plain HTTP. */
export async function makeSession(database: Database, account: Account): Promise<string> {
  const key = newSessionKey();
  const now = new Date();
  const isInserted = await database.write((sql) =>
    insertSession(sql, { hash: hashOfSession(key), account, userAgent: null }, now),
  );
  if (!isInserted) throw new Error(`${account.username} cannot sign in.`);
  return `${cookieName("http")}=${key}`;
}

/** Adds these headers to every request that does not set them itself. */
export function withHeaders(send: Send, headers: Readonly<Record<string, string>>): Send {
  return (path, init = {}) => {
    const all = new Headers(headers);
    new Headers(init.headers).forEach((value, name) => {
      all.set(name, value);
    });
    return send(path, { ...init, headers: all });
  };
}

/** Sends as the account of a token. */
export function withToken(send: Send, key: string): Send {
  return withHeaders(send, { authorization: `Token ${key}` });
}
