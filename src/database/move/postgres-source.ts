import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../../errors.ts";
import { MOVED_TO } from "../moved.ts";
import { isConflict, isLockTimeout, SEAL } from "../postgres/errors.ts";
import type { HighestIds, Source } from "./endpoint.ts";
import { connectTo, PostgresEndpoint, reasonFor } from "./postgres-endpoint.ts";
import { quoted, type Table } from "./table.ts";

/** Attempts at locking the source's tables after deadlocks. */
const ATTEMPTS = 10;
/** Attempts at the seal, which excludes readers of one table, and the time limit of each, in milliseconds. */
const SEAL_ATTEMPTS = 60;
const SEAL_WAIT = 500;

/** Opens a PostgreSQL database as a source: nobody else can write to it until it is closed. */
export async function openPostgresSource(url: string): Promise<Source> {
  const source = new PostgresSource(...(await connectTo(url)));
  try {
    await source.lock();
    return source;
  } catch (error) {
    await source[Symbol.asyncDispose]();
    throw error;
  }
}

class PostgresSource extends PostgresEndpoint implements Source {
  /**
   * Locks every table against writers before the snapshot is taken: the first reading statement takes it, and
   * locking reads nothing (postgresql.org/docs/current/sql-lock.html).
   */
  async lock(): Promise<void> {
    if (!(await this.isOurs())) throw new StartError(`${this.location} is not a Commonplace database.`, 1);
    const names = (await this.tables()).map(quoted);
    for (let attempt = 1; ; attempt++) {
      try {
        await this.attempt("begin isolation level repeatable read");
        await this.attempt(`lock table ${names.join(", ")} in exclusive mode`);
        break;
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw reasonFor(this.location, error);
        await this.query("rollback");
      }
    }
    if ((await this.tables()).length !== names.length)
      throw new StartError(
        `The tables of ${this.location} changed while the move was starting. Try again.`,
        1,
      );
    await this.seekAlways();
  }

  async highestIds(): Promise<HighestIds> {
    const highest = new Map<string, number>();
    for (const { table, column, sequence } of await this.identities()) {
      // A sequence's last_value is the next id until it is first used, and the last id from then on.
      const [row] = await this.query<{ id: string }>(`
        select greatest(last_value - (not is_called)::integer, (select max(${column}) from ${table})) as id
        from ${sequence}`);
      const id = Number(row?.id);
      if (id > 0) highest.set(table, id);
    }
    return highest;
  }

  /**
   * Every transaction that changes something counts itself in `commits`. Once nothing more can be counted there, running
   * servers answer 503 to writes, and go on reading.
   */
  async seal(_tables: readonly Table[], to: string): Promise<void> {
    await this.query("insert into meta (name, value) values ($1, $2)", [MOVED_TO, to]);
    for (let attempt = 1; ; attempt++)
      try {
        // Readers wait behind it, so it waits only for a moment, and again.
        await this.attempt("savepoint sealing");
        await this.attempt(`set local lock_timeout = ${SEAL_WAIT}`);
        await this.attempt(`alter table commits add constraint ${SEAL} check (false) not valid`);
        return;
      } catch (error) {
        if (!isLockTimeout(error) || attempt === SEAL_ATTEMPTS) throw reasonFor(this.location, error);
        await this.query("rollback to savepoint sealing");
        await sleep(SEAL_WAIT);
      }
  }

  async unseal(): Promise<void> {
    await this.query(`alter table commits drop constraint if exists ${SEAL}`);
    await this.query("delete from meta where name = $1", [MOVED_TO]);
  }

  async commit(): Promise<void> {
    await this.query("commit");
  }
}
