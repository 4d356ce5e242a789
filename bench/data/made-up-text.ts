export const WORDS =
  `a about after all and another any art as back bear before being better between book bread
bridge bright build but by cat change city clear coast code cold colour come country day deep design
different do early every fast field fire first for forest from garden good great green guide half hand harbour
harvest high history home house how idea in is island it journey kitchen know language large last learn letter
light like little long machine make map market method mind moon more morning mountain music name near network
never new night north notes of old on open or other our out over page paper people place plain question quick
quiet rain read reason recipe river road round school sea season second short simple small snow some sound south
space spring stone storm story street summer sun system table talk tea that the their things thinking this time
to tool town travel tree two under up village walk wall water way weather what when where why wind winter with
without wood word work world write year young`.split(/\s+/);

/** Random words, together at least `length` characters long. */
export function sentence(random: SeededRandom, length: number): string {
  let text = random.pick(WORDS);
  while (text.length < length) text += ` ${random.pick(WORDS)}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Mulberry32: small, fast, and the same everywhere. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A number from 0 up to but not including 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to but not including `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True with this probability: 0.25 is one time in four. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new RangeError("an empty list has no item to pick");
    return item;
  }

  /** The items in random order. */
  shuffle<T>(list: readonly T[]): T[] {
    const items = [...list];
    for (let last = items.length - 1; last > 0; last--) {
      const [item] = items.splice(this.below(last + 1), 1);
      if (item !== undefined) items.push(item);
    }
    return items;
  }
}
