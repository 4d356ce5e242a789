import { countCodePoints } from "../../text.ts";
import { pageHash } from "../text/page-key.ts";
import { atomQuery, isFieldOf, type Vocabulary } from "./atoms.ts";
import { checkConditions, conditionsOf } from "./conditions.ts";
import { type Atom, type Lexeme, lexemesOf } from "./lexer.ts";
import { allOf, anyOf, type ParsedQuery, positiveTerms, type Query } from "./query.ts";
import { QueryError } from "./query-error.ts";

/** Code points of a query. */
export const QUERY_MAX = 1_000;
const QUERY_TERMS_MAX = 32;
/** Groups within groups. */
const QUERY_DEPTH_MAX = 8;
/** The maximum number of words in all terms together. A URL can become a phrase of many words. */
const QUERY_WORDS_MAX = 200;

/**
 * Reads a query.
 *
 * ```
 * query = or ; or = and { "OR" and } ; and = not { ["AND"] not } ; not = ["-" | "NOT"] atom
 * atom  = "(" or ")" | [field ":"] ( word | "phrase" ) ["*"] | "#" tag
 * ```
 *
 * Without a blank after the colon, and with a known name before it: `Re: deep river` and `localhost:8080` are words.
 *
 * @throws QueryError with a code and a position
 */
export function parseQuery(text: string, vocabulary: Vocabulary): ParsedQuery {
  const tooLong = lengthError(text);
  if (tooLong !== undefined) throw new QueryError(tooLong.code, tooLong.detail, tooLong.position);
  const lexemes = lexemesOf(text, (name) => isFieldOf(vocabulary, name));
  const [only, end] = lexemes;
  const root = new Parser(lexemes, vocabulary).query();
  if (root !== undefined) checkConditions(root);
  return { root, pageHash: only?.type === "atom" && end?.type === "end" ? pageHashOf(only) : undefined };
}

/** The error of a query that is too long; undefined for any other. */
export function lengthError(text: string) {
  const length = countCodePoints(text);
  if (length <= QUERY_MAX) return undefined;
  const detail = `At most ${QUERY_MAX} characters; this has ${length}.`;
  return { code: "too_long" as const, detail, position: QUERY_MAX };
}

/** The hash of the web page that a query refers to, if the query is just a URL. */
function pageHashOf({ field, text, isQuoted }: Atom): string | undefined {
  if (field !== undefined || isQuoted || !/^https?:\/\//i.test(text)) return undefined;
  const url = URL.parse(text);
  return url === null ? undefined : pageHash(url.href);
}

/** A recursive descent parser. It leaves out parts without searchable text, which are `undefined`. */
class Parser {
  readonly #lexemes: readonly Lexeme[];
  readonly #vocabulary: Vocabulary;
  #at = 0;
  #terms = 0;
  #tokens = 0;

  constructor(lexemes: readonly Lexeme[], vocabulary: Vocabulary) {
    this.#lexemes = lexemes;
    this.#vocabulary = vocabulary;
  }

  query(): Query | undefined {
    const query = this.#or(0);
    if (this.#next.type === "end") return query;
    throw new QueryError(
      "unexpected",
      "There is no group that this parenthesis could close.",
      this.#next.position,
    );
  }

  get #next(): Lexeme {
    const next = this.#lexemes[this.#at];
    if (next === undefined) throw new Error("there is nothing after the end");
    return next;
  }

  #or(depth: number): Query | undefined {
    const nodes = [this.#and(depth)];
    while (this.#next.type === "or") {
      this.#at++;
      nodes.push(this.#and(depth));
    }
    return anyOf(nodes.filter(isThere));
  }

  #and(depth: number): Query | undefined {
    const nodes =
      this.#isAtEnd && depth > 0 && this.#lexemes[this.#at - 1]?.type === "open" ? [] : [this.#not(depth)];
    while (!this.#isAtEnd && this.#next.type !== "or") {
      if (this.#next.type === "and") this.#at++;
      nodes.push(this.#not(depth));
    }
    return allOf(nodes.filter(isThere));
  }

  get #isAtEnd(): boolean {
    return this.#next.type === "end" || this.#next.type === "close";
  }

  #not(depth: number): Query | undefined {
    const { type } = this.#next;
    if (type !== "not" && type !== "minus") return this.#atom(depth);
    this.#at++;
    const node = this.#atom(depth);
    return node && { type: "not", node };
  }

  #atom(depth: number): Query | undefined {
    const lexeme = this.#next;
    this.#at++;
    if (lexeme.type === "atom") return this.#term(lexeme);
    if (lexeme.type === "open") return this.#group(lexeme.position, depth + 1);
    // A minus after another operator is skipped; if no word follows, this call reports the error.
    if (lexeme.type === "minus") return this.#atom(depth);
    if (lexeme.type === "end" && this.#at === 1) {
      this.#at--;
      return undefined;
    }
    throw new QueryError("unexpected", "A word or a group is missing here.", lexeme.position);
  }

  #group(position: number, depth: number): Query | undefined {
    if (depth > QUERY_DEPTH_MAX)
      throw new QueryError("too_complex", `Groups may be nested at most ${QUERY_DEPTH_MAX} deep.`, position);
    const query = this.#or(depth);
    if (this.#next.type !== "close")
      throw new QueryError("unclosed_group", "This parenthesis is not closed.", position);
    this.#at++;
    return query;
  }

  #term(atom: Atom): Query | undefined {
    const { field, text, position } = atom;
    if (field !== undefined && text === "" && this.#next.type === "open")
      throw new QueryError(
        "unexpected",
        `"${field}:" belongs to one word or phrase: repeat it in the group, as in (${field}:a OR ${field}:b).`,
        position + field.length + 1,
      );
    const query = atomQuery(atom, this.#vocabulary);
    if (query === undefined) return undefined;
    // Emoji are separate terms.
    for (const term of query.type === "and" ? query.nodes : [query]) {
      this.#terms++;
      const words = term.type === "inside" ? positiveTerms(term.query) : [term];
      for (const word of words) if (word.type === "term") this.#tokens += word.tokens.length;
    }
    if (this.#terms > QUERY_TERMS_MAX)
      throw new QueryError("too_complex", `At most ${QUERY_TERMS_MAX} terms.`, position);
    if (this.#tokens > QUERY_WORDS_MAX)
      throw new QueryError("too_complex", `At most ${QUERY_WORDS_MAX} words.`, position);
    return query;
  }
}

function isThere(query: Query | undefined): query is Query {
  return query !== undefined;
}

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
    const beginning = parseQuery(`${text}*`, vocabulary).root;
    // Inside texts, words are searched as they stand.
    const isSame = JSON.stringify(conditionsOf(beginning)) === JSON.stringify(conditionsOf(query.root));
    return isSame ? { ...query, beginning } : query;
  } catch (error) {
    // Such as a date, or a query of the greatest length.
    if (error instanceof QueryError) return query;
    throw error;
  }
}
