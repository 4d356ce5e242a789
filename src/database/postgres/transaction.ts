import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../awaitable.ts";
import { type DatabaseObserver, type Sql, withoutResult } from "../database.ts";
import { LockTimeout, outcomeUnknown, SlotTaken } from "../errors.ts";
import type { Bound } from "../fragment.ts";
import { isAftermath, isConflict, isConnectionLoss, postgresRefusal } from "./errors.ts";
import { type PostgresPool, send, type WriterConnection } from "./pool.ts";
import { countCommit, isCommitCount } from "./stamp.ts";
import { TimeoutError } from "./timeouts.ts";

/** Interval for polling the fate of an overdue commit, in milliseconds. */
const INQUIRY = 500;

/**
 * Runs a piece of work in a separate transaction and resolves when it is committed.
 *
 * @throws what `work` throws, or the server's error, with nothing changed; Refusal `unavailable` when the
 *   connection was lost during the commit and its outcome is unknown.
 */
export async function inTransaction<T>(
  pool: PostgresPool,
  work: (sql: Sql) => Awaitable<T>,
  observer?: DatabaseObserver,
): Promise<T> {
  const connection = await pool.reserve();
  const transaction = new Transaction(pool, connection);
  let result: T;
  try {
    await transaction.sql`begin`;
    result = await work(transaction.sql);
    transaction.refuseFailed();
  } catch (error) {
    await transaction.undo(error);
    throw error;
  }
  await transaction.commit(observer);
  return result;
}

/** Runs reads that all see the snapshot of the first. */
export async function inSnapshot<T>(pool: PostgresPool, work: (sql: Sql) => Awaitable<T>): Promise<T> {
  const transaction = new Transaction(pool, await pool.reserve());
  try {
    transaction.post`begin isolation level repeatable read read only`;
    const result = await work(transaction.sql);
    // Nobody waits for the end of a read but the next user of the connection.
    void transaction.undo(undefined);
    return result;
  } catch (error) {
    await transaction.undo(error);
    throw error;
  }
}

/**
 * Sets what slow reads need for the rest of a transaction: JIT compilation costs more than such a read, and a generic plan
 * for a rare word does not fit a common one. As parameters of the connection, the settings would be refused by a pooler.
 */
export function tuneForSearch(sql: Sql): void {
  void withoutResult(
    sql,
  )`select set_config('jit', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true)`;
}

/** Runs one slow read in a separate transaction, with the settings for it. Everything is sent at once. */
export async function inSearch<Row>(
  pool: PostgresPool,
  text: TemplateStringsArray,
  ...values: Bound[]
): Promise<Row[]> {
  const transaction = new Transaction(pool, await pool.reserve());
  let failure: unknown;
  try {
    transaction.post`begin read only`;
    tuneForSearch(transaction.sql);
    return (await transaction.sql<Row>(text, ...values)) as Row[];
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await transaction.undo(failure);
  }
}

class Transaction {
  readonly sql: Sql;
  readonly #pool: PostgresPool;
  readonly #connection: WriterConnection;
  /** Statements that nobody waits for, until their responses arrive. */
  readonly #posted = new Set<Promise<unknown>>();
  #failure: unknown;
  #hasChanged = false;

  constructor(pool: PostgresPool, connection: WriterConnection) {
    this.#pool = pool;
    this.#connection = connection;
    const { slot } = connection;
    const post = (...statement: Statement) => this.post(...statement);
    this.sql = Object.assign(<Row>(...statement: Statement) => this.#run<Row>(...statement), {
      engine: "postgres" as const,
      slot,
      post,
    });
  }

  /** Runs a statement without waiting. If it fails, so do later statements and the commit. */
  post(...statement: Statement): void {
    const posted: Promise<unknown> = this.#run(...statement)
      .catch(() => {})
      .finally(() => this.#posted.delete(posted));
    this.#posted.add(posted);
  }

  /**
   * After a failed statement the server answers `commit` by a rollback, without an error. So the transaction has
   * failed even when `work` has handled the error.
   */
  refuseFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async commit(observer?: DatabaseObserver): Promise<void> {
    const { sql, release } = this.#connection;
    // Statements that nobody has waited for are taken for changes, which costs no round trip.
    if (this.#hasChanged || this.#posted.size > 0) countCommit(this.sql);
    const started = performance.now();
    const committed = sql`commit`.execute();
    try {
      await this.#pool.timeouts.withTimeout(committed);
      await Promise.all(this.#posted);
      if (this.#failure === undefined) observer?.committed(1, performance.now() - started);
      release();
    } catch (error) {
      this.#pool.noteFailure(error);
      if (error instanceof TimeoutError) void this.#outwait(committed);
      else release();
      throw isConnectionLoss(error)
        ? outcomeUnknown("The connection to the database was lost", 1, error)
        : error;
    }
    this.refuseFailed();
  }

  /** Rolls back, or closes a connection that is lost or no longer answers. */
  async undo(error: unknown): Promise<void> {
    const { sql, release } = this.#connection;
    try {
      if (isConnectionLoss(this.#failure ?? error)) await sql.close({ timeout: 0 });
      else await this.#pool.timeouts.withTimeout(sql`rollback`);
    } catch (cause) {
      this.#pool.noteFailure(cause);
      await sql.close({ timeout: 0 }).catch(() => {});
    }
    release();
  }

  /**
   * A commit waits in the server while a synchronous standby is away. Closing the connection would cancel that wait
   * and make visible a write that no standby has. So the connection is kept until the commit has ended, or the
   * server has no waiting commit.
   */
  async #outwait(committed: Promise<unknown>): Promise<void> {
    const { sql, release } = this.#connection;
    let ended = false;
    const end = committed.then(
      () => {
        ended = true;
      },
      () => {
        ended = true;
      },
    );
    while (!ended) {
      await Promise.race([end, sleep(INQUIRY, undefined, { ref: false })]);
      // A server that does not answer may still hold the commit.
      if (!ended && !(await this.#pool.hasWaitingCommit().catch(() => true))) await sql.close({ timeout: 0 });
    }
    release();
  }

  async #run<Row>(text: TemplateStringsArray, ...values: Bound[]): Promise<Row[]> {
    const { sql } = this.#connection;
    try {
      const rows = await this.#pool.timeouts.withTimeout(send<Row>(sql, text, values));
      this.refuseFailed();
      this.#hasChanged ||= isChange(rows);
      return rows as Row[];
    } catch (error) {
      this.#pool.noteFailure(error);
      // Conflicts are passed on unchanged: the transaction is retried.
      const refusal = isConflict(error) || isConnectionLoss(error) ? error : postgresRefusal(error);
      const isSlot = refusal instanceof LockTimeout && isCommitCount(text);
      const failure = isSlot ? new SlotTaken(error, refusal.rowOf) : refusal;
      // Later statements fail only because this one did.
      this.#failure ??= failure;
      throw isAftermath(error) ? this.#failure : failure;
    }
  }
}

/** Commands that change nothing, and those that say how many rows they have changed. */
const READS = ["BEGIN", "SELECT", "LOCK TABLE"];
const WRITES = ["INSERT", "UPDATE", "DELETE"];

/** Whether a statement may have changed something, by its result. None of ours writes in a `with`, which is a SELECT. */
function isChange({
  command,
  count,
}: {
  readonly command?: string | null;
  readonly count?: number | null;
}): boolean {
  if (READS.includes(command ?? "")) return false;
  return count !== 0 || !WRITES.includes(command ?? "");
}

type Statement = [text: TemplateStringsArray, ...values: Bound[]];
