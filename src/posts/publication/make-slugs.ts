import type { Database } from "../../database/database.ts";
import { assignSlugs, postsWithoutSlug } from "./publication-store.ts";

/** The number of posts that get slugs in one transaction. */
const BATCH = 200;

/**
 * Assigns slugs to posts that are older than slugs; until then, a post's path contains its id. Several processes
 * may do this at once. Writes nothing when every post has its slug.
 */
export async function assignMissingSlugs(database: Database): Promise<void> {
  while ((await postsWithoutSlug(database.read, 1)).length > 0)
    await database.write((sql) => assignSlugs(sql, BATCH));
}
