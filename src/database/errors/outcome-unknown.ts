import { Refusal } from "../../errors.ts";

/**
 * A failure at the very end of a commit: the write may have happened or not, and nobody knows.
 * @param failure what happened, as the beginning of a sentence
 */
export function outcomeUnknown(failure: string, retryAfter: number, cause: unknown): Refusal {
  const detail =
    `${failure} while this was being stored: it may be stored or not. ` +
    "With an Idempotency-Key it is safe to try again.";
  return new Refusal("unavailable", detail, { retryAfter, cause });
}
