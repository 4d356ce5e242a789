import type { Sql } from "../database/database.ts";
import type { Inspection } from "../database/inspection.ts";
import type { RecordCount, RecordProblem } from "../kept/kept.ts";
import { nouns } from "../nouns.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { type Finding, problemsOr } from "./finding.ts";

/** Checks rules on rows beyond the constraints of the schema. */
export async function checkRecords(inspection: Inspection): Promise<Finding[]> {
  const { sql, engine } = inspection;
  const found: (RecordProblem | string)[] = [
    ...(await importProblems(sql)),
    ...(await idempotencyProblems(sql)),
    ...(await checksByEngine[engine].records(inspection)),
  ];
  for (const noun of nouns) found.push(...((await noun.check?.(sql)) ?? []));
  const problems = found.flatMap((problem) => {
    if (typeof problem === "string") return [problem];
    const [what, [count]] = problem;
    return Number(count?.n) > 0 ? [`${count?.n} ${what}, such as ${count?.example}`] : [];
  });
  return problemsOr("records", problems, "all rows are valid");
}

async function importProblems(sql: Sql): Promise<RecordProblem[]> {
  return [
    [
      "imports with incomplete rows (no bookmark, or no earlier contents)",
      await sql<RecordCount>`select count(distinct import_id) as n, min(import_id) as example from import_rows
        where folders is not null and (position < 1 or line < 1
          or (outcome in ('added', 'updated') and (record_id is null or record_version is null))
          or (outcome = 'updated' and before is null))`,
    ],
  ];
}

async function idempotencyProblems(sql: Sql): Promise<RecordProblem[]> {
  return [
    [
      "stored responses that are not 2xx or have no request hash",
      await sql<RecordCount>`select count(*) as n, min(path) as example from idempotency_keys
        where status < 200 or status > 299 or length(body_sha256) <> 64`,
    ],
  ];
}
