import type { Sql } from "../../database/database.ts";
import { INDEX_TABLES } from "../collection.ts";
import type { ThreadResult, ThreadSearch } from "../thread-search.ts";
import { CommonPairs } from "./common-pairs.ts";
import { sqliteIndex } from "./sqlite-index.ts";

/** Finds the entries of a page, and counts all matches, in the thread that reads. */
export async function findInThread(
  sql: Sql,
  wanted: ThreadSearch<unknown>,
): Promise<Omit<ThreadResult, "text">> {
  const { collection, countMax, commonWords, query, from, to, after, limit } = wanted;
  const pairs = new CommonPairs(commonWords);
  const range = { tables: INDEX_TABLES[collection], visible: undefined, query, from, to };
  const result = await sqliteIndex.findAndCount(sql, { ...range, pairs, after, limit }, countMax);
  return { ...result, hasUsedPairs: pairs.areUsed };
}
