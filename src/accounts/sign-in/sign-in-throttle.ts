import type { Database, Instant, Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import { ipv6Slash48Of, networkOf } from "../../http/client/address.ts";
import { usernameKey } from "../account.ts";

/**
 * The throttling of failed sign-ins, by subject. After `free` failures, each further one doubles the wait, from one
 * second up to `longest`.
 *
 * The failures of an account delay only addresses that have failed themselves: however many strangers try its name,
 * the owner's first attempt from another address succeeds.
 */
const LIMITS = {
  pair: { free: 5, longest: 15 * 60 },
  address: { free: 100, longest: 60 },
  site: { free: 400, longest: 60 },
  account: { free: 1_000, longest: 60 },
} as const;

/** After this time without a failure, the count is reset, in milliseconds. */
const FORGOTTEN_AFTER = 60 * 60 * 1000;

/**
 * A failure may be this many seconds later than the attempt that finds it: while an attempt waits for its rows, up to
 * the lock timeout, later attempts are counted.
 */
const OVERTAKEN_BY = 30;

type Kind = keyof typeof LIMITS;

interface Failures {
  readonly subject: string;
  readonly failures: number;
  readonly lastFailedAt: Date;
}

/** The subjects under which a failed attempt is counted. */
export type Subjects = Readonly<Record<Exclude<Kind, "site">, string>> & {
  /** The /48 network of an IPv6 client, since the client can use a new /64 of its /48 for every attempt. */
  readonly site?: string;
};

/**
 * @param address of the client; one of IPv6 counts as its network (/64) and as its site (/48)
 * @param browser the id of a browser that has signed in to the account before: it counts instead of its address
 */
export function subjectsOf(username: string, address: string, browser?: string): Subjects {
  // A name is truncated, since a client can send anything.
  const account = usernameKey(username).slice(0, 64);
  if (browser !== undefined)
    return {
      pair: `pair ${account} browser ${browser}`,
      address: `address browser ${browser}`,
      account: `account ${account}`,
    };
  const network = networkOf(address);
  const site = ipv6Slash48Of(address);
  return {
    pair: `pair ${account} ${network}`,
    address: `address ${network}`,
    account: `account ${account}`,
    ...(site !== undefined && { site: `site ${site}` }),
  };
}

/** @param wait in seconds */
export function tooManyFailuresRefusal(wait: number): Refusal {
  return new Refusal(
    "too_many_requests",
    `Too many failed sign-in attempts. Try again in ${wait} ${wait === 1 ? "second" : "seconds"}.`,
    { retryAfter: wait },
  );
}

/**
 * Counts an attempt as failed before its password is verified, so that concurrent attempts cannot exceed the limit
 * together; {@link forgiveAttempt} reverts this when it succeeds.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait; then the attempt is not counted
 */
export async function countAttempt(sql: Sql, subjects: Subjects, now: Date): Promise<void> {
  const account = await lockFailures(sql, subjects.account, now);
  const address = await lockFailures(sql, subjects.address, now);
  const pair = await lockFailures(sql, subjects.pair, now);
  const site = subjects.site === undefined ? undefined : await lockFailures(sql, subjects.site, now);
  const wait = Math.max(
    site === undefined ? 0 : secondsToWait("site", site, now),
    secondsToWait("pair", pair, now),
    secondsToWait("address", address, now),
    // An account's failures delay a client from its own last failure on: counted from the last of all, strangers who
    // keep failing would lock out the owner.
    pair.failures === 0 ? 0 : secondsToWait("account", { ...pair, failures: account.failures }, now),
  );
  if (wait > 0) throw tooManyFailuresRefusal(wait);
  for (const { subject, failures } of [account, address, pair, ...(site === undefined ? [] : [site])])
    await sql`
      update sign_in_failures set failures = ${failures + 1}, last_failed_at = ${now} where subject = ${subject}`;
}

/** The attempt has succeeded: it does not count, and earlier failures of the same client are cleared. */
export async function forgiveAttempt(sql: Sql, subjects: Subjects): Promise<void> {
  await retractAttempt(sql, subjects);
  await sql`delete from sign_in_failures where subject = ${subjects.pair}`;
}

/** The attempt could not be verified: it does not count. */
export async function retractAttempt(sql: Sql, { account, address, pair, site }: Subjects): Promise<void> {
  for (const subject of [account, address, pair, ...(site === undefined ? [] : [site])])
    await sql`
      update sign_in_failures set failures = failures - 1 where subject = ${subject} and failures > 0`;
}

/**
 * Locks the failures of a subject until the transaction ends; always in the same order of kinds, so that two
 * attempts never wait for each other.
 */
async function lockFailures(sql: Sql, subject: string, now: Date): Promise<Failures> {
  const [row] = await sql<{ failures: number; last_failed_at: Instant }>`
    insert into sign_in_failures (subject, failures, last_failed_at) values (${subject}, 0, ${now})
    on conflict (subject) do update set failures = sign_in_failures.failures
    returning failures, last_failed_at`;
  if (row === undefined) throw new Error("an insert returned no row");
  const lastFailedAt = new Date(row.last_failed_at);
  const forgotten = now.getTime() - lastFailedAt.getTime() >= FORGOTTEN_AFTER;
  return { subject, failures: forgotten ? 0 : row.failures, lastFailedAt };
}

function secondsToWait(kind: Kind, row: Failures, now: Date): number {
  const { free, longest } = LIMITS[kind];
  if (row.failures < free) return 0;
  const pause = Math.min(2 ** (row.failures - free), longest);
  const passed = (now.getTime() - row.lastFailedAt.getTime()) / 1000;
  // If the clock was set back, the age of the failure is unknown.
  if (passed < -OVERTAKEN_BY) return 0;
  return Math.max(Math.ceil(pause - Math.max(passed, 0)), 0);
}

/**
 * Deletes at most `limit` forgotten rows, each in its own transaction: attempts lock their rows in one order, and
 * these may be anyone's. A row that cannot be deleted now stays for the next time.
 *
 * @returns how many
 */
export async function purgeFailures(database: Database, now: Date, limit: number): Promise<number> {
  const forgotten = new Date(now.getTime() - FORGOTTEN_AFTER);
  const rows = await database.read<{ subject: string }>`
    select subject from sign_in_failures where last_failed_at <= ${forgotten}
    order by last_failed_at limit ${limit}`;
  const deletions = await Promise.allSettled(
    rows.map(({ subject }) =>
      database.write(
        // The age is checked again here, so that rows counted since then are not deleted.
        (sql) =>
          sql`delete from sign_in_failures where subject = ${subject} and last_failed_at <= ${forgotten}`,
      ),
    ),
  );
  return deletions.filter(({ status }) => status === "fulfilled").length;
}
