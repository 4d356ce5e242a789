/** The maximum number of characters of a filter. */
const FILTER_MAX = 1_000;
const DEPTH_MAX = 8;
const COMPARISONS_MAX = 50;

/** A value to compare with; text without its quotes. */
export type NqlValue = string | boolean | null;

/** The comparison; `in` has one or several values. */
export type Operator = "in" | ">" | ">=" | "<" | "<=";

/** One comparison of a filter, such as `tag:-[news,old]`. */
export interface Comparison {
  readonly kind: "comparison";
  readonly field: string;
  /** The position of the field, in code points from 0, for errors. */
  readonly position: number;
  readonly operator: Operator;
  readonly not: boolean;
  readonly values: readonly NqlValue[];
}

/** Filters that must all match (`and`), or at least one (`or`). */
export interface Combination {
  readonly kind: "and" | "or";
  readonly parts: readonly NqlFilter[];
}

/** A filter as a tree. */
export type NqlFilter = Comparison | Combination;

/** A syntax error in a filter. Its message is a sentence for people. */
export class NqlError extends Error {
  override readonly name = "NqlError";
  /** The position, in code points from 0. */
  readonly position: number;

  constructor(detail: string, position: number) {
    super(detail);
    this.position = position;
  }
}

/**
 * Parses a filter in Ghost's query language (NQL):
 *
 * ```
 * or    = and { "," and } ; and = atom { "+" atom }
 * atom  = "(" or ")" | field ":" [ "-" ] ( value | "[" value { "," value } "]" ) | field ":" ( ">" | ">=" | "<" | "<=" ) value
 * value = "'" text "'" | word
 * ```
 *
 * The operator `~` (contains) is not supported.
 *
 * @throws NqlError with a position
 */
export function parseNql(filter: string): NqlFilter {
  return new Parser(Array.from(filter)).filter();
}

const FIELD = /^[A-Za-z_.]$/;
/** A word ends at a special character without a backslash before it. */
const ENDS_WORD = /^[\s'"+,()[\]<>=~]$/;

class Parser {
  readonly #characters: readonly string[];
  #at = 0;
  #comparisons = 0;

  constructor(characters: readonly string[]) {
    this.#characters = characters;
  }

  filter(): NqlFilter {
    if (this.#characters.length > FILTER_MAX)
      throw new NqlError(`A filter may have at most ${FILTER_MAX} characters.`, FILTER_MAX);
    const filter = this.#or(0);
    if (this.#at < this.#characters.length) throw this.#unexpected("the end");
    return filter;
  }

  #or(depth: number): NqlFilter {
    return this.#list("or", ",", () => this.#list("and", "+", () => this.#atom(depth)));
  }

  #list(kind: "and" | "or", separator: string, part: () => NqlFilter): NqlFilter {
    const parts = [part()];
    while (this.#takes(separator)) parts.push(part());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind, parts };
  }

  #atom(depth: number): NqlFilter {
    this.#skipSpace();
    if (!this.#takes("(")) return this.#comparison();
    if (depth === DEPTH_MAX)
      throw new NqlError(`Groups may be nested at most ${DEPTH_MAX} deep.`, this.#at - 1);
    const inner = this.#or(depth + 1);
    this.#expect(")");
    return inner;
  }

  #comparison(): Comparison {
    const position = this.#at;
    if (++this.#comparisons > COMPARISONS_MAX)
      throw new NqlError(`A filter may have at most ${COMPARISONS_MAX} comparisons.`, position);
    let field = "";
    while (FIELD.test(this.#next)) field += this.#take();
    if (field === "") throw this.#unexpected("a field");
    this.#expect(":");
    const not = this.#takes("-");
    if (this.#takes("["))
      return { kind: "comparison", field, position, operator: "in", not, values: this.#values() };
    const operator = this.#operator();
    return { kind: "comparison", field, position, operator, not, values: [this.#value()] };
  }

  #operator(): Operator {
    for (const operator of [">=", "<=", ">", "<"] as const) {
      if (this.#characters.slice(this.#at, this.#at + operator.length).join("") !== operator) continue;
      this.#at += operator.length;
      return operator;
    }
    if (this.#next === "~") throw new NqlError("The operator ~ (contains) is not supported.", this.#at);
    return "in";
  }

  #values(): NqlValue[] {
    const values = [this.#value()];
    while (this.#takes(",")) values.push(this.#value());
    this.#expect("]");
    return values;
  }

  #value(): NqlValue {
    this.#skipSpace();
    const position = this.#at;
    if (this.#takes("'")) return this.#quoted(position);
    let word = "";
    let isPlain = true;
    while (this.#at < this.#characters.length) {
      if (this.#next === "\\") {
        this.#at++;
        isPlain = false;
      } else if (ENDS_WORD.test(this.#next)) break;
      word += this.#take();
    }
    if (word === "") throw this.#unexpected("a value");
    return isPlain ? literal(word) : word;
  }

  #quoted(start: number): string {
    let text = "";
    while (!this.#takes("'")) {
      if (this.#next === "\\" && this.#characters[this.#at + 1] === "'") this.#at++;
      if (this.#at >= this.#characters.length)
        throw new NqlError("This quotation mark is not closed.", start);
      text += this.#take();
    }
    return text;
  }

  get #next(): string {
    return this.#characters[this.#at] ?? "";
  }

  #take(): string {
    const character = this.#next;
    this.#at++;
    return character;
  }

  #takes(character: string): boolean {
    if (character !== "'") this.#skipSpace();
    if (this.#next !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#takes(character)) throw this.#unexpected(`"${character}"`);
  }

  #skipSpace(): void {
    while (/^\s$/.test(this.#next)) this.#at++;
  }

  #unexpected(expected: string): NqlError {
    const found = this.#next === "" ? "the end" : `"${this.#next}"`;
    return new NqlError(`Expected ${expected}, but found ${found}.`, this.#at);
  }
}

function literal(word: string): NqlValue {
  if (word === "true" || word === "false") return word === "true";
  if (word === "null") return null;
  return word;
}
