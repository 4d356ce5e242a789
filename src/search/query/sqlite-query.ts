import { ANY_MARK, aboveTagMark, linkedMark, siteMark, tagMark, UNTAGGED_MARK } from "../text/document.ts";
import { dayPrefixes } from "./created-range.ts";
import type { Query, Term } from "./query.ts";
import { LAST_TIER, type Tier } from "./tiers.ts";

/**
 * A query in the language of FTS5 (sqlite.org/fts5.html, section 3). It matches the records of a tier and of
 * those above it. Tokens contain no quotation marks and are quoted, so that user input cannot contain
 * operators.
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
      return query.isExact
        ? phrase([tagMark(query.key)])
        : `(${phrase([tagMark(query.key)])} OR ${phrase([aboveTagMark(query.key)])})`;
    case "untagged":
      return phrase([UNTAGGED_MARK]);
    case "site":
      return phrase([siteMark(query.host)]);
    case "linked":
      return phrase([linkedMark(query.pageHash)]);
    case "created": {
      const days = dayPrefixes(query).map((prefix) => phrase([prefix], true));
      return days.length === 0 ? NOTHING : `(${days.join(" OR ")})`;
    }
    case "inside":
    case "state":
      throw new Error("Conditions are taken out of a query first.");
  }
}

/** In FTS5, `NOT` needs a query on both sides, so a negation alone excludes from all records. */
function allOf(nodes: readonly Query[], tier: Tier): string {
  const wanted = nodes.filter((node) => node.type !== "not").map((node) => ftsQuery(node, tier));
  const unwanted = nodes.flatMap((node) => (node.type === "not" ? [ftsQuery(node.node, LAST_TIER)] : []));
  const found = wanted.length === 0 ? phrase([ANY_MARK]) : `(${wanted.join(" AND ")})`;
  return unwanted.length === 0 ? found : `(${found} NOT (${unwanted.join(" OR ")}))`;
}

/** Matches nothing: the result of an empty range of dates. */
const NOTHING = `(${phrase([ANY_MARK])} NOT ${phrase([ANY_MARK])})`;

/** The columns of the words that count for a tier and those above it. */
const COLUMNS: Readonly<Record<Tier, string>> = { 1: "title", 2: "title heads", 3: "" };

function termQuery({ field, tokens, isPrefix }: Term, tier: Tier): string {
  const columns = field ?? COLUMNS[tier];
  return columns === "" ? phrase(tokens, isPrefix) : `({${columns}} : ${phrase(tokens, isPrefix)})`;
}

function phrase(tokens: readonly string[], isPrefix = false): string {
  return `"${tokens.join(" ")}"${isPrefix ? " *" : ""}`;
}
