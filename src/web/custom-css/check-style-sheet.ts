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

/**
 * Finds the parts of a style sheet that would load something from elsewhere, or are unfinished. It is parsed as
 * browsers do, with escapes. The Content Security Policy would silently block most of them; images of posts may come
 * from anywhere, and a style sheet's may not.
 */
export function findStyleSheetErrors(css: string): StyleSheetError[] {
  const faults: { at: number; detail: string }[] = [];
  const onParseError = ({ sourceStart, message }: ParseError) =>
    faults.push({ at: sourceStart, detail: `Syntax error: ${message.split("(", 1).join("").trimEnd()}.` });
  const tokens = tokenize({ css }, { onParseError });
  /** The open functions and parentheses. */
  const open: boolean[] = [];
  for (const token of tokens) {
    const [type, , at] = token;
    if (type === TokenType.Function) open.push(ADDRESSES.has(token[4].value.toLowerCase()));
    else if (type === TokenType.OpenParen) open.push(false);
    else if (type === TokenType.CloseParen) open.pop();
    else if (type === TokenType.AtKeyword && token[4].value.toLowerCase() === "import")
      faults.push({ at, detail: "@import is not supported: put all rules into this style sheet." });
    else if (isForeign(token, open.includes(true)))
      faults.push({
        at,
        detail: "Only files of this site are loaded: the address must begin with one slash.",
      });
  }
  const known = new Set(faults.map(({ at }) => at));
  faults.push(...findHiddenAddresses(tokens).filter(({ at }) => !known.has(at)));
  return faults.map(({ at, detail }) => ({ line: css.slice(0, at).split("\n").length, detail }));
}

function isForeign(token: CSSToken, isAddress: boolean): boolean {
  if (token[0] === TokenType.URL || (token[0] === TokenType.String && isAddress)) {
    const { value } = token[4];
    return !/^(?:\/(?![/\\])[^\\\s]*|#.*)$/.test(value);
  }
  return false;
}
