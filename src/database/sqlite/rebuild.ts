import { realpathSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StartError } from "../../errors.ts";
import { syncFile, syncFolder } from "../durable-files.ts";
import { SCHEMA } from "../schema/schema.ts";
import { tablesIn, withoutComments } from "../schema/statements.ts";
import { sqliteStartError } from "./errors.ts";
import { APPLICATION_ID, createPrivately, SIDE_FILES } from "./file.ts";
import { withExclusiveLock } from "./locks/exclusive-lock.ts";
import { keepDatabase, takeOver } from "./restore.ts";
import { findDamage } from "./soundness.ts";

/**
 * Rebuilds all indexes of a database, in a new file with every row, read without an index. The old file is kept next to it. At
 * every instant one of the two is in place, whole. The search index is left out: the next server makes it again.
 *
 * @returns where the old file is
 * @throws StartError when a server is running, or a row is damaged; nothing has changed then
 */
export async function rebuildSqlite(given: string): Promise<string> {
  const location = realpathSync(given);
  const staged = `${location}.repairing`;
  const kept = `${location}.before-repair-${new Date().toISOString().replace(/[-:.]/g, "")}`;
  await withExclusiveLock(location, async () => {
    remove(staged);
    try {
      copyRows(staged, location);
      await refuseDamage(staged, location);
      takeOver(staged, location);
      keepDatabase(location, kept);
      renameSync(staged, location);
      syncFolder(dirname(location));
    } catch (error) {
      throw sqliteStartError(location, error);
    } finally {
      remove(staged);
    }
  });
  return kept;
}

/** @param location locked by this process */
function copyRows(staged: string, location: string): void {
  createPrivately(staged);
  using connection = new DatabaseSync(staged, { timeout: 0, enableForeignKeyConstraints: false });
  connection.exec("pragma journal_mode = memory; pragma synchronous = off; pragma cache_size = -65536");
  const old = `${pathToFileURL(location).href}?immutable=1`;
  connection.exec(`attach '${old.replaceAll("'", "''")}' as old; begin`);
  const statements = SCHEMA.sqlite.filter(
    (statement) => !/^create [a-z ]*\bsearch_/.test(withoutComments(statement)),
  );
  for (const statement of statements) connection.exec(statement);
  for (const name of tablesIn(statements)) {
    const columns = connection.prepare(`select name from pragma_table_info('${name}')`).all();
    const list = columns.map((column) => `"${column.name}"`).join(", ");
    // Not `select *` of the whole table, which would copy its indexes, too.
    connection.exec(`insert into ${name} (${list}) select ${list} from old.${name} not indexed where true`);
  }
  // Ids are never used twice, not even those of deleted records.
  connection.exec(`delete from sqlite_sequence; insert into sqlite_sequence (name, seq) select name, seq from old.sqlite_sequence;
    pragma application_id = ${APPLICATION_ID}; commit`);
}

/** @throws StartError */
async function refuseDamage(staged: string, location: string): Promise<void> {
  {
    using copy = new DatabaseSync(staged, { readOnly: true, timeout: 0 });
    const [damage] = (await findDamage((statement) => copy.prepare(statement).all())).records;
    if (damage !== undefined) throw new StartError(`${location} cannot be repaired: ${damage}.`, 1);
  }
  syncFile(staged);
}

function remove(staged: string): void {
  for (const end of ["", ...SIDE_FILES]) rmSync(staged + end, { force: true });
}
