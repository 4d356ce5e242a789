import { Refusal } from "../../errors.ts";

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
