import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** Elements within a line; all others are blocks. A tag is matched as sanitizers write it. */
export const PHRASES =
  /^<\/?(?:a|abbr|b|bdi|bdo|cite|code|del|dfn|em|i|ins|kbd|mark|q|ruby|rb|rp|rt|rtc|s|samp|small|span|strong|sub|sup|time|u|var|wbr|math|m[a-z]+|semantics)[\s>/]/;

/** The attributes of a tag: lower-case names, and values with decoded character references. */
export type Attributes = ReadonlyMap<string, string>;

export interface TagHandler {
  /** @param name in lower case @param isClosed whether the tag ends in `/>` */
  startTag(name: string, attributes: Attributes, isClosed: boolean): void;
  endTag?(name: string): void;
  /** A part of a text, with decoded character references. */
  text?(text: string): void;
  /** Whether the content of elements such as `<script>` and `<title>` is tags, too, as within `<svg>`. */
  hasTagsOnly(): boolean;
}

/** The number of attributes of a tag that are read, and the characters of each. */
const ATTRIBUTES_MAX = 100;
const VALUE_MAX = 4_000;
/** The number of characters before a piece that are kept, since a name or a text may begin there. */
const KEPT = 64 * 1024;

/**
 * Cuts HTML into tags and text, piece by piece, in linear time and little memory (HTML, section 13.2.5). What they mean is for
 * the handler: htmlparser2's own parser takes quadratic time in the depth.
 */
export class HtmlTags {
  readonly #adapter: Adapter;
  readonly #tokenizer: Tokenizer;

  constructor(handler: TagHandler) {
    this.#adapter = new Adapter(handler);
    this.#tokenizer = new Tokenizer({}, this.#adapter);
  }

  write(html: string): void {
    this.#adapter.extend(html);
    this.#tokenizer.write(html);
  }

  end(): void {
    this.#tokenizer.end();
  }
}

class Adapter implements TokenizerCallbacks {
  readonly #handler: TagHandler;
  /** The last piece and some text before it, and the position of its beginning. */
  #window = "";
  #base = 0;
  #tag = "";
  #attributes = new Map<string, string>();
  #attribute = "";
  #value = "";

  constructor(handler: TagHandler) {
    this.#handler = handler;
  }

  extend(html: string): void {
    const cut = Math.max(0, this.#window.length - KEPT);
    this.#window = this.#window.slice(cut) + html;
    this.#base += cut;
  }

  isInForeignContext(): boolean {
    return this.#handler.hasTagsOnly();
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#slice(start, end).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#slice(start, end).toLowerCase();
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    if (this.#value.length < VALUE_MAX) this.#value += this.#slice(start, end).slice(0, VALUE_MAX);
  }

  onattribentity(codePoint: number): void {
    if (this.#value.length < VALUE_MAX) this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    // As in HTML, the first of two with the same name counts.
    if (this.#attributes.size < ATTRIBUTES_MAX && !this.#attributes.has(this.#attribute))
      this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    this.#handler.startTag(this.#tag, this.#attributes, false);
  }

  onselfclosingtag(): void {
    this.#handler.startTag(this.#tag, this.#attributes, true);
  }

  onclosetag(start: number, end: number): void {
    this.#handler.endTag?.(this.#slice(start, end).toLowerCase());
  }

  ontext(start: number, end: number): void {
    this.#handler.text?.(this.#slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#handler.text?.(String.fromCodePoint(codePoint));
  }

  oncdata(start: number, end: number): void {
    this.ontext(start, end);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  #slice(start: number, end: number): string {
    return this.#window.slice(Math.max(0, start - this.#base), Math.max(0, end - this.#base));
  }
}
