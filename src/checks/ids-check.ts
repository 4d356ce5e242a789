import type { Inspection } from "../database/inspection.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { type Finding, problemsOr } from "./finding.ts";
import { openModel } from "./schema-check.ts";

/** Checks that each table's next id was never assigned: copies and restores can reset sequences. */
export async function checkIds(inspection: Inspection): Promise<Finding[]> {
  const { engine, raw } = inspection;
  using model = openModel();
  const tables = model
    .prepare("select name from sqlite_schema where sql like '%primary key autoincrement%'")
    .all();
  const problems: string[] = [];
  for (const { name } of tables) {
    const table = String(name);
    const [row] = await raw(`select max(id) as highest from ${table}`);
    const highest = Number(row?.highest ?? 0);
    const last = await checksByEngine[engine].lastId(inspection, table);
    if (last < highest) problems.push(`${table} has the id sequence at ${last}, but an id ${highest} exists`);
  }
  return problemsOr("ids", problems, "all id sequences are ahead of the existing ids");
}
