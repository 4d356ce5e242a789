import type { Inspection } from "../database/inspection.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { type Finding, problemsOr } from "./finding.ts";

const TABLES = [
  "bookmarks",
  "posts",
  "comments",
  "accounts",
  "tokens",
  "keys",
  "imports",
  "tags",
  "copies",
  "changes",
  "jobs",
];

/** Checks that each table's next id was never assigned: copies and restores can reset sequences. */
export async function checkIds(inspection: Inspection): Promise<Finding[]> {
  const { engine, raw } = inspection;
  const problems: string[] = [];
  for (const table of TABLES) {
    const [row] = await raw(`select max(id) as highest from ${table}`);
    const highest = Number(row?.highest ?? 0);
    const last = await checksByEngine[engine].lastId(inspection, table);
    if (last < highest) problems.push(`${table} has the id sequence at ${last}, but an id ${highest} exists`);
  }
  return problemsOr("ids", problems, "all id sequences are ahead of the existing ids");
}
