import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, readSync, statSync, truncateSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../errors.ts";
import { onOneLine } from "../../printable.ts";
import { type Contents, contentsOf, DIGEST_FORM, type DigestForm } from "../move/rows.ts";
import { SqliteEndpoint } from "../move/sqlite-endpoint.ts";
import { BACKUP_DIGESTS } from "../move/table.ts";
import { findDamage } from "./soundness.ts";

/** Contents by table name. */
export type DatabaseContents = ReadonlyMap<string, Contents>;

/**
 * The last line of a backup, behind the pages of the database: the SHA-256 of all bytes before it. SQLite ignores
 * what is behind the last page.
 */
const LAST_LINE = /^commonplace backup, sha256 of all before this line: ([0-9a-f]{64})\n$/;
const lastLine = (sha256: string) => `commonplace backup, sha256 of all before this line: ${sha256}\n`;
const LENGTH = lastLine("0".repeat(64)).length;

/** Where SQLite's header says how the file is read and written, and the value for a write-ahead log (fileformat2.html). */
const FORMAT_AT = 18;
const WITH_LOG = [2, 2];

/** The contents of every table in the connection's transaction, but for those that are derived from others. */
export async function databaseContents(path: string, connection: DatabaseSync): Promise<DatabaseContents> {
  const endpoint = new SqliteEndpoint(path, connection);
  const contents = new Map<string, Contents>();
  for (const table of await endpoint.tables()) contents.set(table.name, await contentsOf(endpoint, table));
  return contents;
}

/** Adds the digests of the original's tables to a copy, and the digest of the whole file as its last line. */
export async function addDigests(path: string, contents: DatabaseContents): Promise<void> {
  const copy = new DatabaseSync(path, { timeout: 0 });
  try {
    copy.exec(`
      drop table if exists ${BACKUP_DIGESTS};
      create table ${BACKUP_DIGESTS} (
        name text primary key, rows integer not null, sha256 text not null, form text not null) strict`);
    const insert = copy.prepare(`insert into ${BACKUP_DIGESTS} values (?, ?, ?, ?)`);
    for (const [name, { rows, sha256 }] of contents) insert.run(name, rows, sha256, DIGEST_FORM);
  } finally {
    copy.close();
  }
  const { size } = statSync(path);
  const line = lastLine(await sha256Of(path, size));
  const descriptor = openSync(path, "r+");
  try {
    writeSync(descriptor, line, size);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes a backup a plain database file again. */
export function removeDigests(path: string): void {
  if (digestIn(path) !== undefined) truncateSync(path, statSync(path).size - LENGTH);
  const backup = new DatabaseSync(path, { timeout: 0 });
  try {
    backup.exec(`drop table if exists ${BACKUP_DIGESTS}`);
  } finally {
    backup.close();
  }
}

/**
 * Compares a backup with its digests.
 *
 * @returns `same`; `none` for a database file without digests, or one that was used as a database since, which
 *   changed it; or what is damaged, as a clause
 */
export async function compareWithDigests(
  path: string,
): Promise<"same" | "none" | { readonly damage: string }> {
  if (hasLog(path)) return "none";
  const expected = digestIn(path);
  if (expected === undefined) {
    if (!hasTableDigests(path)) return "none";
    return { damage: "its last line is missing or changed, so the file is not whole" };
  }
  if ((await sha256Of(path, statSync(path).size - LENGTH)) === expected) return "same";
  const damage =
    (await damageIn(path))?.detail ??
    "no row of a record differs, but an index, the search index or unused space";
  return { damage: `its bytes are not those that were written; ${damage}` };
}

/** Whether the file was opened by a server: a backup is without a log. One changed bit does not make one of the other. */
function hasLog(path: string): boolean {
  const descriptor = openSync(path, "r");
  const format = Buffer.alloc(WITH_LOG.length);
  readSync(descriptor, format, 0, format.length, FORMAT_AT);
  closeSync(descriptor);
  return format.equals(Buffer.from(WITH_LOG));
}

/** Whether a file ends as a backup does. */
export function hasDigest(path: string): boolean {
  return digestIn(path) !== undefined;
}

function digestIn(path: string): string | undefined {
  const line = Buffer.alloc(LENGTH);
  const descriptor = openSync(path, "r");
  readSync(descriptor, line, 0, LENGTH, Math.max(0, statSync(path).size - LENGTH));
  closeSync(descriptor);
  return LAST_LINE.exec(line.toString("latin1"))?.[1];
}

function hasTableDigests(path: string): boolean {
  try {
    using file = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    return file.prepare("select 1 from sqlite_schema where name = ?").get(BACKUP_DIGESTS) !== undefined;
  } catch {
    // Not a database: who opens it next says so.
    return false;
  }
}

async function sha256Of(path: string, length: number): Promise<string> {
  const hash = createHash("sha256");
  if (length > 0)
    for await (const chunk of createReadStream(path, { end: length - 1, highWaterMark: 1024 * 1024 }))
      hash.update(chunk);
  return hash.digest("hex");
}

/** What is damaged in a copy. */
export interface CopyDamage {
  /** As a clause. */
  readonly detail: string;
  /** Whether it is the search index alone. */
  readonly isOfIndex: boolean;
}

/** What is damaged in a copy that has digests: its structure, or the rows of tables. */
export async function damageIn(path: string): Promise<CopyDamage | undefined> {
  try {
    using file = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    const { records, indexes, search } = await findDamage((statement) => file.prepare(statement).all());
    const [first] = [...records, ...indexes];
    if (first !== undefined) return { detail: onOneLine(first, " "), isOfIndex: false };
    if (search[0] !== undefined) return { detail: `${search[0]} are damaged`, isOfIndex: true };
    const tables = await differingTables(path, file);
    if (tables.length === 0) return undefined;
    return { detail: `the rows of ${tables.join(", ")} differ`, isOfIndex: false };
  } catch (error) {
    return { detail: messageOf(error), isOfIndex: false };
  }
}

async function differingTables(path: string, file: DatabaseSync): Promise<string[]> {
  const endpoint = new SqliteEndpoint(path, file);
  const written = file.prepare(`select * from ${BACKUP_DIGESTS}`).all();
  const expected = new Map(
    written.map(({ name, rows, sha256, form }) => [name, { rows: Number(rows), sha256, form }]),
  );
  const names: string[] = [];
  for (const table of await endpoint.tables()) {
    const { rows, sha256, form } = expected.get(table.name) ?? NOTHING;
    const found = await contentsOf(endpoint, table, boundedBy(rows), formNamed(form)).catch(() => undefined);
    if (found?.rows !== rows || found?.sha256 !== sha256) names.push(table.name);
  }
  return names;
}

const NOTHING = { rows: 0, sha256: undefined, form: undefined };

/** Backups of commit fa370e7d do not name the form of their digests. */
function formNamed(form: unknown): DigestForm {
  return form === "bytes" ? form : "hexadecimal";
}

/** A damaged key may sort before itself, and reading by key would begin again: never more rows than there were. */
function boundedBy(rows: number): (count: number) => void {
  let left = rows;
  return (count) => {
    left -= count;
    if (left < 0) throw new Error("There are more rows than there were.");
  };
}
