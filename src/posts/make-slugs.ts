import type { Database } from "../database/database.ts";
import { makeMissingSlugs } from "./publication-store.ts";

/** Posts that get their slugs in one transaction. */
const BATCH = 200;

/**
 * Gives the posts of before slugs were there theirs; until it has one, a post's path has its id. Several processes may
 * do this at once, and it does nothing when there is nothing to do.
 */
export async function makeSlugs(database: Database): Promise<void> {
  let made = BATCH;
  while (made === BATCH) made = await database.write((sql) => makeMissingSlugs(sql, BATCH));
}
