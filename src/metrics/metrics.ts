import { readdirSync, readFileSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Observers } from "../app/parts.ts";
import type { Database, DatabaseObserver, DatabaseState } from "../database/database.ts";
import type { ResponseCache, ResponseCacheState } from "../http/caching/response-cache.ts";
import type { LoadShedder } from "../http/guards/load-shedding.ts";
import { isSafe } from "../http/router.ts";
import type { Server } from "../http/server.ts";
import type { JobObserver } from "../jobs/job-runner.ts";
import type { Log } from "../log.ts";
import { COLLECTIONS } from "../search/collection.ts";
import { countWaiting } from "../search/index/entries.ts";
import { timeLimit } from "../time-limit.ts";
import { VERSION } from "../version.ts";

/** Bucket bounds in seconds for requests, commits, searches and turns of the event loop. */
const SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];
/** The same for jobs. */
const JOB_SECONDS = [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300];
const WRITES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Other methods share one label. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Interval for measuring event-loop lag, in milliseconds; each measurement wakes an idle process. */
const ROUND = 100;
/** Timeout of the health query, in milliseconds; less than a scrape may take. */
const TIMEOUT_MS = 2_000;

/** The parts of a running server that are measured. */
interface Subjects {
  readonly database: Database;
  readonly server: Server;
  readonly load: LoadShedder;
  readonly log: Log;
  readonly damage: { readonly isDamaged: boolean };
}

/** The metrics of this process, for Prometheus. */
export class Metrics implements Observers {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #cache: ResponseCache[] = [];
  /** False from a write for which there was no space, or on a read-only database, until the next one that succeeds. */
  #isWritable = true;
  #retries = 0;
  #failedCheckpoints = 0;

  readonly #requests = new Counter({
    name: "commonplace_http_requests_total",
    help: "Requests by route, method and status.",
    labelNames: ["route", "method", "status"],
    registers: this.#registers,
  });
  readonly #durations = this.#histogram(
    "commonplace_http_request_duration_seconds",
    "Time from a request to its response, by route and method; for a streamed response, to its first chunk.",
    SECONDS,
    ["route", "method"],
  );
  readonly #refusedWrites = new Counter({
    name: "commonplace_writes_refused_total",
    help: "Writing requests refused with 503 or 507, by reason: storage_full, unavailable and others.",
    labelNames: ["reason"],
    registers: this.#registers,
  });
  readonly #commits = this.#histogram(
    "commonplace_commit_duration_seconds",
    "Duration of a commit, until it is on disk (SQLite) or confirmed by the server (PostgreSQL).",
  );
  readonly #writes = this.#histogram(
    "commonplace_commit_writes",
    "Writes per commit; always 1 on PostgreSQL.",
    WRITES,
  );
  readonly #searches = this.#histogram("commonplace_search_duration_seconds", "Duration of search queries.");
  readonly #timeouts = new Counter({
    name: "commonplace_search_timeouts_total",
    help: "Search queries that took too long and got 503.",
    registers: this.#registers,
  });
  readonly #jobs = this.#histogram(
    "commonplace_job_duration_seconds",
    "Duration of background jobs, including failed ones.",
    JOB_SECONDS,
    ["job_kind"],
  );
  readonly #failedJobs = new Counter({
    name: "commonplace_jobs_failed_total",
    help: "Failed runs of background jobs, which are retried.",
    registers: this.#registers,
  });

  readonly requests: Observers["requests"] = ({ route = "none", method: given, status, ...answered }) => {
    const { milliseconds, refusedFor } = answered;
    const method = METHODS.has(given) ? given : "other";
    this.#requests.inc({ route, method, status });
    this.#durations.observe({ route, method }, milliseconds / 1_000);
    if (refusedFor !== undefined && status >= 500 && !isSafe(given))
      this.#refusedWrites.inc({ reason: refusedFor });
    if (refusedFor === "storage_full" || refusedFor === "read_only") this.#isWritable = false;
  };

  readonly searches: Observers["searches"] = (milliseconds, isTimeout) => {
    this.#searches.observe(milliseconds / 1_000);
    if (isTimeout) this.#timeouts.inc();
  };

  readonly responseCache = (cache: ResponseCache): void => {
    this.#cache.push(cache);
  };

  readonly database: DatabaseObserver = {
    committed: (writes, milliseconds) => {
      this.#isWritable = true;
      this.#commits.observe(milliseconds / 1_000);
      this.#writes.observe(writes);
    },
    retried: () => {
      this.#retries++;
    },
    checkpointFailed: () => {
      this.#failedCheckpoints++;
    },
  };

  readonly jobs: JobObserver = {
    knows: (kinds) => {
      for (const job_kind of kinds) this.#jobs.zero({ job_kind });
    },
    ran: (job_kind, milliseconds, succeeded) => {
      this.#jobs.observe({ job_kind }, milliseconds / 1_000);
      if (!succeeded) this.#failedJobs.inc();
    },
  };

  /** Called once, when everything has started. */
  watch({ database, server, load, log, damage }: Subjects): void {
    this.#refusedWrites.inc({ reason: "storage_full" }, 0);
    this.#gauge("commonplace_http_requests_in_flight", "Requests in progress.", () => server.inFlight);
    this.#counter(
      "commonplace_http_requests_shed_total",
      "Requests refused with 503 because of overload.",
      () => load.refused,
    );
    this.#counter(
      "commonplace_log_lines_dropped_total",
      "Log lines dropped because the reader was too slow.",
      () => log.droppedLines,
    );
    this.#watchCache();
    this.#watchDatabase(database);
    this.#gauge(
      "commonplace_database_damaged",
      "1 from the first read or write that met damage of a SQLite database, other than of its search index, until the next start.",
      () => (damage.isDamaged ? 1 : 0),
    );
    this.#watchProcess(database.engine);
  }

  /** The metrics in the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #watchCache(): void {
    const sum = (of: (state: ResponseCacheState) => number) => () =>
      this.#cache.reduce((total, { state }) => total + of(state), 0);
    this.#counter(
      "commonplace_response_cache_hits_total",
      "Responses from the cache, including 304 (not modified).",
      sum(({ hits }) => hits),
    );
    this.#counter(
      "commonplace_response_cache_misses_total",
      "Responses that were not in the cache.",
      sum(({ misses }) => misses),
    );
    this.#gauge(
      "commonplace_response_cache_entries",
      "Responses in the cache.",
      sum(({ bodies }) => bodies),
    );
    this.#gauge(
      "commonplace_response_cache_bytes",
      "Size of the response cache.",
      sum(({ bytes }) => bytes),
    );
  }

  #watchDatabase(database: Database): void {
    this.#gauge("commonplace_database_up", "1 if the database responds and its schema is current.", () =>
      isWell(database),
    );
    this.#gauge(
      "commonplace_database_writable",
      "0 while the database is read-only, and from a write for which there was no space until the next one that succeeds.",
      () => (this.#isWritable && database.obstacle() === undefined ? 1 : 0),
    );
    // Every process counts the same entries.
    this.#gauge(
      "commonplace_search_pending_records",
      "Records that searches may miss, after a large import or an upgrade.",
      async () => {
        const counts = COLLECTIONS.map((name) => countWaiting(database.read, { name }).catch(() => 0));
        return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
      },
    );
    if (database.state().files !== undefined) this.#watchFiles(database);
    if (database.state().pool !== undefined) this.#watchPool(database);
    if (database.state().standbys !== undefined) this.#watchStandbys(database);
  }

  #watchFiles(database: Database): void {
    this.#counter(
      "commonplace_checkpoint_failures_total",
      "Failed checkpoints of SQLite's write-ahead log, which keeps growing meanwhile.",
      () => this.#failedCheckpoints,
    );
    this.#gauge(
      "commonplace_database_free_bytes",
      "Free space of the file system of the SQLite database.",
      () => {
        const { bavail, bsize } = statfsSync(dirname(database.location));
        return bavail * bsize;
      },
    );
    new Gauge({
      name: "commonplace_backup_age_seconds",
      help: "Seconds since the last backup of the SQLite database by `commonplace backup`; absent before the first.",
      registers: this.#registers,
      collect() {
        const { backedUpAt } = database.state();
        if (backedUpAt !== undefined) this.set(Math.max(0, (Date.now() - backedUpAt) / 1_000));
        else this.remove();
      },
    });
    new Gauge({
      name: "commonplace_database_file_bytes",
      help: "Size of the SQLite database's files: the database and its write-ahead log.",
      labelNames: ["file"],
      registers: this.#registers,
      collect() {
        for (const [file, bytes] of Object.entries(database.state().files ?? {})) this.set({ file }, bytes);
      },
    });
  }

  #watchPool(database: Database): void {
    this.#counter(
      "commonplace_transaction_retries_total",
      "Transactions that conflicted with another one and were retried.",
      () => this.#retries,
    );
    for (const [name, help, member] of POOL_GAUGES)
      this.#gauge(name, help, () => database.state().pool?.[member] ?? 0);
  }

  #watchStandbys(database: Database): void {
    new Counter({
      name: "commonplace_standby_reads_total",
      help: "Reads that a standby has answered, and reads left to the primary because the standbys were behind, away or busy.",
      labelNames: ["outcome"],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(database.state().standbys ?? {}))
          this.inc({ outcome }, count);
      },
    });
  }

  /** The standard metrics of Prometheus. The library's own set needs counters that this runtime does not have. */
  #watchProcess(engine: string): void {
    new Gauge({
      name: "commonplace_build_info",
      help: "Always 1; the labels have the versions.",
      labelNames: ["version", "runtime", "engine"],
      registers: this.#registers,
    }).set({ version: VERSION, runtime: `bun ${Bun.version}`, engine }, 1);
    this.#gauge(
      "process_start_time_seconds",
      "Start time of the process, in seconds since 1970.",
      () => performance.timeOrigin / 1_000,
    );
    this.#counter("process_cpu_seconds_total", "CPU time used.", () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    this.#gauge("process_resident_memory_bytes", "Memory in use.", () => process.memoryUsage.rss());
    this.#gauge(
      "commonplace_heap_used_bytes",
      "Size of the JavaScript heap in use.",
      () => process.memoryUsage().heapUsed,
    );
    if (process.platform === "linux") {
      this.#gauge("process_open_fds", "Open file descriptors.", () => readdirSync("/proc/self/fd").length);
      const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
      if (limit !== undefined)
        this.#gauge("process_max_fds", "Maximum number of open file descriptors.", () => Number(limit));
    }
    this.#measureLoop();
  }

  /** Measures event-loop lag by the delay of a timer. */
  #measureLoop(): void {
    const delay = this.#histogram(
      "commonplace_event_loop_delay_seconds",
      `Delay of the event loop, sampled every ${ROUND} ms.`,
    );
    let due = performance.now() + ROUND;
    setInterval(() => {
      const now = performance.now();
      delay.observe(Math.max(0, now - due) / 1_000);
      due = now + ROUND;
    }, ROUND).unref();
  }

  #histogram<L extends string>(
    name: string,
    help: string,
    buckets = SECONDS,
    labelNames: readonly L[] = [],
  ): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames, registers: this.#registers });
  }

  /** A counter whose value is read at each scrape. */
  #counter(name: string, help: string, read: () => number): void {
    new Counter({
      ...{ name, help, registers: this.#registers },
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** A gauge whose value is read at each scrape. */
  #gauge(name: string, help: string, read: () => number | Promise<number>): void {
    new Gauge({
      ...{ name, help, registers: this.#registers },
      async collect() {
        this.set(await read());
      },
    });
  }
}

type Pool = NonNullable<DatabaseState["pool"]>;

const POOL_GAUGES: readonly [name: string, help: string, member: keyof Pool][] = [
  ["commonplace_pool_connections_max", "Maximum number of PostgreSQL connections.", "size"],
  ["commonplace_pool_writers_max", "Maximum number of simultaneous write transactions.", "writersMax"],
  ["commonplace_pool_writers", "Write transactions in progress.", "writers"],
  ["commonplace_pool_writers_waiting", "Write transactions that wait for a connection.", "writersWaiting"],
  [
    "commonplace_pool_answers_awaited",
    "Statements and connection requests that wait for PostgreSQL.",
    "pendingStatements",
  ],
];

async function isWell(database: Database): Promise<0 | 1> {
  const answer = database.ready().then(
    () => 1 as const,
    () => 0 as const,
  );
  return Promise.race([answer, sleep(timeLimit(TIMEOUT_MS), 0 as const, { ref: false })]);
}
