/**
 * Loaded into a server before its own code (`BUN_OPTIONS=--preload=…`). It makes SQLite as slow as the
 * environment says. So a test knows the server's capacity, and a small machine can send four times as many
 * requests.
 */
import { DatabaseSync, StatementSync } from "node:sqlite";

const SLOWLY = new Int32Array(new SharedArrayBuffer(4));

function slowly<Words extends unknown[], Result>(
  milliseconds: number,
  when: RegExp,
  textOf: (self: unknown, words: Words) => string,
  does: (this: unknown, ...words: Words) => Result,
) {
  return function (this: unknown, ...words: Words): Result {
    if (when.test(textOf(this, words))) Atomics.wait(SLOWLY, 0, 0, milliseconds);
    return does.apply(this, words);
  };
}

const perRead = Number(process.env.SLOW_READS ?? 0);
const perWrite = Number(process.env.SLOW_WRITES ?? 0);
const perCommit = Number(process.env.SLOW_COMMITS ?? 0);

StatementSync.prototype.all = slowly(
  perRead,
  /^select .* from bookmarks/s,
  (statement) => (statement as StatementSync).sourceSQL.trim(),
  StatementSync.prototype.all,
) as StatementSync["all"];
// One row is inserted by `run`, several by `all`.
StatementSync.prototype.run = slowly(
  perWrite,
  /^insert into bookmarks/,
  (statement) => (statement as StatementSync).sourceSQL.trim(),
  StatementSync.prototype.run,
) as StatementSync["run"];
StatementSync.prototype.all = slowly(
  perWrite,
  /^insert into bookmarks/,
  (statement) => (statement as StatementSync).sourceSQL.trim(),
  StatementSync.prototype.all,
) as StatementSync["all"];
DatabaseSync.prototype.exec = slowly(perCommit, /^commit$/, (_, [text]) => text, DatabaseSync.prototype.exec);
