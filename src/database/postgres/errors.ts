import { Refusal } from "../../errors.ts";
import { LockTimeout, readOnly } from "../errors.ts";
import { TimeoutError } from "./timeouts.ts";

/** SQLSTATE codes that this program handles (postgresql.org/docs/current/errcodes-appendix.html). */
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK_DETECTED = "40P01";
const DISK_FULL = "53100";
const READ_ONLY = "25006";
const TRANSACTION_FAILED = "25P02";
const INVALID_SCHEMA_NAME = "3F000";
const INSUFFICIENT_PRIVILEGE = "42501";
const LOCK_NOT_AVAILABLE = "55P03";
const QUERY_CANCELED = "57014";
const DUPLICATE_STATEMENT = "42P05";
const UNKNOWN_STATEMENT = "26000";
const UNIQUE_VIOLATION = "23505";
const CHECK_VIOLATION = "23514";
const DUPLICATE_TABLE = "42P07";
/** Of the type that a table brings: the other process has made it between two looks of `create table`. */
const DUPLICATE_OBJECT = "42710";
const UNDEFINED_TABLE = "42P01";
const DATA_CORRUPTED = "XX001";
const INDEX_CORRUPTED = "XX002";

/** The constraint that refuses all writes to a database that was moved away. */
export const SEAL = "moved_away";

/**
 * Codes, or classes of codes, of a server that is unavailable for now: connections (08), an idle transaction
 * (25P03), a changed login (28), a database that is gone (3D000) or closed
 * (55000), resources (53), an operator (57).
 */
const UNAVAILABLE = ["08", "25P03", "28", "3D000", "53", "55000", "57"];

/** The ones among them that mean that there is no connection. */
const CONNECTION_LOST = ["08", "25P03", "28", "3D000", "53300", "55000", "57P"];

/** The driver's codes for connection errors; its other codes are bugs of ours. */
const DRIVER_LOST =
  /^ERR_POSTGRES_(?:CONNECTION|IDLE_TIMEOUT|LIFETIME_TIMEOUT|TLS|AUTHENTICATION|PASSWORD|SASL)/;

/**
 * Whether the transaction may succeed when it is retried. A slug that another transaction has taken meanwhile is seen then: an
 * update, unlike an insertion, cannot do nothing instead.
 */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error);
  if (state === UNIQUE_VIOLATION) return constraintOf(error) === "posts_slug_key";
  return state === SERIALIZATION_FAILURE || state === DEADLOCK_DETECTED;
}

/** Whether a page of a table or of an index is damaged. */
export function isDamage(error: unknown): boolean {
  const state = sqlState(error);
  return state === DATA_CORRUPTED || state === INDEX_CORRUPTED;
}

/** Whether a statement was refused only because an earlier one of its transaction had failed. */
export function isAftermath(error: unknown): boolean {
  return sqlState(error) === TRANSACTION_FAILED;
}

/** Whether the name of a prepared statement belongs to another client, or to none. */
export function isMixedUp(error: unknown): boolean {
  const state = sqlState(error);
  return state === DUPLICATE_STATEMENT || state === UNKNOWN_STATEMENT;
}

/** Whether another process has made or upgraded the tables since it was looked: `create table` excludes its like by a unique index. */
export function isMadeMeanwhile(error: unknown): boolean {
  const state = sqlState(error);
  return (
    state === UNIQUE_VIOLATION ||
    state === DUPLICATE_TABLE ||
    state === DUPLICATE_OBJECT ||
    state === UNDEFINED_TABLE
  );
}

/** Whether the server could not be reached, or the connection broke or timed out. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof TimeoutError) return true;
  return begins(sqlState(error), CONNECTION_LOST) || DRIVER_LOST.test(driverCode(error) ?? "");
}

/** Whether no connection could be made. When one broke instead, the next one may work. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof TimeoutError || driverCode(error) === "ERR_POSTGRES_CONNECTION_CLOSED") return false;
  return isConnectionLoss(error) && !begins(sqlState(error), ["25P03", "57P01"]);
}

/** Whether the server, or the session, accepts no writes. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/** Translates an engine error into a refusal; returns other errors unchanged. */
export function postgresRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const state = sqlState(error);
  if (state === DISK_FULL)
    return new Refusal("storage_full", "The disk is full.", { retryAfter: 30, cause: error });
  if (state === LOCK_NOT_AVAILABLE) return new LockTimeout(error, awaitedRow(error));
  if (state === QUERY_CANCELED)
    return new Refusal("unavailable", "The database did not respond in time.", {
      retryAfter: 1,
      cause: error,
    });
  if (isReadOnly(error)) return readOnly("its database accepts no writes", error);
  if (state === CHECK_VIOLATION && constraintOf(error) === SEAL)
    return new Refusal("unavailable", "The database was moved and is read-only here.", {
      retryAfter: 30,
      cause: error,
    });
  if (isConflict(error))
    return new Refusal("unavailable", "The database is busy with other writers.", {
      retryAfter: 1,
      cause: error,
    });
  if (begins(state, UNAVAILABLE) || isConnectionLoss(error))
    return new Refusal("unavailable", "The database cannot be reached.", {
      retryAfter: 1,
      cause: error,
    });
  return error;
}

/** Whether the role lacks a right. Without any right to the schema, the server says that there is none. */
export function isWithoutRights(error: unknown): boolean {
  const state = sqlState(error);
  return state === INSUFFICIENT_PRIVILEGE || state === INVALID_SCHEMA_NAME;
}

/** Whether the server has ended the statement, which took too long. */
export function isCanceled(error: unknown): boolean {
  return sqlState(error) === QUERY_CANCELED;
}

function begins(state: string | undefined, prefixes: readonly string[]): boolean {
  return state !== undefined && prefixes.some((prefix) => state.startsWith(prefix));
}

/** The SQLSTATE of a server error. */
export function sqlState(error: unknown): string | undefined {
  if (driverCode(error) !== "ERR_POSTGRES_SERVER_ERROR") return undefined;
  const { errno } = error as { errno?: unknown };
  return typeof errno === "string" ? errno : undefined;
}

function constraintOf(error: unknown): unknown {
  return error instanceof Error && "constraint" in error ? error.constraint : undefined;
}

function driverCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * The table of the row that a statement was waiting for, which the server names in any language: `while inserting
 * index tuple (0,1) in relation "name"`. It says nothing of the kind while a whole table is locked.
 */
function awaitedRow(error: unknown): string | undefined {
  const where = error instanceof Error && "where" in error ? String(error.where) : "";
  return /\(\d+,\d+\)[^"«„“‘']*["«„“‘']\s*(\w+)/.exec(where)?.[1];
}
