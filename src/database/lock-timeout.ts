import { Refusal } from "../errors.ts";

/** Another transaction holds for long what this one needs. Whoever expects that can tell it from other troubles. */
export class LockTimeout extends Refusal {
  constructor(cause: unknown) {
    super("unavailable", "The database is busy with another writer.", { retryAfter: 1, cause });
  }
}
