import type { Instant, Sql } from "../database/database.ts";
import { Refusal } from "../errors.ts";
import { usernameKey } from "./account.ts";

/**
 * How fast sign-ins may fail, by what they have in common. From `free` failures on, each next one doubles
 * the wait, from one second up to `longest`.
 *
 * An account alone slows only those that have failed themselves: however many strangers try its name, its
 * owner's first attempt from another address goes through.
 */
const LIMITS = {
  pair: { free: 5, longest: 15 * 60 },
  address: { free: 100, longest: 60 },
  account: { free: 1_000, longest: 60 },
} as const;

/** After so long without a failure the count starts again, in milliseconds. */
const FORGOTTEN_AFTER = 60 * 60 * 1000;

/** How many forgotten rows a new failure takes away with it. */
const PURGED_AT_ONCE = 10;

type Kind = keyof typeof LIMITS;

interface FailureRow {
  readonly subject: string;
  readonly failures: number;
  readonly last_failed_at: Instant;
}

/** What the failures of one attempt are counted under. */
export type Subjects = Readonly<Record<Kind, string>>;

export function subjectsOf(username: string, address: string): Subjects {
  // A name is cut, since anything can be sent as one.
  const account = usernameKey(username).slice(0, 64);
  return { pair: `pair ${account} ${address}`, address: `address ${address}`, account: `account ${account}` };
}

/**
 * Counts an attempt as failed before its password is looked at, so that attempts at the same time cannot
 * slip past the limit together; {@link forgiveAttempt} takes it back when it succeeds.
 *
 * @throws Refusal `too_many_requests` with the seconds to wait; then the attempt is not counted
 */
export async function countAttempt(sql: Sql, subjects: Subjects, now: Date): Promise<void> {
  const rows = await sql<FailureRow>`
    select subject, failures, last_failed_at from sign_in_failures
    where subject in (${subjects.pair}, ${subjects.address}, ${subjects.account})`;
  const recent = rows.filter((row) => now.getTime() - toTime(row.last_failed_at) < FORGOTTEN_AFTER);
  const find = (kind: Kind) => recent.find((row) => row.subject === subjects[kind]);
  const pair = find("pair");
  const wait = Math.max(
    secondsToWait("pair", pair, now),
    secondsToWait("address", find("address"), now),
    pair === undefined ? 0 : secondsToWait("account", find("account"), now),
  );
  if (wait > 0)
    throw new Refusal("too_many_requests", `Too many failed sign-ins; wait ${wait} s.`, {
      retryAfter: wait,
    });
  for (const kind of ["pair", "address", "account"] as const) {
    const failures = (find(kind)?.failures ?? 0) + 1;
    await sql`
      insert into sign_in_failures (subject, failures, last_failed_at) values (${subjects[kind]}, ${failures}, ${now})
      on conflict (subject) do update set failures = excluded.failures, last_failed_at = excluded.last_failed_at`;
  }
  await purge(sql, now);
}

/** Takes an attempt back that did not fail; a success also forgets what the same client got wrong before. */
export async function forgiveAttempt(sql: Sql, subjects: Subjects): Promise<void> {
  await sql`delete from sign_in_failures where subject = ${subjects.pair}`;
  await sql`
    update sign_in_failures set failures = failures - 1
    where subject in (${subjects.address}, ${subjects.account}) and failures > 0`;
}

function secondsToWait(kind: Kind, row: FailureRow | undefined, now: Date): number {
  const { free, longest } = LIMITS[kind];
  if (row === undefined || row.failures < free) return 0;
  const pause = Math.min(2 ** (row.failures - free), longest);
  const passed = (now.getTime() - toTime(row.last_failed_at)) / 1000;
  // A clock that was set back must not make anyone wait longer than the pause.
  return Math.min(Math.max(Math.ceil(pause - passed), 0), pause);
}

async function purge(sql: Sql, now: Date): Promise<void> {
  const forgotten = new Date(now.getTime() - FORGOTTEN_AFTER);
  await sql`
    delete from sign_in_failures where subject in (
      select subject from sign_in_failures where last_failed_at <= ${forgotten}
      order by last_failed_at limit ${PURGED_AT_ONCE})`;
}

function toTime(instant: Instant): number {
  return new Date(instant).getTime();
}
