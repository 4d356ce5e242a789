import { pictureName } from "../../copies/copy.ts";
import { PHRASES } from "../../decoding/html-tags.ts";
import { local } from "../../web/urls.ts";
import { MarkedText, type PlacedMark } from "./marked-text.ts";
import { ParagraphButtons } from "./paragraph-buttons.ts";

/** The id of the place in a text where its reader stopped. */
export const STOPPED = "stopped";

/** A tag, a character by its name or number, or text without any. */
const TOKENS = /<(\/?)([a-z0-9]+)(?![a-z0-9])[^<>]*>|&[^;\s]{1,12};|[^<&]+|[<&]/gi;

/** What the text of a copy is shown with. */
export interface TextSurroundings {
  readonly bookmarkId: number;
  readonly copyId: number;
  /** Where the reader stopped: the number of characters before it, as `textContent` has them in the browser. */
  readonly place: number | undefined;
  /** The name of a table, which scrolls by itself. */
  readonly tableLabel: string;
  readonly marks?: readonly PlacedMark[];
  /** The name of the link to a mark with this note. */
  readonly markLabel?: (note: string) => string;
  /** The name of a button that marks a paragraph; without it, there is none. */
  readonly button?: string | undefined;
}

/**
 * The sanitized text of a copy as the room shows it: pictures by their addresses, tables and code that scroll by themselves, its
 * marks, and an element with the id {@link STOPPED} where the reader stopped.
 * @param html as `sanitize-copy.ts` writes it: no attribute has `<` or `>`
 */
export function textForRoom(
  html: string,
  around: TextSurroundings,
): { readonly html: string; readonly hasPlace: boolean } {
  const text = new RoomText(around);
  for (const [token, slash, name] of html.matchAll(TOKENS))
    if (name === undefined) text.words(token);
    else text.tag(token, slash === "", name);
  return text.end();
}

class RoomText {
  readonly #around: TextSurroundings;
  readonly #marks: MarkedText;
  readonly #buttons: ParagraphButtons | undefined;
  readonly #parts: string[] = [];
  /** The characters so far. */
  #length = 0;
  /** Where the reader stopped, until that is written. */
  #place: number | undefined;
  #hasPlace = false;
  /** The formula that is open, and where it begins: in the parts, and in the text. */
  #formula: { readonly part: number; readonly from: number; depth: number } | undefined;
  /** Whether white space belongs to a line: between blocks, such as the rows of a table, no element may stand around it. */
  #isLine = false;

  constructor(around: TextSurroundings) {
    this.#around = around;
    this.#place = around.place === undefined || around.place <= 0 ? undefined : around.place;
    this.#marks = new MarkedText(around.marks ?? [], around.markLabel ?? String);
    this.#buttons = around.button === undefined ? undefined : new ParagraphButtons(around.button);
  }

  end(): { readonly html: string; readonly hasPlace: boolean } {
    return { html: this.#parts.join("") + this.#marks.close(), hasPlace: this.#hasPlace };
  }

  tag(token: string, isStart: boolean, name: string): void {
    this.#parts.push(this.#marks.close());
    if (name === "math" && isStart) this.#beginFormula();
    this.#parts.push(
      this.#buttons?.before(name, isStart, this.#length) ?? "",
      tagForRoom(token, isStart, name, this.#around),
      this.#marks.after(name, isStart),
    );
    if (name === "math" && !isStart) this.#endFormula();
    this.#isLine = PHRASES.test(token) || name === "br" || name === "img";
  }

  words(token: string): void {
    const from = this.#length;
    const length = token.startsWith("&") && token.length > 1 ? 1 : token.length;
    this.#length += length;
    const isBlank = token.trim() === "";
    if (!isBlank) this.#buttons?.words();
    if (this.#formula !== undefined || (isBlank && !this.#isLine)) {
      this.#parts.push(token);
      return;
    }
    this.#isLine = true;
    // Between the parts of a table, there is no text.
    if (this.#place === undefined || this.#place >= this.#length || isBlank) {
      this.#parts.push(this.#marks.words(token, from, this.#length));
      return;
    }
    const at = token.lastIndexOf(" ", Math.max(this.#place - from, 0)) + 1;
    this.#parts.push(
      at === 0 ? "" : this.#marks.words(token.slice(0, at), from, from + at),
      `<span id="${STOPPED}"></span>`,
      this.#marks.words(token.slice(at), from + at, this.#length),
    );
    this.#place = undefined;
    this.#hasPlace = true;
  }

  #beginFormula(): void {
    if (this.#formula !== undefined) this.#formula.depth++;
    else this.#formula = { part: this.#parts.length, from: this.#length, depth: 1 };
  }

  /** Another element within a formula would end it: it is marked as a whole. */
  #endFormula(): void {
    if (this.#formula === undefined || --this.#formula.depth > 0) return;
    const { part, from } = this.#formula;
    this.#formula = undefined;
    this.#parts.push(this.#marks.whole(this.#parts.splice(part).join(""), from, this.#length));
  }
}

function tagForRoom(
  tag: string,
  isStart: boolean,
  name: string,
  { bookmarkId, copyId, tableLabel }: TextSurroundings,
): string {
  if (name === "table")
    return isStart
      ? `<div class="table" role="group" tabindex="0" aria-label="${tableLabel}">${tag}`
      : `${tag}</div>`;
  if (name === "pre" && isStart) return tag.replace(/^<pre/, '<pre tabindex="0"');
  if (name !== "img") return tag;
  return tag.replace(/ src="picture-(\d{1,4})"/, (_, number: string) => {
    const path = local(`/bookmarks/${bookmarkId}/copies/${copyId}/${pictureName(Number(number))}`);
    return ` src="${path}"`;
  });
}
