import { FIELD_MAX, type FileMark } from "../bookmark-format.ts";
import type { StartTag } from "./html-tokens.ts";

/** Elements on separate lines. */
const BLOCKS = new Set(
  "address article aside blockquote br center dir div fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul".split(
    " ",
  ),
);

/**
 * Converts a description with markup to text: line breaks stay, blocks are on separate lines, a link becomes
 * its text and URL, an image its alternative text and URL. Other tags are removed, their text stays.
 */
export class DescriptionText {
  readonly #parts: string[] = [];
  #length = 0;
  #link: { address: string; firstPart: number } | null = null;
  /** What is marked in the page: quotations, where the program has it so. */
  readonly marks: FileMark[] = [];
  readonly #hasMarks: boolean;
  #mark: { date: string | null; firstPart: number } | null = null;

  constructor(hasMarks = false) {
    this.#hasMarks = hasMarks;
  }

  text(text: string): void {
    if (text === "" || this.#length > FIELD_MAX) return;
    this.#parts.push(text);
    this.#length += text.length;
  }

  startTag(tag: StartTag): void {
    if (tag.name === "a") this.#startLink(tag.attribute("href") ?? "");
    else if (tag.name === "img") this.text(withAddress(tag.attribute("alt") ?? "", imageAddress(tag)));
    else if (BLOCKS.has(tag.name)) this.lineBreak();
    if (!this.#hasMarks || tag.name !== "blockquote") return;
    this.#endLink();
    this.#mark = { date: tag.attribute("add_date"), firstPart: this.#parts.length };
  }

  endTag(name: string): void {
    if (name === "a") this.#endLink();
    else if (name === "blockquote" && this.#mark !== null) this.#endMark(this.#mark);
    else if (BLOCKS.has(name)) this.lineBreak();
  }

  /** Starts a new line, unless the current one is empty. */
  lineBreak(): void {
    if (this.#parts.at(-1)?.endsWith("\n") === false) this.text("\n");
  }

  toString(): string {
    this.#endLink();
    return this.#parts.join("").trim();
  }

  #startLink(address: string): void {
    this.#endLink();
    this.#link = { address: address.trim(), firstPart: this.#parts.length };
  }

  #endMark({ date, firstPart }: { date: string | null; firstPart: number }): void {
    this.#endLink();
    this.#mark = null;
    this.marks.push({ quote: this.#parts.splice(firstPart).join(""), date });
  }

  #endLink(): void {
    if (this.#link === null) return;
    const { address, firstPart } = this.#link;
    this.#link = null;
    const text = this.#parts.splice(firstPart).join("");
    this.text(withAddress(text, address));
  }
}

function withAddress(text: string, address: string): string {
  const words = text.trimEnd();
  if (address === "" || words.trimStart() === address) return text;
  return words === "" ? address : `${words} (${address})${text.slice(words.length)}`;
}

/** The URL of an image; empty for a `data:` URL. */
function imageAddress(tag: StartTag): string {
  const address = tag.attribute("src") ?? "";
  return /^\s*data:/i.test(address) ? "" : address.trim();
}
