import { TokenType, tokenize } from "@csstools/css-tokenizer";
import { Parser } from "htmlparser2";
import type { Attributes } from "../../decoding/embedded.ts";

/** Elements that browsers never show (HTML standard, section 15.3.1); script and style elements go in `sanitize.ts`. */
const NEVER_SHOWN = /^(?:template|datalist|title|noembed|noframes|annotation(?:-xml)?)$/;

/** What hides an element by its style. */
const HIDING: Readonly<Record<string, RegExp>> = {
  display: /^none$/i,
  visibility: /^(?:hidden|collapse)$/i,
  "content-visibility": /^hidden$/i,
};

/** Elements that go on behind the end of those around them, until their own end tag. */
const FORMATTING = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/;

/** What any of them has. */
const ANY = /hidden|popover|style|<(?:template|datalist|title|noembed|noframes|annotation|dialog)/i;

/**
 * HTML without the elements that a browser would not show, and without what they contain: sanitizing takes away what hides them.
 * What readers can open, find on the page, or hear stays: `details`, `hidden="until-found"`, `aria-hidden`. So does `noscript`, since
 * no script of a post runs here. When in doubt an element is hidden: by a style that another one might overrule, with what it
 * contains that its own style shows again, and to the end of the text if it never ends.
 */
export function withoutHidden(html: string): string {
  if (!ANY.test(html)) return html;
  let result = "";
  /** What stands before is in the result or was left out. */
  let position = 0;
  let hidden: { readonly name: string; readonly start: number } | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (parser.startIndex < position) return;
      if (hidden === undefined && isHidden(name, attributes)) hidden = { name, start: parser.startIndex };
      else if (name === hidden?.name) depth++;
    },
    onclosetag(name, isImplied) {
      if (name !== hidden?.name || parser.startIndex < position || depth-- > 0) return;
      result += html.slice(position, hidden.start);
      position = endOf(hidden, isImplied);
      hidden = undefined;
      depth = 0;
    },
  });
  const endOf = ({ name, start }: { name: string; start: number }, isImplied: boolean): number => {
    // The tag of an element without content, or its own end tag.
    if (!isImplied || parser.startIndex === start) return parser.endIndex + 1;
    return FORMATTING.test(name) ? formattingEnd(html, name, parser.startIndex) : parser.startIndex;
  };
  parser.end(html);
  return result + html.slice(position);
}

/** Where a formatting element ends that goes on in another one: at its end tag, or with the text. */
function formattingEnd(html: string, name: string, from: number): number {
  const tags = new RegExp(`<(/?)${name}(?=[\\s/>])`, "gi");
  tags.lastIndex = from;
  let depth = 1;
  for (let tag = tags.exec(html); tag !== null; tag = tags.exec(html)) {
    const isEnd = tag[1] === "/";
    // A link ends where the next one begins.
    if (name === "a" && !isEnd) return tag.index;
    depth += isEnd ? -1 : 1;
    const end = depth > 0 ? -1 : html.indexOf(">", tag.index);
    if (end > -1) return end + 1;
  }
  return html.length;
}

function isHidden(name: string, { hidden, popover, open, style }: Attributes): boolean {
  if (NEVER_SHOWN.test(name)) return true;
  // Any other value means the same as none.
  if (hidden !== undefined && hidden.toLowerCase() !== "until-found") return true;
  if (name === "dialog" ? open === undefined : popover !== undefined) return true;
  return style !== undefined && isHiding(style);
}

/** Whether any declaration hides an element, also one with a variable. */
function isHiding(style: string): boolean {
  let word = "";
  let hiding: RegExp | undefined;
  for (const [type, , , , value] of tokenize({ css: style })) {
    if (type === TokenType.Colon) hiding = HIDING[word];
    else if (type === TokenType.Semicolon) hiding = undefined;
    if (type !== TokenType.Ident) {
      if (type !== TokenType.Whitespace && type !== TokenType.Comment) word = "";
      continue;
    }
    word = value.value.toLowerCase();
    if (hiding?.test(word)) return true;
  }
  return false;
}
