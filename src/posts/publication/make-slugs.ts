import type { Database } from "../../database/database.ts";
import { makeMissingSlugs, postsWithoutSlug } from "./publication-store.ts";

/** Posts that get their slugs in one transaction. */
const BATCH = 200;

/**
 * Makes slugs for posts from before there were slugs; until then a post's path has its id. Several processes may do
 * this at once. Writes nothing when every post has its slug.
 */
export async function makeSlugs(database: Database): Promise<void> {
  while ((await postsWithoutSlug(database.read, 1)).length > 0)
    await database.write((sql) => makeMissingSlugs(sql, BATCH));
}
