import type { Inspection } from "../database/inspection.ts";
import { findDamage } from "../database/sqlite-soundness.ts";
import { type Finding, faultsOr } from "./finding.ts";
import { checkPostgresIntegrity } from "./postgres-integrity.ts";

/** Whether what the engine has stored is in order, and stays stored once it is confirmed. */
export async function checkIntegrity(inspection: Inspection): Promise<Finding[]> {
  return inspection.engine === "sqlite" ? checkSqlite(inspection) : checkPostgresIntegrity(inspection);
}

async function checkSqlite({ raw }: Inspection): Promise<Finding[]> {
  const damage = await findDamage(async (statement) => raw(statement));
  return faultsOr("integrity", damage, "pages, indexes, values and foreign keys are in order");
}
