/** The parts of a record that can be searched by name. The body is the note of a bookmark, and the text of a post. */
export type FieldName = "title" | "url" | "body" | "author";

/** A query as a tree. Both engines compile it, and the tests' model evaluates it. */
export type Query =
  | { readonly type: "and" | "or"; readonly nodes: readonly Query[] }
  | { readonly type: "not"; readonly node: Query }
  | Term
  /** A tag, by its key. Unless exact, it includes the tags below it. */
  | { readonly type: "tag"; readonly key: string; readonly isExact: boolean }
  | { readonly type: "untagged" }
  /** A host and its subdomains. */
  | { readonly type: "site"; readonly host: string }
  /** A page that the record links to, by its hash. */
  | { readonly type: "linked"; readonly pageHash: string }
  | CreatedFilter
  | Condition;

/** What records can have or be, besides their words. */
export type StateName = "copy" | "mark" | "unread" | "archived";

/**
 * What is asked of the entry and not of its words: it stands among the terms that all must match, alone or excluded, and is
 * taken out before an engine sees the query.
 */
export type Condition =
  /** The text inside the record matches a query of terms. */
  | { readonly type: "inside"; readonly query: Query; readonly position: number }
  | { readonly type: "state"; readonly state: StateName; readonly position: number };

/** Adjacent words. The last one may be a prefix. */
export interface Term {
  readonly type: "term";
  readonly field?: FieldName | undefined;
  readonly tokens: readonly string[];
  readonly isPrefix: boolean;
}

/** A range of times, in milliseconds since 1970: `from` is inclusive, `to` exclusive. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

/** A range of creation times. */
export interface CreatedFilter extends TimeRange {
  readonly type: "created";
  /** The same days in UTC, if those of the range are of another time zone: the index has words for these. */
  readonly days?: TimeRange;
}

/** The result of reading a query. */
export interface ParsedQuery {
  /** Undefined if the query contains nothing to search for: then nothing matches. */
  readonly root: Query | undefined;
  /** If the query is a URL, the hash of its web page. */
  readonly pageHash?: string | undefined;
  /** The query with its last word as the beginning of a word: it matches wherever `root` does. */
  readonly beginning?: Query | undefined;
}

/** What a query matches: {@link ParsedQuery.beginning} where there is one. */
export function wholeQuery({ root, beginning }: ParsedQuery): Query | undefined {
  return beginning ?? root;
}

/** The terms that a query searches for, without the excluded ones. */
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

/** A query that matches where all the given queries match; undefined if there are none. */
export function allOf(nodes: readonly Query[]): Query | undefined {
  return nodes.length > 1 ? { type: "and", nodes } : nodes[0];
}

/** A query that matches where any of the given queries matches; undefined if there are none. */
export function anyOf(nodes: readonly Query[]): Query | undefined {
  return nodes.length > 1 ? { type: "or", nodes } : nodes[0];
}
