import { ExtractionError } from "./extraction-error.ts";

/** The number of elements within each other. */
export const NESTING_MAX = 256;
/** The number of elements of a page. */
export const ELEMENTS_MAX = 200_000;
/**
 * The sum of the depths of all elements. Readability reads the text of an element again for each element around it, so a page
 * of many deep elements takes seconds and gigabytes, although it keeps to the other two limits.
 */
export const DEPTHS_MAX = 4_000_000;
/** The characters of a text that cost as much as an element. */
const TEXT_OF_ELEMENT = 100;

/** Counts the elements of a page while it is read. */
export class Guard {
  #elements = 0;
  #depths = 0;

  /**
   * @param depth the number of open elements with this one
   * @throws ExtractionError `too-deep`, `too-many-elements`, `too-costly`
   */
  enter(depth: number): void {
    if (depth > NESTING_MAX) throw new ExtractionError("too-deep");
    if (++this.#elements > ELEMENTS_MAX) throw new ExtractionError("too-many-elements");
    this.#add(depth);
  }

  /** @param depth the number of open elements around a text of a length @throws ExtractionError `too-costly` */
  read(depth: number, length: number): void {
    this.#add(depth * Math.floor(length / TEXT_OF_ELEMENT));
  }

  #add(depths: number): void {
    this.#depths += depths;
    if (this.#depths > DEPTHS_MAX) throw new ExtractionError("too-costly");
  }
}
