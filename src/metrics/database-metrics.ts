import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Counter, Gauge, type Registry } from "prom-client";
import type { Database, DatabaseObserver, DatabaseState } from "../database/database.ts";
import { deadline } from "../deadline.ts";
import { Histogram, SECONDS } from "./histogram.ts";
import { registerCounter, registerGauge, registerHistogram } from "./register.ts";

/** Timeout of the health query, in milliseconds; less than a scrape may take. */
const TIMEOUT_MS = 2_000;

/** Metrics of the database: commits, retries, and its current state. */
export class DatabaseMetrics implements DatabaseObserver {
  readonly #durations = new Histogram(SECONDS);
  readonly #writes = new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
  #retries = 0;
  #failedCheckpoints = 0;
  #isWritable = true;

  committed(writes: number, milliseconds: number): void {
    this.#isWritable = true;
    this.#durations.add(milliseconds / 1_000);
    this.#writes.add(writes);
  }

  /** A write was refused: no space, or a read-only database. */
  foundUnwritable(): void {
    this.#isWritable = false;
  }

  retried(): void {
    this.#retries++;
  }

  checkpointFailed(): void {
    this.#failedCheckpoints++;
  }

  register(registry: Registry, database: Database): void {
    registerHistogram(
      registry,
      "commonplace_commit_duration_seconds",
      "Duration of a commit, until it is on disk (SQLite) or confirmed by the server (PostgreSQL).",
      () => [{ labels: {}, histogram: this.#durations }],
    );
    registerHistogram(
      registry,
      "commonplace_commit_writes",
      "Writes per commit; always 1 on PostgreSQL.",
      () => [{ labels: {}, histogram: this.#writes }],
    );
    new Gauge({
      name: "commonplace_database_up",
      help: "1 if the database responds and its schema is current.",
      registers: [registry],
      async collect() {
        this.set(await isWell(database));
      },
    });
    const isWritable = () => (this.#isWritable && database.obstacle() === undefined ? 1 : 0);
    new Gauge({
      name: "commonplace_database_writable",
      help: "0 while the database is read-only, and from a write for which there was no space until the next one that succeeds.",
      registers: [registry],
      collect() {
        this.set(isWritable());
      },
    });
    if (database.state().files !== undefined) this.#registerFiles(registry, database);
    if (database.state().pool !== undefined) this.#registerPool(registry, database);
    if (database.state().standbys !== undefined) registerStandbys(registry, database);
  }

  #registerFiles(registry: Registry, database: Database): void {
    registerCounter(
      registry,
      "commonplace_checkpoint_failures_total",
      "Failed checkpoints of SQLite's write-ahead log, which keeps growing meanwhile.",
      () => this.#failedCheckpoints,
    );
    new Gauge({
      name: "commonplace_database_free_bytes",
      help: "Free space of the file system of the SQLite database.",
      registers: [registry],
      collect() {
        const { bavail, bsize } = statfsSync(dirname(database.location));
        this.set(bavail * bsize);
      },
    });
    new Gauge({
      name: "commonplace_database_file_bytes",
      help: "Size of the SQLite database's files: the database and its write-ahead log.",
      labelNames: ["file"],
      registers: [registry],
      collect() {
        const { files } = database.state();
        this.set({ file: "database" }, files?.database ?? 0);
        this.set({ file: "log" }, files?.log ?? 0);
      },
    });
  }

  #registerPool(registry: Registry, database: Database): void {
    registerCounter(
      registry,
      "commonplace_transaction_retries_total",
      "Transactions that conflicted with another one and were retried.",
      () => this.#retries,
    );
    for (const [name, help, read] of POOL_GAUGES)
      registerGauge(registry, name, help, () => {
        const { pool } = database.state();
        return pool === undefined ? 0 : read(pool);
      });
  }
}

function registerStandbys(registry: Registry, database: Database): void {
  new Counter({
    name: "commonplace_standby_reads_total",
    help: "Reads that a standby has answered, and reads left to the primary because the standbys were behind, away or busy.",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(database.state().standbys ?? {}))
        this.inc({ outcome }, count);
    },
  });
}

type Pool = NonNullable<DatabaseState["pool"]>;

const POOL_GAUGES: readonly [name: string, help: string, read: (pool: Pool) => number][] = [
  ["commonplace_pool_connections_max", "Maximum number of PostgreSQL connections.", ({ size }) => size],
  [
    "commonplace_pool_writers_max",
    "Maximum number of simultaneous write transactions.",
    ({ writersMax }) => writersMax,
  ],
  ["commonplace_pool_writers", "Write transactions in progress.", ({ writers }) => writers],
  [
    "commonplace_pool_writers_waiting",
    "Write transactions that wait for a connection.",
    ({ writersWaiting }) => writersWaiting,
  ],
  [
    "commonplace_pool_answers_awaited",
    "Statements and connection requests that wait for PostgreSQL.",
    ({ pendingStatements }) => pendingStatements,
  ],
];

async function isWell(database: Database): Promise<0 | 1> {
  const answer = database.ready().then(
    () => 1 as const,
    () => 0 as const,
  );
  return Promise.race([answer, sleep(deadline(TIMEOUT_MS), 0 as const, { ref: false })]);
}
