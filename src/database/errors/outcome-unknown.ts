import { Refusal } from "../../errors.ts";

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
