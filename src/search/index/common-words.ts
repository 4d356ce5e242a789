import type { Sql } from "../../database/database.ts";
import { INDEX_TABLES, type IndexedCollection } from "../collection.ts";
import { type IndexedDocument, indexedDocument, MARKED, PARTS } from "../text/document.ts";
import { inSlices } from "./slices.ts";

/** The maximum number of common words: each makes the index larger. */
const WORDS_MAX = 30;
/** A word is common if at least this share of the records has it. */
const SHARE = 0.08;
/** The number of places in the order of ids from which a sample is read, and of records at each. */
const PLACES = 16;
const RECORDS_AT_PLACE = 64;
/** With fewer records, phrases are fast anyway, and a sample says little. */
export const RECORDS_MIN = 200;

/**
 * The words that are common in about a thousand records, from all parts of a collection; the most common ones come first.
 * Undefined if there are too few records to choose from.
 */
export async function chooseCommonWords(
  sql: Sql,
  collection: IndexedCollection,
): Promise<string[] | undefined> {
  const { records } = INDEX_TABLES[collection.name];
  const [row] = await sql<{ last: number | null }>`select max(id) as last from ${records}`;
  const lastId = Number(row?.last ?? 0);
  const sampled = new Set<number>();
  const counts = new Map<string, number>();
  for (let place = 0; place < PLACES; place++) {
    const before = Math.floor((lastId * place) / PLACES);
    const ids = (await collection.idsAfter(sql, before, RECORDS_AT_PLACE)).filter((id) => !sampled.has(id));
    for (const id of ids) sampled.add(id);
    for await (const record of inSlices(await collection.records(sql, ids)))
      for (const word of wordsOf(indexedDocument(record))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  if (sampled.size < RECORDS_MIN) return undefined;
  return [...counts]
    .filter(([, count]) => count >= sampled.size * SHARE)
    .sort(([, one], [, other]) => other - one)
    .slice(0, WORDS_MAX)
    .map(([word]) => word);
}

/**
 * The words beside another one, without those of the URL alone: nearly every record has `https`, but few phrases do.
 */
function wordsOf({ parts }: IndexedDocument): Set<string> {
  const words = new Set<string>();
  for (const part of PARTS) {
    if (part === "url") continue;
    const tokens = parts[part];
    for (const [index, token] of tokens.entries()) {
      const isAlone = (tokens[index - 1] ?? null) === null && (tokens[index + 1] ?? null) === null;
      if (token !== null && !isAlone) words.add(part === MARKED ? token.slice(1) : token);
    }
  }
  return words;
}
