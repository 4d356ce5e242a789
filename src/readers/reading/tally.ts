import type { RecordLocation } from "../../records/record.ts";
import type { Staging } from "../staging.ts";

/** The names that one note lists. */
const NAMED_MAX = 50;

/** Counts the posts with the same problem, for one note in the report. */
export class Tally {
  readonly #counts = new Map<string, { count: number; readonly first: RecordLocation }>();

  add(name: string, location: RecordLocation): void {
    const known = this.#counts.get(name);
    if (known === undefined) this.#counts.set(name, { count: 1, first: location });
    else known.count++;
  }

  /** Adds a note for each name. @param sentence the text of the note for a name and its number of posts */
  report(
    records: Staging,
    code: string,
    sentence: (name: string, posts: string) => string,
    [one, several]: readonly [string, string] = ["post", "posts"],
  ): void {
    for (const [name, { count, first }] of this.#counts)
      records.note({
        ...first,
        code,
        detail: sentence(name, count === 1 ? `1 ${one}` : `${count} ${several}`),
      });
  }

  /** Adds one note for all names, each with its number of posts; the first ones of very many. */
  reportTogether(records: Staging, code: string, sentence: (names: string) => string): void {
    const [first] = this.#counts.values();
    if (first === undefined) return;
    const names = [...this.#counts]
      .slice(0, NAMED_MAX)
      .map(([name, { count }]) => (count === 1 ? name : `${name} (${count})`));
    const more = this.#counts.size - names.length;
    const listed = names.join(", ") + (more > 0 ? `, and ${more} more` : "");
    records.note({ ...first.first, code, detail: sentence(listed) });
  }
}
