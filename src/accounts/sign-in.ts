import type { Database } from "../database/database.ts";
import type { Refusal } from "../errors.ts";
import { unauthenticated } from "../http/access.ts";
import type { Account } from "./account.ts";
import { findAccountByName } from "./account-store.ts";
import { verifyPassword } from "./password.ts";
import {
  countAttempt,
  forgiveAttempt,
  purgeFailures,
  retractAttempt,
  type Subjects,
  subjectsOf,
} from "./sign-in-throttle.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The last attempt of each account and address together, as long as it is under way. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Checks a name and a password. Whether the name exists shows neither in the answer nor in its time.
 *
 * @param address of the client, for counting failures
 * @throws Refusal `unauthenticated` when they are wrong, `too_many_requests` after too many failures
 */
export async function signIn(
  database: Database,
  credentials: Credentials,
  address: string,
): Promise<Account> {
  const subjects = subjectsOf(credentials.username, address);
  // One after the other, so that many right attempts at once are not taken for failures under way.
  const before = underWay.get(subjects.pair) ?? Promise.resolve();
  const attempt = before.catch(() => {}).then(() => tryToSignIn(database, credentials, subjects));
  underWay.set(subjects.pair, attempt);
  try {
    return await attempt;
  } finally {
    if (underWay.get(subjects.pair) === attempt) underWay.delete(subjects.pair);
  }
}

/** The one answer to a wrong name and to a wrong password. */
export function wrongCredentials(): Refusal {
  return unauthenticated("The username or the password is wrong.");
}

async function tryToSignIn(
  database: Database,
  credentials: Credentials,
  subjects: Subjects,
): Promise<Account> {
  await database.write((sql) => countAttempt(sql, subjects, new Date()));
  const account = await findAccountByName(database.read, credentials.username);
  let right: boolean;
  try {
    right = await verifyPassword(credentials.password, account?.passwordHash);
  } catch (error) {
    await database.write((sql) => retractAttempt(sql, subjects));
    throw error;
  }
  if (!right || account === undefined || account.disabled) {
    await purgeFailures(database, new Date());
    throw wrongCredentials();
  }
  await database.write((sql) => forgiveAttempt(sql, subjects));
  return account;
}
