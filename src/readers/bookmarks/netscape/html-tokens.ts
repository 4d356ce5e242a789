import { decodeHTMLStrict } from "entities/decode";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { extended } from "../bookmark-format.ts";

/** A tag or comment that is longer than this, in characters, never ends. */
const TOKEN_MAX = 2 * 1024 * 1024;

/** A start tag: its lower-case name, its position in the text, and its attributes. */
export class StartTag {
  readonly name: string;
  readonly start: number;
  readonly #attributes = new Map<string, string>();

  constructor(name: string, start: number) {
    this.name = name;
    this.start = start;
  }

  /** The value of an attribute, with decoded character references; null if it is absent. */
  attribute(name: string): string | null {
    const raw = this.#attributes.get(name);
    return raw === undefined ? null : decoded(raw);
  }

  /** Stores an attribute as in the source; as in HTML, the first of two with the same name counts. */
  keep(name: string, raw: string): void {
    if (!this.#attributes.has(name)) this.#attributes.set(name, raw);
  }
}

export interface TokenHandler {
  startTag(tag: StartTag): void;
  endTag(name: string): void;
  text(text: string): void;
  /** The text between `<!` and `>`, such as `DOCTYPE html`. */
  declaration(text: string): void;
}

/**
 * Reads HTML as a flat sequence of tokens, chunk by chunk, in linear time whatever the nesting. Comments are
 * skipped, and no element's content is raw text: otherwise an unclosed `<script>` in a description would swallow
 * everything after it.
 */
export class TokenReader {
  readonly #adapter: Adapter;
  readonly #tokenizer: Tokenizer;

  constructor(handler: TokenHandler) {
    this.#adapter = new Adapter(handler);
    this.#tokenizer = new Tokenizer({ decodeEntities: false }, this.#adapter);
  }

  /** Where the last token ended; no later token begins before it. */
  get position(): number {
    return this.#adapter.position;
  }

  /** Whether a tag or comment is so long that it never ends: what follows is not read. */
  get isEndless(): boolean {
    return this.#adapter.isEndless;
  }

  write(html: string): void {
    this.#adapter.extend(html);
    this.#tokenizer.write(html);
  }

  /**
   * @returns where the rest could not be read, since a tag or comment that begins there never ends; null when all
   *   was read
   */
  end(): number | null {
    if (!this.isEndless) this.#tokenizer.end();
    return this.#adapter.end();
  }
}

/**
 * Decodes the character references that end in `;` and leaves everything else. The HTML standard would decode some
 * without it (`&copy`), but no browser writes those, and all of them write raw ampersands in places.
 */
function decoded(raw: string): string {
  return raw.includes("&") ? decodeHTMLStrict(raw) : raw;
}

// htmlparser2's Parser keeps its stack of elements in an array that it shifts and searches: 80,000 open elements
// take eight seconds. A bookmark file needs no such stack, so this uses only the tokenizer.
class Adapter implements TokenizerCallbacks {
  readonly #handler: TokenHandler;
  /** The text after the last token, and its position in the whole text. */
  #window = "";
  #base = 0;
  #tag = new StartTag("", 0);
  #attribute = "";
  #value = "";
  /** Text that may continue: a chunk can end in the middle of a character reference. */
  #text = "";
  /** Where the last token ended. */
  #end = 0;
  /** Whether the last token is an end tag whose `>` is still to be found. */
  #inEndTag = false;

  constructor(handler: TokenHandler) {
    this.#handler = handler;
  }

  get position(): number {
    return this.#end;
  }

  /** Whether the token after the last one is so long that it never ends. */
  get isEndless(): boolean {
    return this.#length - this.#end > TOKEN_MAX;
  }

  extend(html: string): void {
    this.#finishEndTag();
    this.#window = this.#window.slice(this.#end - this.#base) + html;
    this.#base = this.#end;
  }

  end(): number | null {
    this.#flushText();
    if (this.isEndless) return this.#end;
    this.#finishEndTag();
    return this.#inEndTag || this.#end >= this.#length ? null : this.#end;
  }

  // Called by the tokenizer to find out whether elements such as `<script>` and `<title>` have raw text.
  isInForeignContext(): boolean {
    return true;
  }

  onopentagname(start: number, end: number): void {
    this.#flushText();
    this.#tag = new StartTag(this.#slice(start, end).toLowerCase(), start - 1);
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#slice(start, end).toLowerCase();
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    this.#value = extended(this.#value, this.#slice(start, end));
  }

  onattribend(): void {
    this.#tag.keep(this.#attribute, this.#value);
  }

  onopentagend(end: number): void {
    this.#endAt(end + 1);
    this.#handler.startTag(this.#tag);
  }

  onselfclosingtag(end: number): void {
    this.onopentagend(end);
  }

  onclosetag(start: number, end: number): void {
    this.#flushText();
    this.#endAt(end);
    this.#inEndTag = true;
    this.#handler.endTag(this.#slice(start, end).toLowerCase());
  }

  ontext(start: number, end: number): void {
    this.#endAt(end);
    this.#text = extended(this.#text, this.#slice(start, end));
  }

  ondeclaration(start: number, end: number): void {
    this.#flushText();
    this.#endAt(end + 1);
    this.#handler.declaration(this.#slice(start, end));
  }

  oncomment(_start: number, end: number): void {
    this.#flushText();
    // An unclosed one hides the rest of the text.
    if (end < this.#length) this.#endAt(end + 1);
  }

  oncdata(start: number, end: number): void {
    this.oncomment(start, end);
  }

  onattribentity(): void {}
  ontextentity(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}

  get #length(): number {
    return this.#base + this.#window.length;
  }

  #slice(start: number, end: number): string {
    return this.#window.slice(start - this.#base, end - this.#base);
  }

  #endAt(end: number): void {
    this.#end = end;
    this.#inEndTag = false;
  }

  #flushText(): void {
    if (this.#text === "") return;
    const text = decoded(this.#text);
    this.#text = "";
    this.#handler.text(text);
  }

  /** An end tag is read up to its `>`; an unclosed one hides nothing. */
  #finishEndTag(): void {
    if (!this.#inEndTag) return;
    const close = this.#window.indexOf(">", this.#end - this.#base);
    if (close !== -1) this.#endAt(this.#base + close + 1);
  }
}

/** Counts lines for ascending positions, in one pass over the text. */
export class LineCounter {
  #line = 1;
  #length = 0;
  /** The line ends that have not been counted yet, and the index of the first. */
  #ends: number[] = [];
  #next = 0;

  extend(text: string): void {
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", end + 1))
      this.#ends.push(this.#length + end);
    this.#length += text.length;
  }

  at(place: number): number {
    while ((this.#ends[this.#next] ?? place) < place) {
      this.#line++;
      this.#next++;
    }
    return this.#line;
  }

  /** Earlier positions will not be requested again. */
  forgetBefore(place: number): void {
    this.at(place);
    this.#ends = this.#ends.slice(this.#next);
    this.#next = 0;
  }
}
