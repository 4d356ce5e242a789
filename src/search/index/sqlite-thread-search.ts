import type { Sql } from "../../database/database.ts";
import { INDEX_TABLES } from "../collection.ts";
import type { ThreadResult, ThreadSearch } from "../thread-search.ts";
import { CommonPairs } from "./common-pairs.ts";
import { sqliteIndex } from "./sqlite-index.ts";

/** Finds the entries of a page, and counts all matches if it is to, in the thread that reads. */
export async function findInThread(
  sql: Sql,
  wanted: ThreadSearch<unknown>,
): Promise<Omit<ThreadResult, "text">> {
  const { collection, countMax, commonWords, query, from, to, after, limit } = wanted;
  const pairs = new CommonPairs(commonWords);
  const range = { tables: INDEX_TABLES[collection], visible: undefined, query, from, to };
  const lookup = { ...range, pairs, after, limit };
  const result =
    countMax === undefined
      ? { found: await sqliteIndex.findRelevant(sql, lookup), count: undefined }
      : await sqliteIndex.findAndCount(sql, lookup, countMax);
  return { ...result, hasUsedPairs: pairs.areUsed };
}
