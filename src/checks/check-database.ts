import type { Inspection } from "../database/inspection.ts";
import { checksByEngine } from "./checks-by-engine.ts";
import { checkClock } from "./clock-check.ts";
import { checkCounters } from "./counters-check.ts";
import type { CheckName, Finding } from "./finding.ts";
import { checkIds } from "./ids-check.ts";
import { checkRecords } from "./records-check.ts";
import { checkReferences } from "./references-check.ts";
import { checkSchema, schemaOf } from "./schema-check.ts";
import { checkSearch } from "./search-check.ts";

const checks: [CheckName, (inspection: Inspection) => Promise<Finding[]>][] = [
  ["files", async (inspection) => checksByEngine[inspection.engine].files(inspection)],
  ["schema", checkSchema],
  ["integrity", (inspection) => checksByEngine[inspection.engine].integrity(inspection)],
  ["references", checkReferences],
  ["records", checkRecords],
  ["ids", checkIds],
  ["counters", checkCounters],
  ["search", checkSearch],
  ["clock", checkClock],
];

/** The checks that know no table. */
const OF_ANY_SCHEMA: readonly CheckName[] = ["files", "schema", "integrity"];

/** Runs all checks on a database, which is not changed. A check that fails does not stop the others. */
export async function checkDatabase(inspection: Inspection): Promise<Finding[]> {
  const isCurrent = (await schemaOf(inspection).catch(() => undefined)) === "current";
  const findings: Finding[] = [];
  for (const [name, check] of checks.filter(([name]) => isCurrent || OF_ANY_SCHEMA.includes(name))) {
    const checking = inspection.apart(() => check(inspection));
    findings.push(...(await checking.catch((error) => [unfinished(name, error)])));
  }
  return findings;
}

function unfinished(check: CheckName, error: unknown): Finding {
  const reason = error instanceof Error ? causeOf(error).message : String(error);
  return { check, status: "problem", detail: `could not be checked: ${reason}` };
}

/** The underlying error: the message of a refusal hides it from clients. */
function causeOf(error: Error): Error {
  return error.cause instanceof Error ? causeOf(error.cause) : error;
}
