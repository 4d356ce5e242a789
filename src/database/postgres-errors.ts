import { Refusal } from "../errors.ts";

/** SQLSTATE codes that mean something to this program (postgresql.org/docs/current/errcodes-appendix.html). */
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const DISK_FULL = "53100";
const QUERY_CANCELED = "57014";
const READ_ONLY_TRANSACTION = "25006";

/** Classes of codes that say that the server cannot serve now: connection, resources, operator. */
const UNAVAILABLE_CLASSES: ReadonlySet<string> = new Set(["08", "53", "57"]);

/** Whether the same transaction may succeed when it is run again. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

/** Whether the server could not be reached, or the connection to it broke. */
export function isConnectionLoss(error: unknown): boolean {
  if (sqlState(error) !== undefined) return ["08", "57"].includes(sqlState(error)?.slice(0, 2) ?? "");
  return driverCode(error)?.startsWith("ERR_POSTGRES_") ?? false;
}

/** What the engine says while serving, in the project's words; errors without a word of ours as they are. */
export function postgresRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const state = sqlState(error);
  if (state === DISK_FULL)
    return new Refusal("storage_full", "There is no room to store this.", { retryAfter: 30, cause: error });
  if (state === QUERY_CANCELED)
    return new Refusal("unavailable", "The database took too long.", { retryAfter: 1, cause: error });
  if (isConflict(error))
    return new Refusal("unavailable", "The database is busy with other writers.", {
      retryAfter: 1,
      cause: error,
    });
  if (
    state === READ_ONLY_TRANSACTION ||
    UNAVAILABLE_CLASSES.has(state?.slice(0, 2) ?? "") ||
    isConnectionLoss(error)
  )
    return new Refusal("unavailable", "The database cannot be reached at the moment.", {
      retryAfter: 1,
      cause: error,
    });
  return error;
}

function sqlState(error: unknown): string | undefined {
  if (driverCode(error) !== "ERR_POSTGRES_SERVER_ERROR") return undefined;
  const { errno } = error as { errno?: unknown };
  return typeof errno === "string" ? errno : undefined;
}

function driverCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
