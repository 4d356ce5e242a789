/** The length of the pieces by which places are looked up. */
const GRAM = 8;
/** The places that are looked at for one quote: more than a text has of it, but for one that repeats itself. */
const PLACES_MAX = 200;
/** A multiple of 16: after eight characters, nothing of a character is left in the hash. */
const FACTOR = 0x9e3779b0;
const SPREAD = 0x85ebca6b;

/**
 * Finds quotes in a text in steps of the quote's length: each piece of eight characters leads to its places. No text makes it cost
 * more, also one that is the same character throughout.
 */
export class GramIndex {
  readonly text: string;
  readonly #shift: number;
  /** Where the places of each bucket of pieces begin in {@link #places}. */
  readonly #starts: Int32Array;
  /** By bucket, ascending in each. */
  readonly #places: Int32Array;

  constructor(text: string) {
    this.text = text;
    const bits = Math.max(1, Math.ceil(Math.log2(text.length + 1)));
    this.#shift = 32 - bits;
    const starts = new Int32Array(2 ** bits + 1);
    const grams = this.#gramsOf(text);
    for (const gram of grams) starts[gram] = at(starts, gram) + 1;
    for (let gram = 1; gram < starts.length; gram++) starts[gram] = at(starts, gram) + at(starts, gram - 1);
    // From the end of each bucket to its start, which is then what `starts` says.
    this.#places = new Int32Array(grams.length);
    for (let place = grams.length - 1; place >= 0; place--) {
      const gram = at(grams, place);
      const start = at(starts, gram) - 1;
      starts[gram] = start;
      this.#places[start] = place;
    }
    this.#starts = starts;
  }

  /**
   * Places of a quote, each once, in no order. Of a quote that the text repeats more than {@link PLACES_MAX} times: those near a place,
   * and those near which the text agrees with what stood beside it. One of less than eight characters is found only where some of
   * that agrees, if there is as much.
   */
  placesOf(
    quote: string,
    { before, after, near }: { readonly before: string; readonly after: string; readonly near: number },
  ): ReadonlySet<number> {
    const whole = before + quote + after;
    const found = new Set<number>();
    const add = (place: number) => {
      if (this.text.startsWith(quote, place)) found.add(place);
    };
    if (whole.length < GRAM) {
      let next = near - 1;
      for (let count = 0; count < PLACES_MAX && next < this.text.length; count++) {
        next = this.text.indexOf(quote, next + 1);
        if (next < 0) break;
        add(next);
      }
      let last = near;
      for (let count = 0; count < PLACES_MAX && last > 0; count++) {
        last = this.text.lastIndexOf(quote, last - 1);
        if (last < 0) break;
        add(last);
      }
      return found;
    }
    const grams = this.#gramsOf(whole);
    const countOf = (offset: number) => {
      const gram = at(grams, offset);
      return at(this.#starts, gram + 1) - at(this.#starts, gram);
    };
    const look = (offset: number, max: number): number => {
      const beside = before.length - offset;
      const places = this.#placesNear(at(grams, offset), near - beside, max);
      for (const place of places) add(place + beside);
      return places.length;
    };
    let rarest: number | undefined;
    const beside: number[] = [];
    for (let offset = 0; offset < grams.length; offset++) {
      const isInside = offset >= before.length && offset + GRAM <= before.length + quote.length;
      if (!isInside) beside.push(offset);
      else if (rarest === undefined || countOf(offset) < countOf(rarest)) rarest = offset;
    }
    if (rarest !== undefined && look(rarest, PLACES_MAX) < PLACES_MAX) return found;
    let left = PLACES_MAX;
    for (const offset of beside.sort((one, other) => countOf(one) - countOf(other)))
      if (left > 0) left -= look(offset, left);
    return found;
  }

  /** Places of a bucket, around one. */
  #placesNear(gram: number, near: number, max: number): Int32Array {
    const from = at(this.#starts, gram);
    const to = at(this.#starts, gram + 1);
    const bucket = this.#places.subarray(from, to);
    const start = Math.min(firstFrom(bucket, near) - (max >> 1), bucket.length - max);
    return bucket.subarray(Math.max(0, start), Math.max(0, start) + max);
  }

  /** The bucket of each piece of a text. */
  #gramsOf(text: string): Uint32Array {
    const grams = new Uint32Array(Math.max(0, text.length - GRAM + 1));
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      hash = (Math.imul(hash, FACTOR) + text.charCodeAt(end)) | 0;
      if (end >= GRAM - 1) grams[end - GRAM + 1] = Math.imul(hash, SPREAD) >>> this.#shift;
    }
    return grams;
  }
}

/** The index of the first of ascending numbers that is at least a number; their count when there is none. */
export function firstFrom(numbers: Int32Array, least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(numbers, middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function at(numbers: Int32Array | Uint32Array, index: number): number {
  return numbers[index] ?? 0;
}
