import { labelOf, TAG_AND_HOST_PREFIX, TITLE_PREFIX } from "../index/postgres-document.ts";
import { ANY_MARK, aboveTagMark, linkedMark, siteMark, tagMark, UNTAGGED_MARK } from "../text/document.ts";
import { dayPrefixes } from "./created-range.ts";
import type { Query, Term } from "./query.ts";
import { LAST_TIER, type Tier } from "./tiers.ts";

/** The words of the other parts only: with one form of each word, a search is cheaper, but finds fewer records. */
export const OTHER_PARTS = "other parts";

type Forms = Tier | typeof OTHER_PARTS;

/**
 * A query as the texts of tsqueries, all of which match where the query does. As conditions of one scan of the index,
 * they cost less than one tsquery.
 */
export function tsqueries(query: Query, tier: Forms): string[] {
  const wanted = query.type === "and" ? query.nodes.filter(({ type }) => type !== "not") : [];
  const [first, ...others] = wanted;
  if (query.type !== "and" || first === undefined || others.length === 0) return [tsquery(query, tier)];
  const unwanted = query.nodes.filter(({ type }) => type === "not");
  return [allOf([first, ...unwanted], tier), ...others.map((node) => tsquery(node, tier))];
}

/**
 * A query as the text of a tsquery (postgresql.org/docs/current/datatype-textsearch.html). It matches the
 * records of a tier and of those above it. Lexemes are quoted, so that user input cannot contain operators.
 */
export function tsquery(query: Query, tier: Forms): string {
  switch (query.type) {
    case "term":
      return termQuery(query, tier);
    case "and":
      return allOf(query.nodes, tier);
    case "or":
      return `(${query.nodes.map((node) => tsquery(node, tier)).join(" | ")})`;
    case "not":
      return allOf([query], tier);
    case "tag":
      return query.isExact
        ? lexeme(tagMark(query.key))
        : `(${lexeme(tagMark(query.key))} | ${lexeme(aboveTagMark(query.key))})`;
    case "untagged":
      return lexeme(UNTAGGED_MARK);
    case "site":
      return lexeme(siteMark(query.host));
    case "linked":
      return lexeme(linkedMark(query.pageHash));
    case "created": {
      const days = dayPrefixes(query).map((prefix) => lexeme(prefix, "*"));
      return days.length === 0 ? NOTHING : `(${days.join(" | ")})`;
    }
    case "inside":
    case "state":
      throw new Error("Conditions are taken out of a query first.");
  }
}

/** A negation alone excludes from all records, which share a common mark in the index. */
function allOf(nodes: readonly Query[], tier: Forms): string {
  const wanted = nodes.filter((node) => node.type !== "not").map((node) => tsquery(node, tier));
  const unwanted = nodes.flatMap((node) =>
    node.type === "not" ? [`!${tsquery(node.node, LAST_TIER)}`] : [],
  );
  return `(${[...(wanted.length === 0 ? [lexeme(ANY_MARK)] : wanted), ...unwanted].join(" & ")})`;
}

/** Matches nothing, since every record has this mark: the result of an empty range of dates. */
const NOTHING = `(${lexeme(ANY_MARK)} & !${lexeme(ANY_MARK)})`;

function termQuery({ field, tokens, isPrefix }: Term, tier: Forms): string {
  if (field !== undefined && field !== "title") return phrase(tokens, isPrefix, "", labelOf(field));
  const forms = formsOf(field === "title" ? 1 : tier).map((form) => phrase(tokens, isPrefix, form));
  return forms.length === 1 ? forms.join("") : `(${forms.join(" | ")})`;
}

function phrase(tokens: readonly string[], isPrefix: boolean, form = "", weight = ""): string {
  const last = tokens.length - 1;
  const lexemes = tokens.map((token, index) =>
    lexeme(form + token, (isPrefix && index === last ? "*" : "") + weight),
  );
  return lexemes.length === 1 ? lexemes.join("") : `(${lexemes.join(" <-> ")})`;
}

function lexeme(token: string, flags = ""): string {
  return `'${token.replaceAll("\\", "\\\\").replaceAll("'", "''")}'${flags === "" ? "" : `:${flags}`}`;
}

/** The prefixes of words that match in a tier or in those above it. */
function formsOf(tier: Forms): readonly string[] {
  return tier === OTHER_PARTS ? [""] : [TITLE_PREFIX, TAG_AND_HOST_PREFIX, ""].slice(0, tier);
}
