import { setTimeout as sleep } from "node:timers/promises";
import type { Awaitable } from "../../awaitable.ts";
import type { Sql } from "../database.ts";
import type { Bound } from "../fragment.ts";
import { isConflict, isConnectionLoss, outcomeUnknown, postgresRefusal } from "./errors.ts";
import { type PostgresPool, send, type WriterConnection } from "./pool.ts";
import { TimeoutError } from "./timeouts.ts";

/** How often it is asked what has become of a commit that is overdue, in milliseconds. */
const INQUIRY = 500;

/**
 * Runs a piece of work in a transaction of its own and resolves when it is committed.
 *
 * @throws what `work` throws, or the server's error, after nothing was changed; Refusal `unavailable` when the
 *   connection was lost during the commit, and nobody knows.
 */
export async function inTransaction<T>(pool: PostgresPool, work: (sql: Sql) => Awaitable<T>): Promise<T> {
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
  await transaction.commit();
  return result;
}

class Transaction {
  readonly sql: Sql;
  readonly #pool: PostgresPool;
  readonly #connection: WriterConnection;
  #failure: unknown;

  constructor(pool: PostgresPool, connection: WriterConnection) {
    this.#pool = pool;
    this.#connection = connection;
    const { slot } = connection;
    this.sql = Object.assign(<Row>(...statement: Statement) => this.#run<Row>(...statement), { slot });
  }

  /**
   * After a statement has failed the server commits nothing, and says so only in passing: whatever the work
   * made of the error, it has failed.
   */
  refuseFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async commit(): Promise<void> {
    const { sql, release } = this.#connection;
    const started = performance.now();
    const committed = sql`commit`.execute();
    try {
      await this.#pool.timeouts.withTimeout(committed);
      this.#pool.observer?.committed(1, performance.now() - started);
      release();
    } catch (error) {
      this.#pool.noteFailure(error);
      if (error instanceof TimeoutError) void this.#outwait(committed);
      else release();
      throw isConnectionLoss(error) ? outcomeUnknown(error) : error;
    }
  }

  /** Rolls back; a connection that is lost, or no longer answers, is closed instead. */
  async undo(error: unknown): Promise<void> {
    const { sql, release } = this.#connection;
    try {
      if (isConnectionLoss(this.#failure ?? error)) await sql.close({ timeout: 0 });
      else await this.#pool.timeouts.withTimeout(sql`rollback`);
    } catch (cause) {
      this.#pool.noteFailure(cause);
      await sql.close({ timeout: 0 });
    }
    release();
  }

  /**
   * A commit waits in the server for as long as a synchronous standby is away. To close its connection would
   * cancel that wait, and make visible, and so confirm to the next who asks, what no standby has. So the
   * connection is kept until the commit has come to its end, or the server knows of none that waits.
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
      // A server that gives no answer may still have the commit.
      if (!ended && !(await this.#pool.hasWaitingCommit().catch(() => true))) await sql.close({ timeout: 0 });
    }
    release();
  }

  async #run<Row>(text: TemplateStringsArray, ...values: Bound[]): Promise<Row[]> {
    const { sql } = this.#connection;
    try {
      return (await this.#pool.timeouts.withTimeout(send<Row>(sql, text, values))) as Row[];
    } catch (error) {
      this.#pool.noteFailure(error);
      // A conflict as it is: it says that the whole is to be run again.
      this.#failure = isConflict(error) || isConnectionLoss(error) ? error : postgresRefusal(error);
      throw this.#failure;
    }
  }
}

type Statement = [text: TemplateStringsArray, ...values: Bound[]];
