import type { Inspection } from "../../database/inspection.ts";
import type { RecordKind } from "../../records/record.ts";

/** A record of which a part is not there. */
export class IncompleteRecord extends Error {}

/** No more of a kind are named. */
const NAMED_MAX = 20;

/** Leaves out of an archive what cannot be read of a damaged database, and names it. */
export class UnreadableRecords {
  readonly #snapshot: Pick<Inspection, "apart" | "isDamage">;
  readonly #keys = new Map<RecordKind, Set<string>>();

  constructor(snapshot: Pick<Inspection, "apart" | "isDamage">) {
    this.#snapshot = snapshot;
  }

  /** @returns undefined when something that `work` reads is damaged, or means nothing */
  async attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#snapshot.apart(work);
    } catch (error) {
      // The errors of JSON.parse and Date.toISOString.
      const isMeaningless = error instanceof SyntaxError || error instanceof RangeError;
      if (isMeaningless || error instanceof IncompleteRecord || this.#snapshot.isDamage(error))
        return undefined;
      throw error;
    }
  }

  /** @param key as people read it */
  leaveOut(kind: RecordKind, key: string): void {
    const keys = this.#keys.get(kind) ?? new Set();
    this.#keys.set(kind, keys.add(key));
  }

  /** What was left out, each kind by its keys, such as `bookmark 3, 5 to 7`. */
  names(): string[] {
    return [...this.#keys].map(([kind, keys]) => {
      const ranges = rangesOf([...keys]);
      const more = ranges.length > NAMED_MAX ? [`${ranges.length - NAMED_MAX} more`] : [];
      return `${kind} ${[...ranges.slice(0, NAMED_MAX), ...more].join(", ")}`;
    });
  }
}

/** Keys in which those that are consecutive numbers are one range. */
function rangesOf(keys: readonly string[]): string[] {
  const ranges: { readonly first: string; last: string }[] = [];
  for (const key of keys) {
    const range = ranges.at(-1);
    if (range !== undefined && /^\d+$/.test(key) && Number(key) === Number(range.last) + 1) range.last = key;
    else ranges.push({ first: key, last: key });
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first} to ${last}`));
}

/** The rows of a kind of records in the order of their keys. */
export interface KeyedRows<Row, Key> {
  readonly kind: RecordKind;
  /** Some rows after a key, up to another one if it is given. Without a key, the first ones. */
  read(after: Key | undefined, upTo?: Key): Promise<readonly Row[]>;
  keyOf(row: NoInfer<Row>): Key;
  /** Some keys after another one, in order, that rows have or may have; none when there are no more. */
  keysAfter(key: Key | undefined): Promise<readonly Key[]>;
}

/**
 * All rows in pages.
 * @param unreadable takes the rows that cannot be read; without it they are an error
 */
export async function* readableRows<Row, Key extends number | string | readonly number[]>(
  { kind, read, keyOf, keysAfter }: KeyedRows<Row, Key>,
  unreadable: UnreadableRecords | undefined,
): AsyncGenerator<readonly Row[]> {
  let after: Key | undefined;
  for (;;) {
    const place = after;
    const rows = unreadable === undefined ? await read(place) : await unreadable.attempt(() => read(place));
    if (rows !== undefined) {
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = keyOf(last);
      continue;
    }
    const keys = await unreadable?.attempt(() => keysAfter(place));
    if (keys === undefined) {
      unreadable?.leaveOut(kind, place === undefined ? "(all)" : `after ${nameOf(place)}`);
      return;
    }
    if (keys.length === 0) return;
    for (const key of keys) {
      const before = after;
      const found = await unreadable?.attempt(() => read(before, key));
      if (found === undefined) unreadable?.leaveOut(kind, nameOf(key));
      else if (found.length > 0) yield found;
      after = key;
    }
  }
}

function nameOf(key: number | string | readonly number[]): string {
  return typeof key === "object" ? key.join("/") : String(key);
}
