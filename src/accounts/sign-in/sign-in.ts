import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { unauthenticated } from "../../http/access.ts";
import type { Log } from "../../log.ts";
import type { Account, Credentials } from "../account.ts";
import { findAccountByName, renewHash } from "../account-store.ts";
import { hashPassword, isOutdated, verifyPassword } from "./password.ts";
import {
  countAttempt,
  forgiveAttempt,
  retractAttempt,
  type Subjects,
  subjectsOf,
} from "./sign-in-throttle.ts";

/** The latest attempt of each pair of account and address, while it is in progress. */
const underWay = new Map<string, Promise<unknown>>();

export interface SignInDependencies {
  readonly database: Database;
  readonly log: Log;
}

/** Where an attempt comes from. */
export interface Origin {
  readonly address: string;
  /** The id of a browser that has signed in to the account before. */
  readonly browser?: string | undefined;
}

/**
 * Verifies a name and a password, and issues a token or session. Neither the response nor its timing reveals whether
 * the name exists; every attempt is logged with its address.
 *
 * @param from of the client, for counting failures
 * @param issue creates the token or session; undefined when the account was changed since it was read
 * @throws Refusal `unauthenticated` when they are wrong, `too_many_requests` after too many failures
 */
export async function signIn<T>(
  dependencies: SignInDependencies,
  credentials: Credentials,
  from: Origin,
  issue: (account: Account) => Promise<T | undefined>,
): Promise<T> {
  // Retried once if the account was changed during the attempt: a new password, or only a new hash.
  for (let attempt = 0; attempt < 2; attempt++) {
    const account = await checkCredentials(dependencies, credentials, from);
    const issued = await issue(account);
    if (issued === undefined) continue;
    dependencies.log.info("Signed in.", { account: account.username, address: from.address });
    await renewOutdatedHash(dependencies, account, credentials.password);
    return issued;
  }
  throw wrongCredentials();
}

/**
 * The account of a name and a password.
 * @throws Refusal as {@link signIn}
 */
export async function checkCredentials(
  { database, log }: SignInDependencies,
  credentials: Credentials,
  { address, browser }: Origin,
): Promise<Account> {
  const subjects = subjectsOf(credentials.username, address, browser);
  // One after the other, so that concurrent correct attempts do not count as failures of each other.
  const before = underWay.get(subjects.pair) ?? Promise.resolve();
  const attempt = before.catch(() => {}).then(() => tryToSignIn(database, credentials, subjects));
  underWay.set(subjects.pair, attempt);
  try {
    const { account, isRight } = await attempt;
    if (isRight && account !== undefined) return account;
    // An unknown name is not logged: it may be a password in the wrong field.
    const tried = account === undefined ? {} : { account: account.username };
    log.warn("Sign-in failed.", { ...tried, address });
    throw wrongCredentials();
  } catch (error) {
    if (error instanceof Refusal && error.reason === "too_many_requests")
      log.warn("Sign-in refused: too many failed attempts.", { address });
    throw error;
  } finally {
    if (underWay.get(subjects.pair) === attempt) underWay.delete(subjects.pair);
  }
}

/** The response to a wrong name and to a wrong password. */
export function wrongCredentials(): Refusal {
  return unauthenticated("Wrong username or password.");
}

async function tryToSignIn(
  database: Database,
  credentials: Credentials,
  subjects: Subjects,
): Promise<{ account: Account | undefined; isRight: boolean }> {
  await database.write((sql) => countAttempt(sql, subjects, database.clock.now()));
  const account = await findAccountByName(database.read, credentials.username);
  let right: boolean;
  try {
    right = await verifyPassword(credentials.password, account?.passwordHash);
  } catch (error) {
    await database.write((sql) => retractAttempt(sql, subjects));
    throw error;
  }
  const isRight = right && account !== undefined && !account.disabled;
  if (isRight) await database.write((sql) => forgiveAttempt(sql, subjects));
  return { account, isRight };
}

/** Replaces a hash with weaker parameters while the password is known. A failure does not affect the sign-in. */
async function renewOutdatedHash(
  { database, log }: SignInDependencies,
  account: Account,
  password: string,
): Promise<void> {
  if (!isOutdated(account.passwordHash)) return;
  try {
    const hash = await hashPassword(password);
    await database.write((sql) => renewHash(sql, account, hash));
  } catch (error) {
    log.warn("A password could not be rehashed.", { account: account.username, reason: String(error) });
  }
}
