import { type CSSToken, TokenType } from "@csstools/css-tokenizer";

/** A part of a style sheet that is refused, by its place in the text. */
interface Fault {
  readonly at: number;
  readonly detail: string;
}

const ELSEWHERE =
  "A text that is an address of another site may only stand in content, and in the brackets of a selector.";
const ATTRIBUTE = "attr() is only supported in content.";

/** Functions of text in `content`, which loads nothing. */
const TEXT_FUNCTIONS = new Set(["attr", "counter", "counters"]);

/**
 * Finds addresses of other sites in texts that are none by themselves. A custom property, an initial value or a function of the
 * style sheet takes a text to where it is loaded as an image; only what `content` shows and a selector compares goes nowhere.
 *
 * @returns one for each, in one pass over the tokens
 */
export function findHiddenAddresses(tokens: readonly CSSToken[]): Fault[] {
  const faults: Fault[] = [];
  const blocks: Block[] = [];
  let declaration = new Declaration();
  for (const token of tokens) {
    const [type, , at] = token;
    const block = blocks.at(-1);
    const inContent = declaration.name === "content" && (block?.isText ?? true);
    if (type === TokenType.Function && token[4].value.toLowerCase() === "attr" && !inContent)
      faults.push({ at, detail: ATTRIBUTE });
    if (type === TokenType.String && isElsewhere(token[4].value) && !inContent && block?.begin !== "[")
      faults.push({ at, detail: ELSEWHERE });
    nest(blocks, token);
    const isBetween = blocks.length === 0 || blocks.at(-1)?.begin === "{";
    const ends = [TokenType.OpenCurly, TokenType.CloseCurly, TokenType.Semicolon] as TokenType[];
    if (isBetween && ends.includes(type)) declaration = new Declaration();
    else declaration.take(token);
  }
  return faults;
}

/** An open block. */
interface Block {
  /** Its bracket, or the name of its function. */
  readonly begin: string;
  /** Whether all blocks that are open since the last brace are functions of text. */
  readonly isText: boolean;
}

/** A closing bracket that fits no block closes one all the same: then less counts as harmless, never more. */
function nest(blocks: Block[], token: CSSToken): void {
  const [type] = token;
  const begin =
    type === TokenType.Function
      ? token[4].value.toLowerCase()
      : BRACKETS.find(([opening]) => opening === type)?.[1];
  if (begin !== undefined) {
    const isText = begin === "{" || (TEXT_FUNCTIONS.has(begin) && (blocks.at(-1)?.isText ?? true));
    blocks.push({ begin, isText });
  } else if (type === TokenType.CloseParen || type === TokenType.CloseSquare || type === TokenType.CloseCurly)
    blocks.pop();
}

const BRACKETS = [
  [TokenType.OpenParen, "("],
  [TokenType.OpenSquare, "["],
  [TokenType.OpenCurly, "{"],
] as const;

/** The declaration, or the beginning of a rule, that is read: what stands between braces and semicolons. */
class Declaration {
  #first: string | undefined;
  #isRead = false;
  /** The name of the property in lower case, once its colon was there. */
  name: string | undefined;

  take(token: CSSToken): void {
    const [type] = token;
    if (this.#isRead || type === TokenType.Whitespace || type === TokenType.Comment) return;
    if (this.#first === undefined && type === TokenType.Ident) {
      this.#first = token[4].value.toLowerCase();
      return;
    }
    if (type === TokenType.Colon) this.name = this.#first;
    this.#isRead = true;
  }
}

/** Whether a browser would take a text for an address of another site, on this site over http or https. */
function isElsewhere(text: string): boolean {
  return ["http:", "https:"].some((scheme) => {
    const here = `${scheme}//here.invalid/assets/x/theme.css`;
    const url = URL.parse(text, here);
    return url !== null && /^https?:$/.test(url.protocol) && url.host !== "here.invalid";
  });
}
