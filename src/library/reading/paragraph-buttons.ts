import { escapeUTF8 } from "entities";
import { QUOTE_MAX } from "../../marks/mark.ts";

/** The id of the form of new marks. */
export const MARK_FORM = "mark-bar";

/** What can be marked as a whole: what holds words by itself, and quotations. */
const PARAGRAPHS: ReadonlySet<string> = new Set([
  ...["p", "h2", "h3", "h4", "h5", "h6", "li", "dt", "dd", "figcaption", "blockquote"],
]);
/** Blocks whose words are not those of the block around them. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...PARAGRAPHS,
  ...["pre", "ul", "ol", "dl", "table", "caption", "td", "th", "figure", "details", "summary", "div"],
]);

interface Block {
  readonly name: string;
  /** In characters of the text. */
  readonly start: number;
  hasWords: boolean;
  /** The paragraphs in it that have a button. */
  buttons: number;
}

/** Buttons that mark a paragraph, for those who read without scripts. */
export class ParagraphButtons {
  readonly #label: string;
  readonly #open: Block[] = [];

  constructor(label: string) {
    this.#label = escapeUTF8(label);
  }

  /** A word of the innermost block. */
  words(): void {
    const block = this.#open.at(-1);
    if (block !== undefined) block.hasWords = true;
  }

  /** What stands before a tag: a button where a paragraph ends. @param at the characters of the text before it */
  before(name: string, isStart: boolean, at: number): string {
    if (!BLOCKS.has(name)) return "";
    if (isStart) {
      this.#open.push({ name, start: at, hasWords: false, buttons: 0 });
      return "";
    }
    const block = this.#open.pop();
    if (block === undefined) return "";
    const around = this.#open.at(-1);
    // A quotation of one paragraph has the button of that; what is too long would be refused.
    const isParagraph =
      PARAGRAPHS.has(name) && (block.hasWords || (name === "blockquote" && block.buttons > 1));
    if (around !== undefined) around.buttons += block.buttons + (isParagraph ? 1 : 0);
    if (!isParagraph || at - block.start > QUOTE_MAX) return "";
    return ` <button class="mark-this" type="submit" form="${MARK_FORM}" name="range" value="${block.start}-${at}">${this.#label}</button>`;
  }
}
