import { type CSSToken, type ParseError, TokenType, tokenize } from "@csstools/css-tokenizer";
import { findHiddenAddresses } from "./hidden-addresses.ts";

/** The maximum number of characters of a style sheet. */
export const STYLE_SHEET_MAX = 64 * 1024;

/** Functions whose text is an address. */
const ADDRESSES = new Set([
  ...["url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade"],
]);

export interface StyleSheetError {
  /** From 1. */
  readonly line: number;
  readonly detail: string;
}

/** The maximum number of errors that are reported at once. */
export const STYLE_SHEET_ERRORS_MAX = 5;

/**
 * Finds the parts of a style sheet that would load something from elsewhere, or are unfinished. It is parsed as
 * browsers do, with escapes. The Content Security Policy would silently block most of them; images of posts may come
 * from anywhere, and a style sheet's may not.
 *
 * @param css of at most {@link STYLE_SHEET_MAX} characters
 * @returns the first errors, in their order
 */
export function findStyleSheetErrors(css: string): StyleSheetError[] {
  const faults: { at: number; detail: string }[] = [];
  const onParseError = ({ sourceStart, message }: ParseError) =>
    faults.push({ at: sourceStart, detail: `Syntax error: ${message.split("(", 1).join("").trimEnd()}.` });
  const tokens = tokenize({ css }, { onParseError });
  /** Of each open function and parenthesis, whether its text is an address. */
  const open: boolean[] = [];
  let openAddresses = 0;
  const begin = (isAddress: boolean) => {
    open.push(isAddress);
    if (isAddress) openAddresses++;
  };
  for (const token of tokens) {
    const [type, , at] = token;
    if (type === TokenType.Function) begin(ADDRESSES.has(token[4].value.toLowerCase()));
    else if (type === TokenType.OpenParen) begin(false);
    else if (type === TokenType.CloseParen) {
      if (open.pop() === true) openAddresses--;
    } else if (type === TokenType.AtKeyword && token[4].value.toLowerCase() === "import")
      faults.push({ at, detail: "@import is not supported: put all rules into this style sheet." });
    else if (isForeign(token, openAddresses > 0))
      faults.push({
        at,
        detail: "Only files of this site are loaded: the address must begin with one slash.",
      });
  }
  const known = new Set(faults.map(({ at }) => at));
  faults.push(...findHiddenAddresses(tokens).filter(({ at }) => !known.has(at)));
  return withLines(css, faults.toSorted((one, other) => one.at - other.at).slice(0, STYLE_SHEET_ERRORS_MAX));
}

/** Replaces positions by lines, in one pass over the text. @param faults in the order of their positions */
function withLines(css: string, faults: readonly { at: number; detail: string }[]): StyleSheetError[] {
  let line = 1;
  let looked = 0;
  return faults.map(({ at, detail }) => {
    for (; looked < at; looked++) if (css[looked] === "\n") line++;
    return { line, detail };
  });
}

function isForeign(token: CSSToken, isAddress: boolean): boolean {
  if (token[0] === TokenType.URL || (token[0] === TokenType.String && isAddress)) {
    const { value } = token[4];
    return !/^(?:\/(?![/\\])[^\\\s]*|#.*)$/.test(value);
  }
  return false;
}
