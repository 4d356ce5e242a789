import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, Refusal, StartError } from "../../errors.ts";
import { outcomeUnknown } from "../errors.ts";
import { SIDE_FILES } from "./file.ts";

/** Result codes of SQLite that this program handles (sqlite.org/rescode.html). */
const ERROR = 1;
export const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const READONLY_DBMOVED = 1032;
const IOERR = 10;
const IOERR_WRITE = 778;
const IOERR_FSYNC = 1034;
const IOERR_SHMSIZE = 4874;
const CORRUPT = 11;
const CORRUPT_VTAB = 267;
const FULL = 13;
const CANTOPEN = 14;
const CONSTRAINT = 19;
const NOTADB = 26;

/** Whether another connection holds a needed lock. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

/** Whether the file was replaced under its name since it was opened. */
export function hasMoved(error: unknown): boolean {
  return resultCode(error) === READONLY_DBMOVED;
}

/** Whether the file is too damaged for SQLite to recognize it as a database. */
export function isUnreadable(error: unknown): boolean {
  const code = primaryCode(error);
  return code === NOTADB || code === CORRUPT;
}

/** Whether a page of the file is damaged, and not only what a full-text index has written on its pages. */
export function isDamagedPage(error: unknown): boolean {
  return primaryCode(error) === CORRUPT && resultCode(error) !== CORRUPT_VTAB;
}

/** Whether a write violates a constraint; a damaged full-text index reports this for its own tables. */
export function isContradiction(error: unknown): boolean {
  return primaryCode(error) === CONSTRAINT;
}

/** Whether work may have failed at a damaged full-text index, which its writer makes again when the work is repeated. */
export function mayBeDamage(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // ERROR is the code of a missing table.
    if (isUnreadable(cause) || isContradiction(cause) || primaryCode(cause) === ERROR) return true;
  }
  return false;
}

/**
 * Translates an engine error into a refusal; returns other errors unchanged.
 */
export function sqliteRefusal(error: unknown): unknown {
  if (isFull(error)) {
    return new Refusal("storage_full", "The disk is full.", { retryAfter: 30, cause: error });
  }
  // Pages written before the failed fsync may be in the log, and reappear when it is recovered after a crash.
  if (resultCode(error) === IOERR_FSYNC) return outcomeUnknown("The disk failed", 5, error);
  switch (primaryCode(error)) {
    case BUSY:
    case LOCKED:
      return new Refusal("unavailable", "The database is busy with another writer.", {
        retryAfter: 1,
        cause: error,
      });
    case READONLY:
    case IOERR:
    case CANTOPEN:
      return new Refusal("unavailable", "The database is unavailable.", {
        retryAfter: 5,
        cause: error,
      });
    // Also the code for a disk that cannot be read.
    case CORRUPT:
    case NOTADB:
      return new Refusal("unavailable", "The database cannot be read.", { retryAfter: 30, cause: error });
    default:
      return error;
  }
}

/** Translates an engine error at the start into one line for the operator. */
export function sqliteStartError(location: string, error: unknown): StartError {
  return error instanceof StartError
    ? error
    : new StartError(`${location} ${startReason(location, error)}`, 1, error);
}

function startReason(location: string, error: unknown): string {
  if (isFull(error)) return "cannot be opened: the disk is full.";
  // The full-text index reports only this code, whatever the cause.
  if (resultCode(error) === IOERR) return "cannot be opened: disk I/O error; the disk may be full.";
  const problem = accessProblem(location);
  const because = problem === undefined ? "." : `: ${problem}.`;
  switch (primaryCode(error)) {
    case BUSY:
    case LOCKED:
      return "is locked by another process.";
    case READONLY:
      return `cannot be written to${because}`;
    case CANTOPEN:
      return `cannot be opened${because}`;
    case CORRUPT:
      return `is damaged (${messageOf(error)}): keep it, and restore a backup.`;
    case NOTADB:
      return "is not a SQLite database.";
  }
  return `cannot be opened: ${problem ?? messageOf(error)}.`;
}

/**
 * Whether the disk is full: also IOERR_WRITE, the code for a quota or a file-size limit, and IOERR_SHMSIZE, when
 * the index of the write-ahead log cannot grow.
 */
export function isFull(error: unknown): boolean {
  const code = resultCode(error);
  return code === IOERR_WRITE || code === IOERR_SHMSIZE || primaryCode(error) === FULL || isSystemFull(error);
}

/** The system's codes for a full disk, a quota and a limit on the size of files. */
function isSystemFull(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
}

function primaryCode(error: unknown): number | undefined {
  const code = resultCode(error);
  return code === undefined ? undefined : code & 0xff;
}

function resultCode(error: unknown): number | undefined {
  if (error instanceof Error && "errcode" in error && typeof error.errcode === "number") return error.errcode;
  return undefined;
}

/** Why the file system does not let this user open a database, for the operator; undefined when it does. */
function accessProblem(location: string): string | undefined {
  try {
    if (statSync(location).isDirectory()) return "it is a folder; name a file in it";
  } catch {
    // It does not exist yet, or its folder is closed to this user.
  }
  const files = [location, ...SIDE_FILES.map((suffix) => location + suffix), existingFolderOf(location)];
  for (const file of files) {
    const refused = refusalOf(file);
    if (refused === "EROFS") return `${file} is on a read-only file system`;
    if (refused === "EACCES" || refused === "EPERM")
      return `this user may not read and write ${file}; use the server's user, or change the owner or the mode`;
  }
  return undefined;
}

/** The code with which the system refuses to let this user read and write a file; undefined when it does not. */
function refusalOf(file: string): unknown {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : undefined;
  }
}

/** The folder of a file, or the innermost one above it that exists. */
function existingFolderOf(file: string): string {
  const folder = dirname(file);
  return existsSync(folder) || folder === dirname(folder) ? folder : existingFolderOf(folder);
}
