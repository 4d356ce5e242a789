import { escapeUTF8 } from "entities";

/** A mark of a text, where it stands. */
export interface PlacedMark {
  readonly id: number;
  /** In units of UTF-16 of the text, as `textContent` has them in the browser. */
  readonly start: number;
  readonly end: number;
  /** Shown beside it; empty without one. */
  readonly note: string;
}

/** The id of the first words of a mark. */
export function markAnchor(id: number): string {
  return `mark-${id}`;
}

/** The id of its entry in the list of marks. */
export function entryAnchor(id: number): string {
  return `note-${id}`;
}

/** The id of the place of that list, which is there without marks, too. */
export const MARKS_HERE = "marks-here";

/** How many marks around the same words are seen. More would only make the page longer. */
const DEPTH_MAX = 2;
/** In these, a link is not allowed or too small to be hit. */
const NO_LINKS: ReadonlySet<string> = new Set(["a", "ruby", "sup", "sub"]);

/**
 * Puts `<mark>` around the words of marks, and behind the last of them a link to their entry. The link is empty, its sign and its
 * note are shown by the style sheet: nothing is added to `textContent`, nor to what is selected and copied.
 */
export class MarkedText {
  readonly #marks: readonly PlacedMark[];
  readonly #labelOf: (note: string) => string;
  #next = 0;
  #open: PlacedMark[] = [];
  readonly #begun = new Set<number>();
  /** Marks that have ended where their link cannot stand. */
  #ended: PlacedMark[] = [];
  /** How many elements of {@link NO_LINKS} are open, and how many `<mark>`. */
  #depth = 0;
  #written = 0;

  /** @param labelOf the name of the link of a mark with this note */
  constructor(marks: readonly PlacedMark[], labelOf: (note: string) => string) {
    this.#marks = marks.toSorted((one, other) => one.start - other.start || other.end - one.end);
    this.#labelOf = labelOf;
  }

  /** What stands before the next tag, or at the end: no element of a mark crosses another one. */
  close(): string {
    const tags = "</mark>".repeat(this.#written);
    this.#written = 0;
    return tags;
  }

  /** What stands behind a tag. */
  after(name: string, isStart: boolean): string {
    if (!NO_LINKS.has(name)) return "";
    this.#depth += isStart ? 1 : -1;
    return this.#links();
  }

  /** Words without tags, marked. @param from where they begin; an escaped character is given alone */
  words(escaped: string, from: number, to: number): string {
    if (this.#next === this.#marks.length && this.#open.length === 0) return escaped;
    const parts: string[] = [];
    let at = from;
    for (const edge of [...this.#edges(from, to), to]) {
      parts.push(
        this.whole(edge === to ? escaped.slice(at - from) : escaped.slice(at - from, edge - from), at, edge),
      );
      at = edge;
    }
    return parts.join("");
  }

  /** A part of the text that is marked as a whole, such as a formula, if any mark has anything of it. */
  whole(html: string, from: number, to: number): string {
    // Those that ended in white space between blocks.
    const parts = [this.#end(from)];
    for (let mark = this.#marks[this.#next]; mark && mark.start < to; mark = this.#marks[++this.#next])
      if (mark.end > from) this.#open.push(mark);
    const begin = this.#open.filter(({ id }) => !this.#begun.has(id));
    const depth = Math.min(this.#open.length, Math.max(begin.length, DEPTH_MAX));
    if (begin.length > 0 || depth !== this.#written) {
      parts.push(this.close());
      for (const { id } of begin) parts.push(`<mark class="own" id="${markAnchor(id)}">`);
      parts.push('<mark class="own">'.repeat(depth - begin.length));
      this.#written = depth;
    }
    for (const { id } of begin) this.#begun.add(id);
    parts.push(html, this.#end(to));
    return parts.join("");
  }

  /** What stands where marks end, if any do. */
  #end(at: number): string {
    const ended = this.#open.filter(({ end }) => end <= at);
    if (ended.length === 0) return "";
    this.#open = this.#open.filter(({ end }) => end > at);
    this.#ended.push(...ended);
    return this.close() + this.#links();
  }

  /** Where marks begin or end between two places. */
  #edges(from: number, to: number): number[] {
    const edges = this.#open.map(({ end }) => end);
    for (let index = this.#next; ; index++) {
      const mark = this.#marks[index];
      if (mark === undefined || mark.start >= to) break;
      edges.push(mark.start, mark.end);
    }
    return [...new Set(edges)].filter((edge) => edge > from && edge < to).sort((one, other) => one - other);
  }

  #links(): string {
    if (this.#depth > 0 || this.#ended.length === 0) return "";
    const links = this.#ended.map(({ id, note }) => {
      const shown = note === "" ? "" : ` data-note="${escapeUTF8(note)}"`;
      return `<a class="of-mark" href="#${entryAnchor(id)}" aria-label="${escapeUTF8(this.#labelOf(note))}"${shown}></a>`;
    });
    this.#ended = [];
    return links.join("");
  }
}
