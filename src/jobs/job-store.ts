import type { Database, Instant, Sql } from "../database/database.ts";
import { type Fragment, fragment, joined } from "../database/fragment.ts";

/**
 * No job waits this long, in milliseconds, and no lease lasts this long: a site may ask to be left alone for a day. A later
 * instant was written while the clock was ahead, and counts as past; otherwise the job would wait until the clock is there again.
 */
const LONGEST_WAIT = 25 * 60 * 60 * 1_000;

/** A job to request. */
export interface JobRequest {
  readonly kind: string;
  /** Identifies a job of its kind: a request with the key of a waiting or running job adds no second one. */
  readonly key: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Not before this instant. */
  readonly runAt: Date;
}

/** A job that this process has leased. */
export interface LeasedJob {
  readonly id: number;
  readonly kind: string;
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** This run included, since it last succeeded. */
  readonly attempts: number;
  readonly lease: string;
  /** How often it had been requested when this run began; it runs again if that has grown. */
  readonly requests: number;
}

/**
 * Requests a job, in the transaction of the change that it follows: both are committed or neither. Of two requests
 * for the same job the earlier instant and the later payload hold; a job that is running runs again.
 */
export async function requestJob(sql: Sql, request: JobRequest): Promise<void> {
  const { kind, key, payload = {}, runAt } = request;
  await sql`
    insert into jobs (kind, key, payload, requests, run_at, attempts, created_at)
    values (${kind}, ${key}, ${JSON.stringify(payload)}, 1, ${runAt}, 0, ${new Date()})
    on conflict (kind, key) do update set payload = excluded.payload, requests = jobs.requests + 1,
      run_at = case when excluded.run_at < jobs.run_at then excluded.run_at else jobs.run_at end`;
}

/**
 * Requests another run of a running job, after those that are due by now; does nothing when another run was requested
 * meanwhile, whose payload holds.
 */
export async function requestNextRun(
  sql: Sql,
  { kind, key, requests }: Pick<LeasedJob, "kind" | "key" | "requests">,
  payload: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<void> {
  await sql`
    update jobs set payload = ${JSON.stringify(payload)}, requests = requests + 1, run_at = ${now}
    where kind = ${kind} and key = ${key} and requests = ${requests}`;
}

/** Whether a job waits or runs. */
export async function hasJob(sql: Sql, kind: string, key: string): Promise<boolean> {
  const rows = await sql`select 1 from jobs where kind = ${kind} and key = ${key}`;
  return rows.length > 0;
}

/** The last error of a job that waits for another attempt. @param kinds of the job: one of these */
export async function findLastError(
  sql: Sql,
  kinds: readonly string[],
  key: string,
): Promise<string | undefined> {
  const [row] = await sql<{ last_error: string | null }>`
    select last_error from jobs where (${anyOf(kinds)}) and key = ${key} and lease is null`;
  return row?.last_error ?? undefined;
}

/** When the next job of these kinds can run: at its instant, or when its lease runs out. */
export async function nextRunAt(sql: Sql, kinds: readonly string[], now: Date): Promise<Date | undefined> {
  const tooLate = tooLateAt(now);
  const [row] = await sql<{ at: Instant | null }>`
    select min(case
      when leased_until > run_at and leased_until <= ${tooLate} then leased_until
      when run_at <= ${tooLate} then run_at
      else ${now} end) as at
    from jobs where (${anyOf(kinds)})`;
  const at = row?.at ?? undefined;
  // The first instant of all, at which the search index is rebuilt, is 0 in SQLite.
  return at === undefined ? undefined : new Date(at);
}

function tooLateAt(now: Date): Date {
  return new Date(now.getTime() + LONGEST_WAIT);
}

/** Leases the job of these kinds that is due longest; undefined when none is. */
export async function leaseDueJob(
  database: Database,
  kinds: readonly string[],
  now: Date,
  leasedUntil: Date,
): Promise<LeasedJob | undefined> {
  const lease = crypto.randomUUID();
  const tooLate = tooLateAt(now);
  // Skips rows that another transaction is leasing. SQLite has one writer at a time, so there are none.
  const lock = database.engine === "postgres" ? fragment`for update skip locked` : fragment``;
  const [row] = await database.write(
    (sql) => sql<Omit<LeasedJob, "payload" | "lease"> & { payload: string }>`
      update jobs set lease = ${lease}, leased_until = ${leasedUntil}, attempts = attempts + 1,
        run_at = case when run_at > ${now} then ${now} else run_at end
      where id = (
        select id from jobs
        where (${anyOf(kinds)}) and (run_at <= ${now} or run_at > ${tooLate})
          and (leased_until is null or leased_until <= ${now} or leased_until > ${tooLate})
        order by run_at, id limit 1 ${lock})
      returning id, kind, key, payload, attempts, requests`,
  );
  if (row === undefined) return undefined;
  return {
    id: Number(row.id),
    kind: row.kind,
    key: row.key,
    payload: JSON.parse(row.payload),
    attempts: Number(row.attempts),
    requests: Number(row.requests),
    lease,
  };
}

/** Extends a lease. @returns false when it has run out and another process has the job */
export async function extendLease(sql: Sql, { id, lease }: LeasedJob, until: Date): Promise<boolean> {
  const rows =
    await sql`update jobs set leased_until = ${until} where id = ${id} and lease = ${lease} returning id`;
  return rows.length > 0;
}

/**
 * Keeps a job from being leased by another process until the transaction ends: what is stored there is stored by the one
 * that has the job.
 * @throws LeaseLost when another process has it
 */
export async function holdLease(sql: Sql, { id, lease }: Pick<LeasedJob, "id" | "lease">): Promise<void> {
  const rows = await sql`update jobs set lease = lease where id = ${id} and lease = ${lease} returning id`;
  if (rows.length === 0) throw new LeaseLost();
}

/** Another process has the job: what this one does is of no use. */
export class LeaseLost extends Error {
  constructor() {
    super("Another process has the job.");
  }
}

/**
 * Ends a run that succeeded: the job is deleted, or waits for its next instant.
 * @param runAgainAt the next instant of a recurring job
 */
export async function finishJob(sql: Sql, job: LeasedJob, runAgainAt: Date | undefined): Promise<void> {
  const { id, lease, requests } = job;
  if (runAgainAt === undefined) {
    const gone = await sql`
      delete from jobs where id = ${id} and lease = ${lease} and requests = ${requests} returning id`;
    if (gone.length > 0) return;
  }
  // Requested again while it ran: its instant then holds, except that a recurring job has its next one.
  await sql`
    update jobs set lease = null, leased_until = null, attempts = 0, last_error = null,
      run_at = case when requests = ${requests} then ${runAgainAt ?? new Date()} else run_at end
    where id = ${id} and lease = ${lease}`;
}

/** Ends a run that failed, or gives a job back untried: it waits for another run. */
export async function releaseJob(
  sql: Sql,
  { id, lease }: LeasedJob,
  { runAt, attempts, error }: { runAt: Date; attempts: number; error: string | null },
): Promise<void> {
  await sql`
    update jobs set lease = null, leased_until = null, attempts = ${attempts}, last_error = ${error}, run_at = ${runAt}
    where id = ${id} and lease = ${lease}`;
}

function anyOf(kinds: readonly string[]): Fragment {
  return joined(
    kinds.map((kind) => fragment`kind = ${kind}`),
    fragment` or `,
  );
}
