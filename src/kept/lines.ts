import type { Instant, Sql } from "../database/database.ts";
import { type Fragment, fragment, joined } from "../database/fragment.ts";
import { NewIds } from "../database/ids/new-ids.ts";
import type { Inspection } from "../database/inspection.ts";

/** A record of which a part is not there. */
export class IncompleteRecord extends Error {}

/** No more of a kind are named. */
const NAMED_MAX = 20;

/** Leaves out of an archive what cannot be read of a damaged database, and names it. */
export class UnreadableRecords {
  readonly #snapshot: Pick<Inspection, "apart" | "isDamage">;
  readonly #keys = new Map<string, Set<string>>();

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
  leaveOut(kind: string, key: string): void {
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

/** What identifies a record, by which a kind is ordered. */
export type Key = readonly (number | string)[];

/** The records of a kind as lines of an archive, in the order of their keys. */
export interface Lines<Line> {
  /** Some lines after a key, up to another one if it is given. Without a key, the first ones. */
  read(sql: Sql, after?: Key, upTo?: Key): Promise<readonly Line[]>;
  keyOf(line: Line): Key;
  /** Some keys after another one, in order, that records have or may have; none when there are no more. */
  keysAfter(sql: Sql, after?: Key): Promise<readonly Key[]>;
}

/** The number of records with long texts that are read at a time. */
export const LONG_AT_ONCE = 50;
/** The same of short ones, and of keys. */
export const SHORT_AT_ONCE = 500;
/** Ids that are looked at one by one where several cannot be read together. */
const NEXT_IDS = 100;

/** An instant in a line. */
export const text = (instant: Instant) => new Date(instant).toISOString();

/** How the rows of a table become lines. */
export interface TableLines {
  /** The columns, named as the members of a line and in their order. */
  readonly columns: Fragment;
  /** The table, with what is joined to it. */
  readonly from: Fragment;
  /** The columns of the key in the table, and their members in a line. */
  readonly key: readonly [columns: Fragment, ...members: string[]];
  readonly where?: Fragment;
  /** What becomes of the values of a member that are not null; others stay as they are. */
  readonly as: Readonly<Record<string, (value: never) => unknown>>;
  /** How many are read at a time. */
  readonly atOnce?: number;
  /** The table, if the key is its id: ids may be there whatever else can be read. */
  readonly ids?: string;
}

/** Rows of a table as lines of an archive. */
export function tableLines<Line = never>(table: TableLines): Lines<Line> {
  const { columns, from, where = fragment`true`, as, atOnce = SHORT_AT_ONCE, ids } = table;
  const [key, ...members] = table.key;
  return {
    async read(sql, after, upTo) {
      const rows = await sql`
        select ${columns} from ${from} where ${where} and ${between(key, after, upTo)}
        order by ${key} limit ${atOnce}`;
      for (const row of rows)
        for (const [member, convert] of Object.entries(as))
          if (row[member] !== null) row[member] = convert(row[member] as never);
      return rows as Line[];
    },
    keyOf: (line) => members.map((member) => (line as Record<string, string>)[member] ?? ""),
    async keysAfter(sql, after) {
      if (ids !== undefined) return idsAfter(sql, ids, after);
      const rows = await sql<Record<string, string | number>>`
        select ${key} from ${from} where ${between(key, after)} order by ${key} limit ${SHORT_AT_ONCE}`;
      return rows.map((row) => Object.values(row));
    },
  };
}

/** The next ids that records of a table may have. */
export async function idsAfter(sql: Sql, table: string, [after = 0]: Key = []): Promise<Key[]> {
  const { before: last } = await NewIds.of(sql, sql.engine, table);
  const first = Number(after) + 1;
  return Array.from({ length: Math.max(0, Math.min(NEXT_IDS, last - first + 1)) }, (_, index) => [
    first + index,
  ]);
}

function between(columns: Fragment, after?: Key, upTo?: Key): Fragment {
  const values = (key: Key) =>
    joined(
      key.map((value) => fragment`${value}`),
      fragment`, `,
    );
  const above = after === undefined ? fragment`true` : fragment`(${columns}) > (${values(after)})`;
  return upTo === undefined ? above : fragment`${above} and (${columns}) <= (${values(upTo)})`;
}

/**
 * All lines of a kind.
 * @param unreadable takes the records that cannot be read; without it they are an error
 */
export async function* allLines<Line>(
  sql: Sql,
  kind: string,
  { read, keyOf, keysAfter }: Lines<Line>,
  unreadable?: UnreadableRecords,
): AsyncGenerator<Line> {
  let after: Key | undefined;
  for (;;) {
    const place = after;
    const lines =
      unreadable === undefined ? await read(sql, place) : await unreadable.attempt(() => read(sql, place));
    if (lines !== undefined) {
      const last = lines.at(-1);
      if (last === undefined) return;
      yield* lines;
      after = keyOf(last);
      continue;
    }
    const keys = await unreadable?.attempt(() => keysAfter(sql, place));
    if (keys === undefined) {
      unreadable?.leaveOut(kind, place === undefined ? "(all)" : `after ${place.join("/")}`);
      return;
    }
    if (keys.length === 0) return;
    for (const key of keys) {
      const before = after;
      const found = await unreadable?.attempt(() => read(sql, before, key));
      if (found === undefined) unreadable?.leaveOut(kind, key.join("/"));
      else yield* found;
      after = key;
    }
  }
}
