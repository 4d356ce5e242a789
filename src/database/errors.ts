import type { Awaitable } from "../awaitable.ts";
import { Refusal } from "../errors.ts";
import type { Sql } from "./database.ts";

/** Another transaction has held a lock for too long. */
export class LockTimeout extends Refusal {
  /** The table of the row that was locked; undefined when a whole table is locked. */
  readonly rowOf: string | undefined;

  constructor(cause: unknown, rowOf: string | undefined) {
    super("unavailable", "The database is busy with another writer.", { retryAfter: 1, cause });
    this.rowOf = rowOf;
  }
}

/** Another process writes to the same slot, and its commit takes long: the transaction is run again, and waits once more. */
export class SlotTaken extends LockTimeout {}

/** A read was not done by its deadline. */
export class ReadTimeout extends Refusal {
  /** Whether it waited for other work for most of that time. */
  readonly isBusy: boolean;

  constructor({ isBusy = false } = {}) {
    super("unavailable", "Reading took too long.", {});
    this.isBusy = isBusy;
  }
}

/** The refusal of every write to a database that can only be read. @param reason as a clause */
export function readOnly(reason: string, cause?: unknown): Refusal {
  return new Refusal("read_only", `The server is read-only: ${reason}.`, { retryAfter: 30, cause });
}

/** The refusal of every write while `READ_ONLY` is on. */
export function readOnlyByChoice(): Refusal {
  return readOnly("READ_ONLY is on");
}

/**
 * A failure at the very end of a commit: it is unknown whether the write happened.
 * @param failure the failure, as the beginning of a sentence
 */
export function outcomeUnknown(failure: string, retryAfter: number, cause: unknown): Refusal {
  const detail =
    `${failure} while this was being stored: it may be stored or not. ` +
    "With an Idempotency-Key it is safe to try again.";
  return new Refusal("unavailable", detail, { retryAfter, cause });
}

/**
 * Something that is derived from the records is damaged, so that work cannot write to it. A writer of SQLite rolls its transaction
 * back, since none that has read a damaged page can write, repairs it in a separate transaction, and runs the work again.
 */
export class NeedsRepair extends Error {
  /** @param isLast whether a milder repair has failed */
  readonly repair: (sql: Sql, isLast: boolean) => Awaitable<void>;

  /** @param message for the log */
  constructor(message: string, cause: unknown, repair: NeedsRepair["repair"]) {
    super(message, { cause });
    this.repair = repair;
  }
}
