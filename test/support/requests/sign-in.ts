import { argon2Sync } from "node:crypto";
import type { Account, AccountResponse } from "../../../src/accounts/account.ts";
import { insertAccount } from "../../../src/accounts/account-store.ts";
import type { Database } from "../../../src/database/database.ts";
import type { Send } from "./send.ts";

export const TOKEN = "/api/token/";
export const SESSION = "/api/session/";

/** The challenges of a 401 for a request without credentials or with a wrong password. */
export const CHALLENGES = 'Bearer realm="commonplace", Token realm="commonplace"';

/** The password of every account that {@link makeMember} makes, and one that no account has. */
export const PASSWORD = "correct horse battery";
export const WRONG = "incorrect horse battery";

/**
 * Hashes a password with the cheapest parameters, to keep other tests fast. Its number of lanes differs from
 * ours.
 */
export function quickHash(password: string): string {
  const nonce = Buffer.alloc(16);
  const quick = { message: password, nonce, parallelism: 2, tagLength: 32, memory: 16, passes: 1 };
  const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=16,t=1,p=2$${base64(nonce)}$${base64(argon2Sync("argon2id", quick))}`;
}

const QUICK_HASH = quickHash(PASSWORD);

/** Makes an account with {@link PASSWORD}. */
export async function makeMember(database: Database, username: string): Promise<Account> {
  const account = await database.write((sql) => insertAccount(sql, username, QUICK_HASH, new Date()));
  if (account === undefined) throw new Error(`There is an account ${username} already.`);
  return account;
}

export interface Attempt {
  readonly username: string;
  readonly password?: string;
  /** The client's address, as the proxy reports it. */
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Signs in at one of the two endpoints, by default with the correct password. */
export function signIn(
  send: Send,
  path: typeof TOKEN | typeof SESSION,
  { username, password = PASSWORD, address, headers = {} }: Attempt,
): Promise<Response> {
  const from = address === undefined ? {} : { "x-forwarded-for": address };
  return send(path, { method: "POST", json: { username, password }, headers: { ...from, ...headers } });
}

/** Signs in and returns the `Cookie` header of the session. */
export async function signInForCookie(send: Send, attempt: Attempt): Promise<string> {
  return cookieOf(await signIn(send, SESSION, attempt));
}

/** Signs in and returns the key of the token. */
export async function signInForToken(send: Send, attempt: Attempt): Promise<string> {
  const response = await signIn(send, TOKEN, attempt);
  const { token } = (await response.json()) as { token: string };
  return token;
}

/** The only cookie that a response sets, as a client sends it back. */
export function cookieOf(response: Response): string {
  const [cookie, ...others] = response.headers.getSetCookie();
  if (cookie === undefined || others.length > 0) throw new Error("The answer sets no cookie, or several.");
  return cookie.replace(/;.*/, "");
}

/** The user that the server sees behind these headers; undefined if there is none. */
export async function whoIs(
  send: Send,
  headers: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const response = await send(SESSION, { headers });
  if (response.status === 401) return undefined;
  const { username } = (await response.json()) as AccountResponse;
  return username;
}
