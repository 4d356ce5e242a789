import type { Place } from "./record.ts";
import type { StagedRecords } from "./staged-records.ts";

/** Counts what many posts have in common, so that a report says it once. */
export class Tally {
  readonly #counts = new Map<string, { count: number; readonly first: Place }>();

  add(name: string, place: Place): void {
    const known = this.#counts.get(name);
    if (known === undefined) this.#counts.set(name, { count: 1, first: place });
    else known.count++;
  }

  /** Makes a note of each. @param sentence says what became of a name that so many posts have */
  report(records: StagedRecords, code: string, sentence: (name: string, posts: string) => string): void {
    for (const [name, { count, first }] of this.#counts)
      records.note({ ...first, code, detail: sentence(name, count === 1 ? "1 post" : `${count} posts`) });
  }
}
