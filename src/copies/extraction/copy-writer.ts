import { escapeText } from "entities";
import { ExtractionError } from "./extraction-error.ts";

/** HTML, and its words: blocks separated by a line feed. */
export interface CopiedHtml {
  readonly html: string;
  readonly text: string;
}

/** An element of a formula, or the text in one. */
export type Formula =
  | string
  | {
      readonly name: string;
      readonly attributes: Record<string, string>;
      readonly content: readonly Formula[];
    };

type Attributes = Readonly<Record<string, string>>;

/** The characters of the markup that may be written: more than any page to read has. */
const HTML_MAX = 20_000_000;

/** Blocks that hold lines alone. */
const OF_LINES = new Set(["p", "h2", "h3", "h4", "h5", "h6", "caption", "dt", "summary", "pre"]);
/** Blocks that hold lines or blocks. */
const OF_BOTH = new Set(["li", "dd", "td", "th", "figcaption"]);
/** Where blocks must stand that stand nowhere else. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  li: ["ul", "ol"],
  dt: ["dl"],
  dd: ["dl"],
  caption: ["table"],
  thead: ["table"],
  tbody: ["table"],
  tfoot: ["table"],
  tr: ["table", "thead", "tbody", "tfoot"],
  th: ["tr"],
  td: ["tr"],
  figcaption: ["figure"],
  summary: ["details"],
};
/** What is put around other content in a block that takes only some. */
const BETWEEN: Readonly<Record<string, string>> = {
  ul: "li",
  ol: "li",
  dl: "dd",
  table: "tr",
  thead: "tr",
  tbody: "tr",
  tfoot: "tr",
  tr: "td",
};

interface Block {
  readonly name: string;
  readonly attributes: Attributes;
  readonly isImplied: boolean;
  isWritten: boolean;
  hasContent: boolean;
}

interface Phrase {
  readonly name: string;
  readonly attributes: Attributes;
}

/**
 * Writes well-formed HTML of whatever order of elements: blocks are never within paragraphs, nothing stands in a list or a table
 * but its parts, lines stand in paragraphs, and what has no content is not written.
 */
export class CopyWriter {
  readonly #html: string[] = [];
  readonly #text: string[] = [];
  #size = 0;
  readonly #blocks: Block[] = [];
  readonly #phrases: Phrase[] = [];
  /** How many of the phrases are written. */
  #written = 0;
  #anchors: string[] = [];
  /** What was read, but is written only if something follows in the same line. */
  #space = false;
  #breaks = 0;
  #hasText = false;
  /** Whether the next word begins a line of the text. */
  #isNewLine = false;
  #pre = 0;

  end(): CopiedHtml {
    this.#boundary();
    return { html: this.#html.join(""), text: this.#text.join("") };
  }

  /** @param name undefined for what only separates */
  block(name: string | undefined, attributes: Attributes, within: () => void): void {
    if (this.#pre > 0) {
      this.#blockInPre(within);
      return;
    }
    this.#boundary();
    const block = this.#begun(name, attributes);
    if (block?.name === "pre") this.#pre++;
    within();
    if (block?.name === "pre") this.#pre--;
    this.#boundary();
    if (block !== undefined) this.#ended(block);
  }

  /** @param name undefined for what leaves no trace */
  phrase(name: string | undefined, attributes: Attributes, within: () => void): void {
    if (name === undefined || this.#phrases.some((around) => around.name === name && name !== "span")) {
      within();
      return;
    }
    this.#phrases.push({ name, attributes });
    within();
    if (this.#written === this.#phrases.length) {
      this.#write(`</${name}>`);
      this.#written--;
    }
    this.#phrases.pop();
  }

  text(given: string): void {
    const text = given.toWellFormed().replace(/[\p{Cc}--[\t\n\r\f]]/gv, "");
    if (this.#pre > 0) {
      this.#preformatted(text.replace(/\r\n?/g, "\n"));
      return;
    }
    // Not the spaces that are no line break.
    const words = text.replace(/[\t\n\r\f ]+/g, " ");
    if (words.startsWith(" ")) this.#space = true;
    const inner = words.slice(words.startsWith(" ") ? 1 : 0, words.endsWith(" ") ? -1 : undefined);
    if (inner === "") return;
    this.#begin();
    this.#say(inner);
    this.#space = words.endsWith(" ");
  }

  /** Parts the number of a note from the word before it, which could not be found otherwise. */
  gap(): void {
    if (this.#pre === 0 && this.#hasLine && !this.#space && this.#breaks === 0) this.text("\u200a");
  }

  lineBreak(): void {
    if (this.#pre > 0) this.#preformatted("\n");
    else {
      this.#space = false;
      this.#breaks++;
    }
  }

  wordBreak(): void {
    if (this.#pre === 0 && this.#hasLine) this.#write("<wbr>");
  }

  rule(): void {
    if (this.#pre > 0) return;
    this.#boundary();
    this.#dropImplied();
    const top = this.#blocks.at(-1);
    // Between blocks alone: elsewhere it only separates.
    if (this.#html.length > 0 && (top === undefined || top.name === "blockquote" || top.name === "div")) {
      this.#open();
      this.#write("<hr>");
    }
  }

  picture(attributes: Attributes): void {
    const top = this.#blocks.at(-1);
    if (top?.name === "figure" && this.#pre === 0) {
      this.#boundary();
      this.#open();
      this.#writePhrases();
    } else this.#begin();
    this.#write(`<img${written(attributes)}>`);
    this.#hold();
    if (top?.name === "figure") this.#boundary();
  }

  formula(formula: Formula): void {
    this.#begin();
    this.#writeFormula(formula);
  }

  /** A place in the text to which links lead. */
  anchor(id: string): void {
    this.#anchors.push(id);
  }

  #writeFormula(formula: Formula): void {
    if (typeof formula === "string") {
      this.#say(formula.toWellFormed().replace(/\p{Cc}/gu, ""));
      return;
    }
    this.#write(`<${formula.name}${written(formula.attributes)}>`);
    for (const inner of formula.content) this.#writeFormula(inner);
    this.#write(`</${formula.name}>`);
  }

  #preformatted(text: string): void {
    // Parsers drop the first line feed.
    const rest = this.#hasLine ? text : text.replace(/^\n+/, "");
    if (rest === "") return;
    this.#begin();
    this.#say(rest);
  }

  #blockInPre(within: () => void): void {
    const endLine = () => {
      if (this.#hasLine && this.#text.at(-1)?.endsWith("\n") === false) this.#preformatted("\n");
    };
    endLine();
    within();
    endLine();
  }

  /** Whether something stands in the line already. */
  get #hasLine(): boolean {
    return this.#blocks.at(-1)?.hasContent === true && !this.#isNewLine;
  }

  /** Ends the line. */
  #boundary(): void {
    for (; this.#written > 0; this.#written--) this.#write(`</${this.#phrases[this.#written - 1]?.name}>`);
    this.#space = false;
    this.#breaks = 0;
    this.#isNewLine = true;
    const top = this.#blocks.at(-1);
    if (top?.name === "p" && top.isImplied) this.#ended(top);
  }

  #begun(name: string | undefined, attributes: Attributes): Block | undefined {
    this.#dropImplied();
    if (name === undefined) return undefined;
    const places = PLACES[name];
    const top = this.#blocks.at(-1);
    if (top !== undefined && OF_LINES.has(top.name)) {
      if (top.name !== "p" && OF_LINES.has(name)) return undefined;
      this.#leave(top);
    }
    if (places !== undefined && name !== "tr" && !places.includes(top?.name ?? "")) {
      // A cell without a row gets one; what else stands in no place of its own only separates.
      if (!((name === "td" || name === "th") && BETWEEN[top?.name ?? ""] === "tr")) return undefined;
      this.#push("tr", {}, true);
    } else if (name === "tr" && !places?.includes(top?.name ?? "")) return undefined;
    else if (places === undefined) this.#fillUp();
    return this.#push(name, attributes, false);
  }

  /** Ends a block of lines before one within it; what follows that begins it again. */
  #leave(block: Block): void {
    if (block.isWritten) this.#write(`</${block.name}>`);
    block.isWritten = false;
    block.hasContent = false;
  }

  #push(name: string, attributes: Attributes, isImplied: boolean): Block {
    const block = { name, attributes, isImplied, isWritten: false, hasContent: false };
    this.#blocks.push(block);
    return block;
  }

  /** Puts what must stand between around content of a list or a table. */
  #fillUp(): void {
    for (let between = this.#between; between !== undefined; between = this.#between)
      this.#push(between, {}, true);
  }

  get #between(): string | undefined {
    return BETWEEN[this.#blocks.at(-1)?.name ?? ""];
  }

  #dropImplied(): void {
    for (let top = this.#blocks.at(-1); top?.isImplied; top = this.#blocks.at(-1)) this.#ended(top);
  }

  #ended(block: Block): void {
    while (this.#blocks.at(-1) !== block) {
      const above = this.#blocks.at(-1);
      if (above === undefined) return;
      this.#close(above);
    }
    this.#close(block);
  }

  #close(block: Block): void {
    // Cells without content keep the others in their columns.
    if (!block.isWritten && (block.name === "td" || block.name === "th") && !block.isImplied) this.#open();
    if (block.isWritten) this.#write(`</${block.name}>`);
    this.#blocks.pop();
    this.#isNewLine = true;
  }

  /** Writes the start tags of the open blocks, but not of those that were left. */
  #open(): void {
    for (const [index, block] of this.#blocks.entries()) {
      const isAround = index < this.#blocks.length - 1 && OF_LINES.has(block.name);
      if (isAround || block.isWritten) continue;
      this.#write(`<${block.name}${written(block.attributes)}>`);
      block.isWritten = true;
    }
  }

  #hold(): void {
    for (const block of this.#blocks) block.hasContent = true;
  }

  /** Before a word or a picture. */
  #begin(): void {
    const top = this.#blocks.at(-1);
    const holds = top !== undefined && (OF_LINES.has(top.name) || OF_BOTH.has(top.name));
    if (!holds) {
      this.#fillUp();
      const inner = this.#blocks.at(-1);
      if (inner === undefined || !OF_BOTH.has(inner.name)) this.#push("p", {}, true);
    } else if (this.#isNewLine && top.hasContent) {
      if (OF_BOTH.has(top.name)) this.#push("p", {}, true);
      else this.#space = true;
    }
    const isFirst = this.#blocks.at(-1)?.hasContent !== true;
    this.#open();
    if (this.#breaks > 0 && !isFirst) {
      this.#write("<br>".repeat(Math.min(2, this.#breaks)));
      if (!this.#isNewLine) this.#speak("\n");
    } else if (this.#space && !isFirst) {
      this.#write(" ");
      if (!this.#isNewLine) this.#speak(" ");
    }
    this.#breaks = 0;
    this.#space = false;
    this.#writePhrases();
    for (const id of this.#anchors) this.#write(`<span${written({ id })}></span>`);
    this.#anchors = [];
  }

  #writePhrases(): void {
    for (; this.#written < this.#phrases.length; this.#written++) {
      const phrase = this.#phrases[this.#written];
      if (phrase !== undefined) this.#write(`<${phrase.name}${written(phrase.attributes)}>`);
    }
  }

  #say(text: string): void {
    if (this.#isNewLine && this.#hasText) this.#speak("\n");
    this.#isNewLine = false;
    this.#hasText = true;
    this.#write(escapeText(text));
    this.#speak(text);
    this.#hold();
  }

  #speak(text: string): void {
    this.#text.push(text);
  }

  #write(html: string): void {
    this.#size += html.length;
    if (this.#size > HTML_MAX) throw new ExtractionError("too-costly");
    this.#html.push(html);
  }
}

function written(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value.replace(/[&"<>]/g, (sign) => SIGNS[sign] ?? sign)}"`)
    .join("");
}

const SIGNS: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
