import { describe, expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Refusal, StartError } from "../../errors.ts";
import { isBusy, sqliteRefusal, sqliteStartError } from "./errors.ts";

/** Result codes (sqlite.org/rescode.html) and what they mean while serving. */
const meanings: [name: string, code: number, reason: string][] = [
  ["SQLITE_BUSY", 5, "unavailable"],
  ["SQLITE_BUSY_SNAPSHOT", 517, "unavailable"],
  ["SQLITE_LOCKED", 6, "unavailable"],
  ["SQLITE_READONLY", 8, "unavailable"],
  ["SQLITE_IOERR", 10, "unavailable"],
  ["SQLITE_IOERR_READ", 266, "unavailable"],
  ["SQLITE_IOERR_WRITE", 778, "storage_full"],
  ["SQLITE_IOERR_FSYNC", 1034, "unavailable"],
  ["SQLITE_IOERR_SHMSIZE", 4874, "storage_full"],
  ["SQLITE_FULL", 13, "storage_full"],
  ["SQLITE_CANTOPEN", 14, "unavailable"],
  ["SQLITE_CORRUPT", 11, "unavailable"],
  ["SQLITE_NOTADB", 26, "unavailable"],
];

describe("sqliteRefusal", () => {
  for (const [name, code, reason] of meanings) {
    test(`of ${name} is ${reason}, with Retry-After, and the error for the log alone`, () => {
      const error = sqliteError(code);
      const refusal = sqliteRefusal(error);
      expect(refusal).toBeInstanceOf(Refusal);
      expect(refusal).toMatchObject({ reason, cause: error });
      expect((refusal as Refusal).retryAfter).toBePositive();
      expect((refusal as Refusal).message).not.toContain("driver");
    });
  }

  test("returns any other error unchanged", () => {
    for (const error of [sqliteError(1), sqliteError(19), new TypeError("x"), "a string", undefined])
      expect(sqliteRefusal(error)).toBe(error);
  });
});

describe("isBusy", () => {
  test("is true for locks alone", () => {
    for (const code of [5, 6, 261, 517]) expect(isBusy(sqliteError(code))).toBeTrue();
    for (const error of [sqliteError(8), new Error("database is locked"), null])
      expect(isBusy(error)).toBeFalse();
  });
});

/** In a folder to which the user of the tests may write. */
const FILE = join(tmpdir(), "a.db");

describe("sqliteStartError", () => {
  const sentences: [code: number, sentence: RegExp][] = [
    [5, /^a\.db is locked by another process\.$/],
    [8, /^a\.db cannot be written to\.$/],
    [13, /^a\.db cannot be opened: the disk is full\.$/],
    [778, /^a\.db cannot be opened: the disk is full\.$/],
    [4874, /^a\.db cannot be opened: the disk is full\.$/],
    [14, /^a\.db cannot be opened\.$/],
    [26, /^a\.db is not a SQLite database\.$/],
    [11, /^a\.db is damaged \(.*driver.*\): keep it, and restore a backup\.$/],
    [21, /^a\.db cannot be opened: .*driver/],
  ];
  for (const [code, sentence] of sentences) {
    test(`of code ${code} is reported in one line, with exit code 1`, () => {
      const error = sqliteStartError(FILE, sqliteError(code));
      expect(error).toBeInstanceOf(StartError);
      expect(error.exitCode).toBe(1);
      expect(error.message.replace(FILE, "a.db")).toMatch(sentence);
      expect(error.message).not.toContain("\n");
    });
  }
});

/** An error as `node:sqlite` throws it. */
function sqliteError(errcode: number): Error {
  return Object.assign(new Error("what the driver says"), { code: "ERR_SQLITE_ERROR", errcode });
}
