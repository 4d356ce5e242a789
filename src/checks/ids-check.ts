import type { Inspection } from "../database/inspection.ts";
import { type Finding, faultsOr } from "./finding.ts";

const TABLES = ["bookmarks", "posts", "comments", "accounts", "tokens", "imports"];

/** Whether the next id of each table is one that was never given: copies and restores can lose count. */
export async function checkIds({ engine, raw }: Inspection): Promise<Finding[]> {
  const faults: string[] = [];
  for (const table of TABLES) {
    const [row] = await raw(engine === "sqlite" ? sqliteSequence(table) : await postgresSequence(raw, table));
    const { given, highest } = row ?? {};
    if (Number(given) < Number(highest))
      faults.push(`${table} counts its ids from ${given}, and there is one of ${highest} already`);
  }
  return faultsOr("ids", faults, "every next id is a new one");
}

function sqliteSequence(table: string): string {
  return `select coalesce((select seq from sqlite_sequence where name = '${table}'), 0) as given,
    coalesce(max(id), 0) as highest from ${table}`;
}

async function postgresSequence(raw: Inspection["raw"], table: string): Promise<string> {
  const [row] = await raw(`select pg_get_serial_sequence('${table}', 'id') as name`);
  return `select case when is_called then last_value else 0 end as given,
    (select coalesce(max(id), 0) from ${table}) as highest from ${row?.name}`;
}
