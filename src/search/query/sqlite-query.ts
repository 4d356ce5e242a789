import type { CommonPairs } from "../index/common-pairs.ts";
import { isStart, pairOf, START } from "../index/sqlite-document.ts";
import { ANY_MARK, aboveTagMark, linkedMark, siteMark, tagMark, UNTAGGED_MARK } from "../text/document.ts";
import { dayPrefixes } from "./created-range.ts";
import type { Query, Term } from "./query.ts";
import { formsOf, type Tier } from "./tiers.ts";

/**
 * A query in the language of FTS5 (sqlite.org/fts5.html, section 3). It matches the records of a tier and of
 * those above it. Tokens contain no quotation marks and are quoted, so that user input cannot contain
 * operators.
 *
 * @param pairs the pairs of words that are looked for as one word
 */
export function ftsQuery(query: Query, tier: Tier, pairs: CommonPairs): string {
  switch (query.type) {
    case "term":
      return termQuery(query, tier, pairs);
    case "and":
      return allOf(query.nodes, tier, pairs);
    case "or":
      return `(${query.nodes.map((node) => ftsQuery(node, tier, pairs)).join(" OR ")})`;
    case "not":
      return allOf([query], tier, pairs);
    case "tag":
      return query.isExact
        ? phrase([tagMark(query.key)])
        : `(${phrase([tagMark(query.key)])} OR ${phrase([aboveTagMark(query.key)])})`;
    case "untagged":
      return phrase([UNTAGGED_MARK]);
    case "site":
      return phrase([siteMark(query.host)]);
    case "linked":
      return phrase([linkedMark(query.page)]);
    case "created": {
      const days = dayPrefixes(query).map((prefix) => phrase([prefix], true));
      return days.length === 0 ? NOTHING : `(${days.join(" OR ")})`;
    }
  }
}

/** In FTS5, `NOT` needs a query on both sides, so a negation alone excludes from all records. */
function allOf(nodes: readonly Query[], tier: Tier, pairs: CommonPairs): string {
  const queryOf = (node: Query, ofTier: Tier) => ftsQuery(node, ofTier, pairs);
  const wanted = nodes.filter((node) => node.type !== "not").map((node) => queryOf(node, tier));
  const unwanted = nodes.flatMap((node) => (node.type === "not" ? [queryOf(node.node, 3)] : []));
  const found = wanted.length === 0 ? phrase([ANY_MARK]) : `(${wanted.join(" AND ")})`;
  return unwanted.length === 0 ? found : `(${found} NOT (${unwanted.join(" OR ")}))`;
}

/** Matches nothing: the result of an empty range of dates. */
const NOTHING = `(${phrase([ANY_MARK])} NOT ${phrase([ANY_MARK])})`;

function termQuery({ field, tokens, isPrefix }: Term, tier: Tier, pairs: CommonPairs): string {
  if (field !== undefined && field !== "title") return `{${field}} : ${phrase(tokens, isPrefix)}`;
  const [first = "", second = ""] = tokens;
  const isPair = tokens.length === 2 && !isPrefix && pairs.use(first, second);
  const forms = formsOf(field === "title" ? 1 : tier).flatMap((head) =>
    isPair ? phrase([pairOf(first, second, head)]) : wordForms(tokens, isPrefix, head),
  );
  return `(${forms.join(" OR ")})`;
}

/** Words with the mark of their field. */
function wordForms(tokens: readonly string[], isPrefix: boolean, head: string): string[] {
  const [only = ""] = tokens;
  // Short prefixes are indexed as words: FTS5 would have to merge the many words that have them.
  if (isPrefix && tokens.length === 1 && isStart(only))
    return [phrase([head + only]), phrase([START + head + only])];
  return [
    phrase(
      tokens.map((token) => head + token),
      isPrefix,
    ),
  ];
}

function phrase(tokens: readonly string[], isPrefix = false): string {
  return `"${tokens.join(" ")}"${isPrefix ? " *" : ""}`;
}
