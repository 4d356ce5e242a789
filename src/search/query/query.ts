/** The parts of a record in which words are searched by name. */
export type FieldName = "title" | "url" | "body" | "author";

/** A query as a tree. Both engines compile it, and the tests' model evaluates it. */
export type Query =
  | { readonly type: "and" | "or"; readonly nodes: readonly Query[] }
  | { readonly type: "not"; readonly node: Query }
  | Term
  /** A tag, by its key; unless exact, also those below it. */
  | { readonly type: "tag"; readonly key: string; readonly isExact: boolean }
  | { readonly type: "untagged" }
  /** A host, or any below it. */
  | { readonly type: "site"; readonly host: string }
  /** A page that the record leads to, by its hash. */
  | { readonly type: "linked"; readonly page: string }
  | CreatedFilter;

/** Adjacent words; the last one may be the beginning of one. */
export interface Term {
  readonly type: "term";
  readonly field?: FieldName | undefined;
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
}

/** When a record was created: from `from`, and before `to`, in milliseconds since 1970. */
export interface CreatedFilter {
  readonly type: "created";
  readonly from?: number;
  readonly to?: number;
}

/** A query that was read. */
export interface ParsedQuery {
  /** Undefined if it contains nothing to search for: then it matches nothing. */
  readonly root: Query | undefined;
  /** A query that is a URL: the hash of its page. */
  readonly page?: string | undefined;
}

/** The words that a query searches for, without the excluded ones. */
export function positiveTerms(query: Query): Term[] {
  switch (query.type) {
    case "and":
    case "or":
      return query.nodes.flatMap(positiveTerms);
    case "term":
      return [query];
    default:
      return [];
  }
}

/** Joins queries that must all match; undefined when there is none. */
export function allOf(nodes: readonly Query[]): Query | undefined {
  return nodes.length > 1 ? { type: "and", nodes } : nodes[0];
}

/** Joins queries of which one must match; undefined when there is none. */
export function anyOf(nodes: readonly Query[]): Query | undefined {
  return nodes.length > 1 ? { type: "or", nodes } : nodes[0];
}
