import { UNSEEN } from "../text/fold.ts";
import { QueryError } from "./query-error.ts";

/** A token of a query with its position, in code points from 0. */
export type Lexeme =
  | { readonly type: "open" | "close" | "minus" | "and" | "or" | "not" | "end"; readonly position: number }
  | Atom;

/** A search text, as written. */
export interface Atom {
  readonly type: "atom";
  readonly position: number;
  /** The known name before a colon, in lower case. */
  readonly field: string | undefined;
  readonly text: string;
  readonly isQuoted: boolean;
  /** Whether a `*` follows. */
  readonly isPrefix: boolean;
}

const OPERATORS = { AND: "and", OR: "or", NOT: "not" } as const;
// A colon before another colon, a slash or nothing belongs to the word: `std::vector`, `ftp://`, `Re: deep river`.
const FIELD = /^([A-Za-z]+):(?![:/)]|$)/;
/** “English”, „German“, ”Swedish”; «French», »Danish«. */
const TYPOGRAPHIC = ["“”„‟", "«»"];
const UNSEEN_ONE = new RegExp(`^${UNSEEN}$`, "v");
const URL_START = /^https?:\/\//i;

/**
 * Splits a query into tokens.
 * @param isField whether a name, in lower case, is one of a field; before a colon, any other name is a word
 * @throws QueryError for an unclosed quotation mark
 */
export function lexemesOf(query: string, isField: (name: string) => boolean): Lexeme[] {
  const characters = Array.from(query.toWellFormed());
  const lexemes: Lexeme[] = [];
  let at = 0;
  while (true) {
    while (isSpace(characters[at])) at++;
    at = afterUnseen(characters, at);
    const position = at;
    const character = characters[at];
    if (character === undefined) break;
    if (character === "(" || character === ")") {
      lexemes.push({ type: character === "(" ? "open" : "close", position });
      at++;
    } else if (character === "-" && !isSpace(characters[at + 1] ?? " ")) {
      lexemes.push({ type: "minus", position });
      at++;
    } else {
      const [lexeme, end] = wordAt(characters, at, isField);
      lexemes.push(lexeme);
      at = end;
    }
  }
  lexemes.push({ type: "end", position: characters.length });
  return lexemes;
}

/** Where a word begins after what is not seen; the same place if nothing else is there. */
function afterUnseen(characters: readonly string[], start: number): number {
  let at = start;
  while (isUnseen(characters[at])) at++;
  const next = characters[at] ?? " ";
  return isSpace(next) || next === ")" ? start : at;
}

function wordAt(
  characters: readonly string[],
  position: number,
  isField: (name: string) => boolean,
): [Lexeme, number] {
  const untilSpace = runOf(characters, position, () => true);
  const name = FIELD.exec(untilSpace)?.[1]?.toLowerCase();
  const field = name !== undefined && isField(name) ? name : undefined;
  const start = field === undefined ? position : position + field.length + 1;
  const quotes = quotesAt(characters, start);
  if (quotes !== undefined) return quotedAt(characters, start, quotes, { position, field });
  // Tags and URLs may contain parentheses and quotation marks; words end at them.
  const isWhole =
    field === "tag" ||
    field === "site" ||
    untilSpace.startsWith("#") ||
    URL_START.test(untilSpace.slice(start - position));
  const run = runOf(characters, start, isWhole ? () => true : (character) => !'"()'.includes(character));
  const text = isWhole ? withoutClosing(run) : run;
  const end = start + Array.from(text).length;
  if (field === undefined && Object.hasOwn(OPERATORS, text))
    return [{ type: OPERATORS[text as keyof typeof OPERATORS], position }, end];
  const isPrefix = !isWhole && text.endsWith("*");
  const atom = { field, text: isPrefix ? text.slice(0, -1) : text, isQuoted: false, isPrefix };
  return [{ type: "atom", position, ...atom }, end];
}

/**
 * The quotation marks that may end a phrase which begins here; undefined if none begins. Typographic ones, as phones
 * and word processors write them, only count in pairs: otherwise, they are punctuation.
 */
function quotesAt(characters: readonly string[], start: number): string | undefined {
  const first = characters[start] ?? "";
  if (first === '"') return first;
  const quotes = TYPOGRAPHIC.find((marks) => marks.includes(first));
  return first !== "" && quotes && closeOf(characters, start, quotes) !== -1 ? quotes : undefined;
}

function closeOf(characters: readonly string[], start: number, quotes: string): number {
  for (let at = start + 1; at < characters.length; at++) if (quotes.includes(characters[at] ?? "")) return at;
  return -1;
}

function quotedAt(
  characters: readonly string[],
  start: number,
  quotes: string,
  { position, field }: { readonly position: number; readonly field: string | undefined },
): [Lexeme, number] {
  const close = closeOf(characters, start, quotes);
  if (close === -1) throw new QueryError("unclosed_quote", "This quotation mark is not closed.", start);
  const isPrefix = characters[close + 1] === "*";
  const text = characters.slice(start + 1, close).join("");
  return [{ type: "atom", position, field, text, isQuoted: true, isPrefix }, close + (isPrefix ? 2 : 1)];
}

/** The characters from a position up to the next white space or the first character that does not fit. */
function runOf(characters: readonly string[], start: number, isFit: (character: string) => boolean): string {
  let end = start;
  for (
    let next = characters[end];
    next !== undefined && !isSpace(next) && isFit(next);
    next = characters[end]
  )
    end++;
  return characters.slice(start, end).join("");
}

/** Removes the parentheses at the end that close a group around the word. */
function withoutClosing(text: string): string {
  let open = 0;
  for (const character of text) open += character === "(" ? 1 : character === ")" ? -1 : 0;
  let end = text.length;
  for (; open < 0 && text.charAt(end - 1) === ")"; open++) end--;
  return text.slice(0, end);
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /^[\s\p{Cc}]$/u.test(character) && !isUnseen(character);
}

function isUnseen(character: string | undefined): boolean {
  return character !== undefined && UNSEEN_ONE.test(character);
}
