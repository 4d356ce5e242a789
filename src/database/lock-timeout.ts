import { Refusal } from "../errors.ts";

/** Another transaction held a needed lock for too long. */
export class LockTimeout extends Refusal {
  constructor(cause: unknown) {
    super("unavailable", "The database is busy with another writer.", { retryAfter: 1, cause });
  }
}
