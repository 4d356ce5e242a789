import { Refusal } from "../../errors.ts";

/** The refusal of every write while `READ_ONLY` is on. */
export function readOnlyByChoice(): Refusal {
  return new Refusal("read_only", "The server is read-only: READ_ONLY is on.", { retryAfter: 30 });
}
