import type { Database, Sql } from "../database/database.ts";
import { PROGRAM, WRITTEN_BY } from "../database/schema/schema.ts";
import type { Log } from "../log.ts";
import { repairCounters } from "./counters-check.ts";

/** At the start of a server: counts again if servers of another version may have written since the last time. */
export async function recountAfterOthers(database: Database, log: Log): Promise<void> {
  if ((await writer(database.read)) === PROGRAM) return;
  const wrong = await repairCounters(database);
  await database.write((sql) => recordWriter(sql));
  for (const { name, is, mustBe } of wrong)
    log.warn(`Another version has written to this database: ${name} was ${is} and is now ${mustBe}.`);
}

/** At the end of a server: if one of another version has started meanwhile, the next one counts again. */
export async function leaveToOthers(database: Database): Promise<void> {
  if ((await writer(database.read)) !== PROGRAM)
    await database.write((sql) => sql`delete from meta where name = ${WRITTEN_BY}`);
}

async function writer(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ value: string }>`select value from meta where name = ${WRITTEN_BY}`;
  return row?.value;
}

function recordWriter(sql: Sql) {
  return sql`
    insert into meta (name, value) values (${WRITTEN_BY}, ${PROGRAM})
    on conflict (name) do update set value = excluded.value`;
}
