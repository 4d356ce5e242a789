import { statfsSync } from "node:fs";
import type { TransactionSQL } from "bun";
import { StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { PREPARING } from "../postgres/prepare-schema.ts";
import { factsOfUpgraded, SCHEMA } from "../schema/schema.ts";
import { ENTRIES_OF_ALL } from "../schema/search-entries.ts";
import { tablesIn } from "../schema/statements.ts";
import { carryingStatements, EARLIER_CHANGES, EARLIER_TABLES } from "./statements.ts";

/** The schema in which the tables of commit 73274df2 are kept. */
export const KEPT = "commonplace_73274df2";

/** What an earlier database has besides the tables that come along. */
const OTHER_TABLES = ["migrations", "previews", "search_pending", "search_state"];
const OTHER_FUNCTIONS = ["search_mark_inserted", "search_mark_changed", "search_mark_commented"];

/**
 * Upgrades a database of commit 73274df2 in the caller's transaction: its tables go into a schema of their own, where they
 * are kept, and the tables of the present schema are made and filled in their place.
 *
 * @throws StartError when a server still uses the database, or there is no room
 */
export async function upgradePostgres(transaction: TransactionSQL, log?: Log): Promise<void> {
  const start = performance.now();
  // Another process that starts waits here. Afterwards, the table is gone from the schema, and it looks again.
  await transaction.unsafe("lock table migrations in access exclusive mode");
  await refuseUsers(transaction);
  await refuseWithoutRoom(transaction);
  await transaction.unsafe(`create schema ${KEPT}`);
  const known = [...EARLIER_TABLES, ...OTHER_TABLES, ...tablesIn(SCHEMA.postgres)];
  for (const name of new Set(known))
    await transaction.unsafe(`alter table if exists ${name} set schema ${KEPT}`);
  for (const name of OTHER_FUNCTIONS) await transaction.unsafe(`alter function ${name}() set schema ${KEPT}`);

  for (const statement of [...SCHEMA.postgres, ...carryingStatements(KEPT), ...ENTRIES_OF_ALL.postgres])
    await transaction.unsafe(statement);
  for (const fact of factsOfUpgraded())
    await transaction.unsafe("insert into meta (name, value) values ($1, $2)", fact);
  for (const name of tablesIn(SCHEMA.postgres)) {
    await continueIds(transaction, name);
    // Until then, the planner takes it for an empty table.
    await transaction.unsafe(`analyze ${name}`);
  }
  log?.info(`The database of commit 73274df2 was upgraded; its tables are kept in the schema ${KEPT}.`, {
    milliseconds: Math.round(performance.now() - start),
  });
}

/** Ids are never used twice, those of deleted records neither. A table that was not there begins with 1. */
async function continueIds(transaction: TransactionSQL, table: string): Promise<void> {
  const earlier = table === "changes" ? EARLIER_CHANGES : table;
  const [has] = await transaction.unsafe(
    `select 1 from pg_attribute where attrelid = to_regclass('${KEPT}.${earlier}') and attidentity <> ''`,
  );
  if (has === undefined) return;
  const [of] = await transaction.unsafe(
    `select pg_get_serial_sequence('${KEPT}.${earlier}', 'id') as sequence`,
  );
  await transaction.unsafe(
    `select setval(pg_get_serial_sequence('${table}', 'id'), last_value, is_called) from ${of?.sequence}`,
  );
}

/** @throws StartError when a server of the earlier version is connected: it would write without the search index */
async function refuseUsers(transaction: TransactionSQL): Promise<void> {
  const [row] = await transaction`
    select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name like 'commonplace%' and application_name <> ${PREPARING}`;
  if (Number(row?.n) > 0)
    throw new StartError("The database has to be upgraded, but a server uses it: stop all servers first.", 1);
}

/**
 * The free space is known only on the machine of the database server, to a role that may see where its files are. Elsewhere
 * a full disk rolls the upgrade back.
 * @throws StartError
 */
async function refuseWithoutRoom(transaction: TransactionSQL): Promise<void> {
  const [row] = await transaction`
    select pg_database_size(current_database()) as size, (
      select setting from pg_settings where name = 'data_directory') as folder`;
  const free = freeIn(row?.folder);
  if (free === undefined || free > Number(row?.size)) return;
  const megabytes = (bytes: number) => Math.ceil(bytes / 1e6);
  throw new StartError(
    `The database has to be upgraded, for which it is copied: that needs ${megabytes(Number(row?.size))} MB of disk space, and ${megabytes(free)} MB are free.`,
    1,
  );
}

function freeIn(folder: unknown): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(String(folder));
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
