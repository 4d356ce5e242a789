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
