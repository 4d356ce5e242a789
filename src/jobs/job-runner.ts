import type { Database } from "../database/database.ts";
import type { Log } from "../log.ts";
import {
  extendLease,
  finishJob,
  hasJob,
  type LeasedJob,
  leaseDueJob,
  nextRunAt,
  releaseJob,
  requestJob,
} from "./job-store.ts";

/** The work of a job. It may run more than once and must be idempotent. */
export interface JobKind {
  /** Milliseconds from the end of one run to the next, for a recurring kind. */
  readonly every?: number;
  /**
   * Does the work in steps, each of which leaves the database consistent.
   * @param signal aborts when the server stops waiting or the lease is lost; then return or throw soon
   * @throws anything, for another attempt later
   */
  run(job: LeasedJob, signal: AbortSignal): Promise<void>;
}

/** Every kind of job, by its name in the database. */
export type JobKinds = Readonly<Record<string, JobKind>>;

/** Called after each run. */
export interface JobObserver {
  /** Called once with every kind, so that each has its metrics before its first run. */
  knows(kinds: readonly string[]): void;
  ran(kind: string, milliseconds: number, succeeded: boolean): void;
}

interface JobRunnerDependencies {
  readonly database: Database;
  readonly kinds: JobKinds;
  readonly log: Log;
  readonly observer?: JobObserver | undefined;
  /** Shorter ones are for tests. */
  readonly times?: Partial<typeof TIMES>;
}

/** In milliseconds. */
const TIMES = {
  /** The wait before the first job, so that a start has the machine to itself; a requested job does not wait for it. */
  startAfter: 60_000,
  /** How long a lease lasts without renewal before another process can take the job. After a kill, a job waits this long. */
  lease: 15_000,
  /** The interval of polling for jobs requested by other processes. */
  idle: 60_000,
  /** After the first failure; doubled by each one more. */
  firstRetry: 10_000,
  maxRetry: 3_600_000,
};

/**
 * Runs the jobs of the database, one at a time, while other processes may do the same. Correctness never depends on
 * when a job runs.
 */
export class JobRunner {
  readonly #dependencies: JobRunnerDependencies;
  readonly #names: readonly string[];
  readonly #times: typeof TIMES;
  readonly #abort = new AbortController();
  #endPause: (() => void) | undefined;
  /** Whether a job was requested since the last poll. */
  #woken = false;
  #stopping = false;
  #loop: Promise<void> | undefined;
  #failing = false;

  constructor(dependencies: JobRunnerDependencies) {
    this.#dependencies = dependencies;
    this.#names = Object.keys(dependencies.kinds);
    this.#times = { ...TIMES, ...dependencies.times };
    dependencies.observer?.knows(this.#names);
  }

  start(): void {
    this.#loop ??= this.#runUntilStopped();
  }

  /** Polls for due jobs at once, after one was requested. */
  wake(): void {
    this.#woken = true;
    this.#endPause?.();
  }

  /** Starts no further job and waits for the running one; after this many milliseconds, the job is aborted. */
  async stop(grace: number): Promise<void> {
    this.#stopping = true;
    this.wake();
    const timer = setTimeout(() => this.#abort.abort(), grace);
    await this.#loop;
    clearTimeout(timer);
  }

  async #runUntilStopped(): Promise<void> {
    await this.#pause(this.#times.startAfter);
    while (!this.#stopping) await this.#pause(await this.#runDueJobs());
  }

  /** Runs the due jobs. @returns the time to wait afterwards, in milliseconds */
  async #runDueJobs(): Promise<number> {
    const { database, log } = this.#dependencies;
    const { idle } = this.#times;
    this.#woken = false;
    try {
      await this.#requestRecurring();
      for (let next = await this.#nextRun(); next <= 0 && !this.#stopping; next = await this.#nextRun())
        if (!(await this.#runNext())) break;
      this.#failing = false;
      return this.#stopping ? 0 : Math.min(Math.max(await this.#nextRun(), 0) || 1, idle);
    } catch (error) {
      // The database is unavailable, or being moved: logged once, not every minute.
      if (!this.#failing && !this.#stopping)
        log.warn("Background jobs cannot run.", { database: database.location, reason: String(error) });
      this.#failing = true;
      return idle;
    }
  }

  async #requestRecurring(): Promise<void> {
    const { database, kinds } = this.#dependencies;
    for (const [kind, { every }] of Object.entries(kinds)) {
      if (every === undefined || (await hasJob(database.read, kind, ""))) continue;
      await database.write((sql) => requestJob(sql, { kind, key: "", runAt: database.clock.now() }));
    }
  }

  /** Milliseconds until the next job is due. */
  async #nextRun(): Promise<number> {
    const { database } = this.#dependencies;
    const now = database.clock.now();
    const at = await nextRunAt(database.read, this.#names, now);
    return at === undefined ? Number.POSITIVE_INFINITY : at.getTime() - now.getTime();
  }

  /** @returns false when another process was faster */
  async #runNext(): Promise<boolean> {
    const { database } = this.#dependencies;
    const now = database.clock.now();
    const leasedUntil = new Date(now.getTime() + this.#times.lease);
    const job = await leaseDueJob(database, this.#names, now, leasedUntil);
    if (job !== undefined) await this.#run(job);
    return job !== undefined;
  }

  async #run(job: LeasedJob): Promise<void> {
    const { database, kinds, log, observer } = this.#dependencies;
    const kind = kinds[job.kind];
    if (kind === undefined) throw new Error(`there is no kind of job ${job.kind}`);
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, lost.signal]);
    const heartbeat = setInterval(() => this.#extend(job, lost), this.#times.lease / 3);
    const start = performance.now();
    let failure: unknown;
    try {
      await kind.run(job, signal);
    } catch (error) {
      failure = error ?? new Error("a job failed without an error");
    } finally {
      clearInterval(heartbeat);
    }
    if (lost.signal.aborted) return;
    if (failure === undefined) {
      const again =
        kind.every === undefined ? undefined : new Date(database.clock.now().getTime() + kind.every);
      await database.write((sql) => finishJob(sql, job, again));
    } else if (this.#abort.signal.aborted) {
      const runAt = database.clock.now();
      await database.write((sql) => releaseJob(sql, job, { runAt, attempts: job.attempts - 1, error: null }));
      return;
    } else await this.#retryLater(job, failure);
    const milliseconds = performance.now() - start;
    observer?.ran(job.kind, milliseconds, failure === undefined);
    log.debug("Background job finished.", {
      job: job.kind,
      ms: Math.round(milliseconds),
      failed: failure !== undefined,
    });
  }

  async #retryLater(job: LeasedJob, failure: unknown): Promise<void> {
    const { database, log } = this.#dependencies;
    const { firstRetry, maxRetry } = this.#times;
    const delay = Math.min(firstRetry * 2 ** (job.attempts - 1), maxRetry);
    log.error(
      `The background job ${job.kind} failed; next attempt in ${Math.round(delay / 1_000)} s.`,
      failure,
    );
    const runAt = new Date(database.clock.now().getTime() + delay);
    await database.write((sql) =>
      releaseJob(sql, job, { runAt, attempts: job.attempts, error: String(failure).slice(0, 1_000) }),
    );
  }

  async #extend(job: LeasedJob, lost: AbortController): Promise<void> {
    const until = new Date(this.#dependencies.database.clock.now().getTime() + this.#times.lease);
    // A short outage of the database does not end the lease.
    const extended = await this.#dependencies.database
      .write((sql) => extendLease(sql, job, until))
      .catch(() => true);
    if (!extended) lost.abort();
  }

  /** Waits, or until it is woken. */
  async #pause(milliseconds: number): Promise<void> {
    if (this.#stopping || this.#woken) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#endPause = resolve;
    await promise;
    clearTimeout(timer);
    this.#endPause = undefined;
  }
}
