import type { Database } from "../database/database.ts";
import type { EngineChecks } from "./engine-check.ts";
import { postgresChecks } from "./postgres-checks.ts";
import { sqliteChecks } from "./sqlite-checks.ts";

/** The one place where checks choose an engine. */
export const checksByEngine: Readonly<Record<Database["engine"], EngineChecks>> = {
  sqlite: sqliteChecks,
  postgres: postgresChecks,
};
