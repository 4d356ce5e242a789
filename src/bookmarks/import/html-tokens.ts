import { decodeHTMLStrict } from "entities/decode";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** A start tag: its name in lower case, where in the text it begins, and its attributes. */
export class StartTag {
  readonly name: string;
  readonly start: number;
  readonly #attributes = new Map<string, string>();

  constructor(name: string, start: number) {
    this.name = name;
    this.start = start;
  }

  /** An attribute's value, its character references decoded; null when the tag does not have it. */
  attribute(name: string): string | null {
    const raw = this.#attributes.get(name);
    return raw === undefined ? null : decoded(raw);
  }

  /** Keeps an attribute as it is in the source; as in HTML, the first of two with one name counts. */
  keep(name: string, raw: string): void {
    if (!this.#attributes.has(name)) this.#attributes.set(name, raw);
  }
}

export interface TokenHandler {
  startTag(tag: StartTag): void;
  endTag(name: string): void;
  text(text: string): void;
  /** What stands between `<!` and `>`, such as `DOCTYPE html`. */
  declaration(text: string): void;
}

/**
 * Reads HTML as a flat run of tokens, in time that is linear in its length whatever its nesting. Comments
 * are passed over, and no element's content is raw text: one unclosed `<script>` in somebody's description
 * would otherwise swallow everything after it.
 *
 * @returns where in the text the rest could not be read, since a tag or comment that begins there never
 *   ends; null when all was read.
 */
export function readTokens(html: string, handler: TokenHandler): number | null {
  const adapter = new Adapter(html, handler);
  const tokenizer = new Tokenizer({ decodeEntities: false }, adapter);
  tokenizer.write(html);
  tokenizer.end();
  return adapter.unread;
}

/**
 * Decodes the character references that end in `;` and leaves all else. The HTML standard would decode
 * some without it (`&copy`), but no browser writes those, and all of them write raw ampersands in places.
 */
function decoded(raw: string): string {
  return raw.includes("&") ? decodeHTMLStrict(raw) : raw;
}

// htmlparser2's Parser keeps its stack of elements in an array that it shifts and searches: 80,000 open
// elements take it eight seconds. A bookmark file needs no such stack, so this stands on its tokenizer.
class Adapter implements TokenizerCallbacks {
  readonly #html: string;
  readonly #handler: TokenHandler;
  #tag = new StartTag("", 0);
  #attribute = "";
  #valueStart = 0;
  #valueEnd = 0;
  /** Where the last token ended. */
  #end = 0;

  constructor(html: string, handler: TokenHandler) {
    this.#html = html;
    this.#handler = handler;
  }

  get unread(): number | null {
    return this.#end < this.#html.length ? this.#end : null;
  }

  // The tokenizer asks this to know whether `<script>`, `<title>` and the like hold raw text.
  isInForeignContext(): boolean {
    return true;
  }

  onopentagname(start: number, end: number): void {
    this.#tag = new StartTag(this.#html.slice(start, end).toLowerCase(), start - 1);
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#valueStart = end;
    this.#valueEnd = end;
  }

  onattribdata(start: number, end: number): void {
    this.#valueStart = start;
    this.#valueEnd = end;
  }

  onattribend(): void {
    this.#tag.keep(this.#attribute, this.#html.slice(this.#valueStart, this.#valueEnd));
  }

  onopentagend(end: number): void {
    this.#end = end + 1;
    this.#handler.startTag(this.#tag);
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    const close = this.#html.indexOf(">", end);
    this.#end = close === -1 ? this.#html.length : close + 1;
    this.#handler.endTag(this.#html.slice(start, end).toLowerCase());
  }

  ontext(start: number, end: number): void {
    this.#end = end;
    this.#handler.text(decoded(this.#html.slice(start, end)));
  }

  ondeclaration(start: number, end: number): void {
    this.#end = end + 1;
    this.#handler.declaration(this.#html.slice(start, end));
  }

  oncomment(_start: number, end: number): void {
    // One that never ends reaches to the end of the text: what it hides was not read.
    if (end < this.#html.length) this.#end = end + 1;
  }

  oncdata(start: number, end: number): void {
    this.oncomment(start, end);
  }

  onattribentity(): void {}
  ontextentity(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
