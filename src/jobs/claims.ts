import type { Instant, Sql } from "../database/database.ts";

/**
 * Work that a process does outside the queue of jobs, while others show its progress. It is a row of the jobs, of a kind
 * that no queue runs. A claim that is not extended in time, since its process was killed, is free for another process.
 */
export interface Claim {
  readonly kind: string;
  readonly key: string;
  readonly lease: string;
}

/** What a process tells the others of its work. */
export type ClaimProgress = Readonly<Record<string, unknown>>;

/** Claims a piece of work. @returns undefined if another process has it */
export async function claim(
  sql: Sql,
  { kind, key }: Pick<Claim, "kind" | "key">,
  now: Date,
  until: Date,
): Promise<Claim | undefined> {
  const lease = crypto.randomUUID();
  const rows = await sql`
    insert into jobs (kind, key, payload, requests, run_at, attempts, lease, leased_until, created_at)
    values (${kind}, ${key}, '{}', 1, ${now}, 1, ${lease}, ${until}, ${now})
    on conflict (kind, key) do update set payload = excluded.payload, attempts = jobs.attempts + 1,
      lease = excluded.lease, leased_until = excluded.leased_until
    where jobs.leased_until <= ${now}
    returning id`;
  return rows.length > 0 ? { kind, key, lease } : undefined;
}

/** Extends a claim, with the progress. @returns false if the process has lost it */
export async function extendClaim(
  sql: Sql,
  { kind, key, lease }: Claim,
  until: Date,
  progress: ClaimProgress,
): Promise<boolean> {
  const rows = await sql`
    update jobs set leased_until = ${until}, payload = ${JSON.stringify(progress)}
    where kind = ${kind} and key = ${key} and lease = ${lease} returning id`;
  return rows.length > 0;
}

/** The progress of claimed work; undefined if no process does it. */
export async function findClaim(
  sql: Sql,
  { kind, key }: Pick<Claim, "kind" | "key">,
  now: Date,
): Promise<ClaimProgress | undefined> {
  const [row] = await sql<{ payload: string; leased_until: Instant }>`
    select payload, leased_until from jobs where kind = ${kind} and key = ${key} and leased_until > ${now}`;
  return row && JSON.parse(row.payload);
}

/** Ends claims: that of one process, or without a lease that of any. @returns false if there was none */
export async function endClaim(
  sql: Sql,
  { kind, key, lease }: Pick<Claim, "kind" | "key"> & Partial<Pick<Claim, "lease">>,
): Promise<boolean> {
  const rows =
    lease === undefined
      ? await sql`delete from jobs where kind = ${kind} and key = ${key} returning id`
      : await sql`delete from jobs where kind = ${kind} and key = ${key} and lease = ${lease} returning id`;
  return rows.length > 0;
}

/** Deletes the claims of a kind that ended with their processes before an instant. */
export async function purgeClaims(sql: Sql, kind: string, before: Date): Promise<void> {
  await sql`delete from jobs where kind = ${kind} and leased_until <= ${before}`;
}
