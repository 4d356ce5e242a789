import { allOf, type Condition, type ParsedQuery, type Query, type StateName, wholeQuery } from "./query.ts";
import { QueryError } from "./query-error.ts";

/** A condition on the entries that a query finds. */
export interface EntryCondition {
  readonly condition: Condition;
  readonly isExcluded: boolean;
}

/** The values of `is:` and `has:`. */
export const STATES_OF: Readonly<Record<"is" | "has", readonly StateName[]>> = {
  is: ["unread", "archived"],
  has: ["copy", "mark"],
};

/** The letters that the beginning of a word must have inside texts, where far more words begin alike. */
export const INSIDE_BEGINNING_MIN = 4;

/** What all matches must match, also in parentheses. */
export function required(query: Query): readonly Query[] {
  return query.type === "and" ? query.nodes.flatMap(required) : [query];
}

/** The condition that a node is or excludes; undefined for any other. */
export function conditionOf(node: Query): EntryCondition | undefined {
  const inner = node.type === "not" ? node.node : node;
  return isCondition(inner) ? { condition: inner, isExcluded: inner !== node } : undefined;
}

/** The conditions among the terms that all matches must match. */
export function conditionsOf(query: Query | undefined): EntryCondition[] {
  return query === undefined ? [] : required(query).flatMap((node) => conditionOf(node) ?? []);
}

/** @throws QueryError for a condition within `OR` or an excluded group */
export function checkConditions(query: Query): void {
  for (const node of required(query)) {
    const misplaced = conditionOf(node) === undefined ? firstConditionIn(node) : undefined;
    if (misplaced === undefined) continue;
    const name = nameOf(misplaced);
    throw new QueryError(
      "unexpected",
      `"${name}" cannot stand within OR or an excluded group: put it beside them, as in (one OR other) ${name}.`,
      misplaced.position,
    );
  }
}

/**
 * Refuses what only those may ask who may read copies, and the marks in them.
 * @param detail of what a condition, by its name, asks for
 * @throws QueryError
 */
export function refuseCopies(query: ParsedQuery, detail: (name: string, what: string) => string): void {
  const asked = conditionsOf(wholeQuery(query)).find(({ condition }) => isOfCopies(condition));
  if (asked === undefined) return;
  const name = nameOf(asked.condition);
  const what = name === "has:mark" ? "marks" : "copies of pages";
  throw new QueryError("no_copies", detail(name, what), asked.condition.position);
}

function isOfCopies(condition: Condition): boolean {
  return condition.type === "inside" || STATES_OF.has.includes(condition.state);
}

function nameOf(condition: Condition): string {
  if (condition.type === "inside") return "page:";
  return `${isOfCopies(condition) ? "has" : "is"}:${condition.state}`;
}

function isCondition(node: Query): node is Condition {
  return node.type === "inside" || node.type === "state";
}

function firstConditionIn(node: Query): Condition | undefined {
  if (isCondition(node)) return node;
  if (node.type === "not") return firstConditionIn(node.node);
  if (node.type !== "and" && node.type !== "or") return undefined;
  for (const inner of node.nodes) {
    const found = firstConditionIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A query of words for the texts inside records, and what the words of the record itself must match. */
export interface InsideQuery {
  readonly inside: Query;
  /** Conditions on the record's own words, such as a tag. */
  readonly own: readonly Query[];
}

/**
 * A query as texts inside records answer it: they have the words that may stand anywhere, and the record itself has the rest.
 * Excluded words are in neither. Undefined if no word may stand anywhere.
 */
export function insideQueryOf(query: Query): InsideQuery | undefined {
  const wanted: Query[] = [];
  const unwanted: Query[] = [];
  const own: Query[] = [];
  for (const node of required(query)) {
    if (isOfWords(node)) wanted.push(withWholeWords(node));
    else if (node.type === "not" && isOfWords(node.node)) {
      unwanted.push({ type: "not", node: withWholeWords(node.node) });
      own.push(node);
    } else own.push(node);
  }
  const [first, ...others] = [...wanted, ...unwanted];
  if (wanted.length === 0 || first === undefined) return undefined;
  return { inside: others.length === 0 ? first : { type: "and", nodes: [first, ...others] }, own };
}

/** The words that a query asks of the texts inside records, wherever: those to show of them. */
export function insideWordsOf(query: ParsedQuery): {
  readonly words: Query | undefined;
  readonly isAsked: boolean;
} {
  const whole = wholeQuery(query);
  const pages = conditionsOf(whole).flatMap(({ condition, isExcluded }) =>
    condition.type === "inside" && !isExcluded ? [condition.query] : [],
  );
  const anywhere = whole && insideQueryOf(whole)?.inside;
  return { words: allOf([...pages, ...(anywhere ? [anywhere] : [])]), isAsked: pages.length > 0 };
}

/** Whether a query has nothing but words that may stand in any part. */
function isOfWords(query: Query): boolean {
  if (query.type === "term") return query.field === undefined;
  return (query.type === "and" || query.type === "or") && query.nodes.every(isOfWords);
}

/** Short beginnings count as whole words. */
function withWholeWords(query: Query): Query {
  if (query.type === "and" || query.type === "or")
    return { ...query, nodes: query.nodes.map(withWholeWords) };
  return query.type === "term" && isShortBeginning(query) ? { ...query, isPrefix: false } : query;
}

/** Whether a term is a beginning of too few letters. A single character is a word of a script without spaces. */
export function isShortBeginning({
  tokens,
  isPrefix,
}: {
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
}): boolean {
  const { length } = Array.from(tokens.at(-1) ?? "");
  return isPrefix && length > 1 && length < INSIDE_BEGINNING_MIN;
}
