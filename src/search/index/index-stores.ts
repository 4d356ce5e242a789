import type { Database } from "../../database/database.ts";
import type { IndexStore } from "./index-store.ts";
import { postgresIndex } from "./postgres-index.ts";
import { sqliteIndex } from "./sqlite-index.ts";

/** The one place where searching learns which engine it is on. */
export const indexStores: Readonly<Record<Database["engine"], IndexStore>> = {
  sqlite: sqliteIndex,
  postgres: postgresIndex,
};
