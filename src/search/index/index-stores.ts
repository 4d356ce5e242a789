import type { Database } from "../../database/database.ts";
import type { IndexStore } from "./index-store.ts";
import { postgresIndex } from "./postgres-index.ts";
import { sqliteIndex } from "./sqlite-index.ts";

/** The index store of each engine. */
export const indexStores: Readonly<Record<Database["engine"], IndexStore>> = {
  sqlite: sqliteIndex,
  postgres: postgresIndex,
};
