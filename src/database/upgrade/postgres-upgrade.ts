import { setTimeout } from "node:timers/promises";
import type { TransactionSQL } from "bun";
import { StartError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import type { Sql } from "../database.ts";
import type { Bound } from "../fragment.ts";
import { PREPARING, send } from "../postgres/pool.ts";
import { nameOf, nameStatement, SCHEMA_QUERY, type Schema, stepsAfter } from "../schema/schema.ts";
import { tablesIn } from "../schema/statements.ts";

/** How often it is asked for other servers, and how many milliseconds apart. */
const LOOKS = 20;
const LOOK_EVERY = 100;

/**
 * Takes the steps that a database lacks, in the caller's transaction.
 * @throws StartError when a server still uses the database
 */
export async function upgradePostgres(transaction: TransactionSQL, schema: Schema, log?: Log): Promise<void> {
  const start = performance.now();
  // Another process that starts waits here, and finds nothing to do afterwards.
  await transaction.unsafe("lock table meta in access exclusive mode");
  const [row] = await transaction.unsafe(SCHEMA_QUERY);
  const from = String(row?.value);
  const steps = stepsAfter(from, schema) ?? [];
  if (steps.length === 0) return;
  await refuseUsers(transaction);
  const given = await nextIds(transaction);
  for (const { postgres, fill } of steps) {
    for (const statement of postgres) await transaction.unsafe(statement);
    await fill?.(sqlOf(transaction));
  }
  // Of a table that was rebuilt, ids of deleted records, too, are not given again.
  for (const { column, sequence, next } of await nextIds(transaction)) {
    const before = given.find((one) => one.column === column)?.next ?? 0;
    if (next < before) await transaction`select setval(${sequence}, ${before}, false)`;
  }
  await transaction.unsafe(nameStatement(schema));
  // Until then, the planner takes a table that was rebuilt for an empty one.
  const made = new Set(tablesIn(steps.flatMap(({ postgres }) => postgres)));
  for (const name of tablesIn(schema.postgres))
    if (made.has(name)) await transaction.unsafe(`analyze ${name}`);
  log?.info(`The database was upgraded from the schema ${from} to ${nameOf(schema)}.`, {
    milliseconds: Math.round(performance.now() - start),
  });
}

interface NextId {
  /** With its table. */
  readonly column: string;
  readonly sequence: string;
  readonly next: number;
}

/** The next id of each table that gives ids. */
async function nextIds(transaction: TransactionSQL): Promise<NextId[]> {
  const sequences = await transaction.unsafe(`
    select relname || '.' || attname as column, pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relnamespace = current_schema()::regnamespace`);
  const next: NextId[] = [];
  for (const { column, sequence } of sequences) {
    const [row] = await transaction.unsafe(`select last_value + is_called::integer as next from ${sequence}`);
    next.push({ column, sequence, next: Number(row?.next) });
  }
  return next;
}

function sqlOf(transaction: TransactionSQL): Sql {
  const sql = <Row>(text: TemplateStringsArray, ...values: Bound[]) =>
    send<Row>(transaction, text, values) as Promise<Row[]>;
  return Object.assign(sql, { engine: "postgres" as const, slot: 0 }) as Sql;
}

/**
 * Refuses while a server of the earlier version is connected, since it would go on with the tables of before. PostgreSQL ends a
 * connection a moment after its client has left, so it is asked again.
 * @throws StartError
 */
async function refuseUsers(transaction: TransactionSQL): Promise<void> {
  for (let look = 1; look <= LOOKS; look++) {
    // Within a transaction, its answer would stay the same.
    await transaction`select pg_stat_clear_snapshot()`;
    const [row] = await transaction`
      select count(*) as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and application_name like 'commonplace%' and application_name <> ${PREPARING}`;
    if (Number(row?.n) === 0) return;
    await setTimeout(LOOK_EVERY);
  }
  throw new StartError("The database has to be upgraded, but a server uses it: stop all servers first.", 1);
}
