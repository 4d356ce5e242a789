import { ANY_MARK, OTHER_HEAD, siteMark, TITLE_HEAD, tagMark, UNTAGGED_MARK } from "../text/document.ts";
import { dayPrefixes } from "./created-range.ts";
import type { Query, Term } from "./query.ts";
import type { Tier } from "./tiers.ts";

/**
 * A query in the language of FTS5 (sqlite.org/fts5.html, section 3), for the records of a tier and those above
 * it. Tokens hold no quotation mark, and stand in strings: nothing that was typed is an operator.
 */
export function ftsQuery(query: Query, tier: Tier): string {
  switch (query.type) {
    case "term":
      return termQuery(query, tier);
    case "and":
      return allOf(query.nodes, tier);
    case "or":
      return `(${query.nodes.map((node) => ftsQuery(node, tier)).join(" OR ")})`;
    case "not":
      return allOf([query], tier);
    case "tag":
      return phrase([tagMark(query.key, query.isExact)]);
    case "untagged":
      return phrase([UNTAGGED_MARK]);
    case "site":
      return phrase([siteMark(query.host)]);
    case "created": {
      const days = dayPrefixes(query).map((prefix) => phrase([prefix], true));
      return days.length === 0 ? NOTHING : `(${days.join(" OR ")})`;
    }
  }
}

/** FTS5 knows `NOT` between two queries alone, so that a negation alone takes from all records. */
function allOf(nodes: readonly Query[], tier: Tier): string {
  const wanted = nodes.filter((node) => node.type !== "not").map((node) => ftsQuery(node, tier));
  const unwanted = nodes.flatMap((node) => (node.type === "not" ? [ftsQuery(node.node, 3)] : []));
  const found = wanted.length === 0 ? phrase([ANY_MARK]) : `(${wanted.join(" AND ")})`;
  return unwanted.length === 0 ? found : `(${found} NOT (${unwanted.join(" OR ")}))`;
}

/** Every record has the one mark, and none has the other with it: what an empty time finds. */
const NOTHING = `(${phrase([ANY_MARK])} NOT ${phrase([ANY_MARK])})`;

function termQuery({ field, tokens, isPrefix }: Term, tier: Tier): string {
  const inTitle = phrase(
    tokens.map((token) => TITLE_HEAD + token),
    isPrefix,
  );
  if (field === "title") return inTitle;
  if (field !== undefined) return `{${field}} : ${phrase(tokens, isPrefix)}`;
  if (tier === 1) return inTitle;
  if (tier === 3) return phrase(tokens, isPrefix);
  return `(${inTitle} OR ${phrase(
    tokens.map((token) => OTHER_HEAD + token),
    isPrefix,
  )})`;
}

function phrase(tokens: readonly string[], isPrefix = false): string {
  return `"${tokens.join(" ")}"${isPrefix ? " *" : ""}`;
}
