import type { Vocabulary } from "./atoms.ts";
import { parseQuery } from "./parser.ts";
import type { ParsedQuery } from "./query.ts";
import { QueryError } from "./query-error.ts";

/** A text that ends with a word, which nothing excludes. One character begins too many words. */
const ENDS_WITH_WORD = /(?:^|[\s(:])[\p{L}\p{M}\p{N}]{2,}$/u;
const ENDS_WITH_OPERATOR = /(?:^|[\s(])(?:AND|OR|NOT)$/;
const ENDS_EXCLUDED = /(?:^|[\s(])NOT\s+\S+$/;

/**
 * Reads a query that a person types. As long as no blank follows the last word, it may be half a word: then the query also
 * has a beginning, for the records that have a word that begins so.
 * @throws QueryError
 */
export function parseTypedQuery(text: string, vocabulary: Vocabulary): ParsedQuery {
  const query = parseQuery(text, vocabulary);
  if (!ENDS_WITH_WORD.test(text) || ENDS_WITH_OPERATOR.test(text) || ENDS_EXCLUDED.test(text)) return query;
  try {
    return { ...query, beginning: parseQuery(`${text}*`, vocabulary).root };
  } catch (error) {
    // Such as a date, or a query of the greatest length.
    if (error instanceof QueryError) return query;
    throw error;
  }
}
