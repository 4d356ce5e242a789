import { Refusal } from "../../errors.ts";
import { LockTimeout } from "../lock-timeout.ts";
import { TimeoutError } from "./timeouts.ts";

/** SQLSTATE codes that mean something to this program (postgresql.org/docs/current/errcodes-appendix.html). */
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const DISK_FULL = "53100";
const LOCK_NOT_AVAILABLE = "55P03";
const QUERY_CANCELED = "57014";

/**
 * Codes, or classes of them, of a server that cannot serve now, though it may again: connections (08), a
 * transaction left alone for too long (25P03), a standby that takes no writes (25006), a login that was
 * changed (28), a database that is gone (3D000) or closed (55000), resources (53), an operator (57).
 */
const UNAVAILABLE = ["08", "25P03", "25006", "28", "3D000", "53", "55000", "57"];

/** The same, as far as there is no connection then. */
const CONNECTION_LOST = ["08", "25P03", "28", "3D000", "53300", "55000", "57P"];

/** What the driver says of connections; its other codes are faults of ours. */
const DRIVER_LOST =
  /^ERR_POSTGRES_(?:CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT|TLS|AUTHENTICATION|PASSWORD|SASL)/;

/** Whether the same transaction may succeed when it is run again. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

/** Whether the server could not be reached, or the connection to it broke or fell silent. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof TimeoutError) return true;
  return begins(sqlState(error), CONNECTION_LOST) || DRIVER_LOST.test(driverCode(error) ?? "");
}

/** Whether no connection could be made, as against one that was there and broke: then the next may be well. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof TimeoutError || driverCode(error) === "ERR_POSTGRES_CONNECTION_CLOSED") return false;
  return isConnectionLoss(error) && !begins(sqlState(error), ["25P03", "57P01"]);
}

/** What the engine says while serving, in the project's words; errors without a word of ours as they are. */
export function postgresRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const state = sqlState(error);
  if (state === DISK_FULL)
    return new Refusal("storage_full", "There is no room to store this.", { retryAfter: 30, cause: error });
  if (state === LOCK_NOT_AVAILABLE) return new LockTimeout(error);
  if (state === QUERY_CANCELED)
    return new Refusal("unavailable", "The database took too long.", { retryAfter: 1, cause: error });
  if (isConflict(error))
    return new Refusal("unavailable", "The database is busy with other writers.", {
      retryAfter: 1,
      cause: error,
    });
  if (begins(state, UNAVAILABLE) || isConnectionLoss(error))
    return new Refusal("unavailable", "The database cannot be reached at the moment.", {
      retryAfter: 1,
      cause: error,
    });
  return error;
}

/** The connection was lost while a commit was under way: it may have happened or not. */
export function outcomeUnknown(cause: unknown): Refusal {
  return new Refusal(
    "unavailable",
    "The connection to the database was lost while this was being stored: it may be stored or not. " +
      "With an Idempotency-Key it is safe to try again.",
    { retryAfter: 1, cause },
  );
}

function begins(state: string | undefined, prefixes: readonly string[]): boolean {
  return state !== undefined && prefixes.some((prefix) => state.startsWith(prefix));
}

/** The SQLSTATE of an error of the server's. */
export function sqlState(error: unknown): string | undefined {
  if (driverCode(error) !== "ERR_POSTGRES_SERVER_ERROR") return undefined;
  const { errno } = error as { errno?: unknown };
  return typeof errno === "string" ? errno : undefined;
}

function driverCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
