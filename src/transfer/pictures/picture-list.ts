import type { RecordLocation } from "../../records/record.ts";
import type { TemporaryDatabase } from "../../temporary-database.ts";

/** Of the pictures that are at other sites. */
export const PICTURES_SCHEMA = `
  create table pictures (number integer primary key, address text not null unique, shown text not null,
    host text not null, file text not null, line integer not null);
`;

/** A picture at another site. */
export interface ListedPicture {
  /** From 1, in the order of the posts. */
  readonly number: number;
  readonly address: string;
  /** A smaller version, which the post shows; the same address if there is none. */
  readonly shown: string;
  readonly location: RecordLocation;
}

/** The pictures of a file that are at other sites, each once, in the temporary database of its records. */
export class PictureList {
  readonly #scratch: TemporaryDatabase;

  constructor(scratch: TemporaryDatabase) {
    this.#scratch = scratch;
  }

  get count(): number {
    return Number(this.#scratch.get("select count(*) as n from pictures")?.n);
  }

  /** Their sites, those with most pictures first, each with its number and the location of the first. */
  get sites(): { readonly host: string; readonly count: number; readonly location: RecordLocation }[] {
    // With a minimum, SQLite takes the other columns from its row.
    const query = `
      select host, count(*) as n, min(number), file, line from pictures group by host order by n desc, host`;
    return this.#scratch.all(query).map(({ host, n, file, line }) => ({
      host: String(host),
      count: Number(n),
      location: { file: String(file), line: Number(line) },
    }));
  }

  has(address: string): boolean {
    return this.#scratch.get("select 1 from pictures where address = ?", address) !== undefined;
  }

  add(address: string, shown: string, { file, line }: RecordLocation): void {
    this.#scratch.run(
      "insert or ignore into pictures (address, shown, host, file, line) values (?, ?, ?, ?, ?)",
      ...[address, shown, new URL(address).host, file, line],
    );
  }

  /** One after the other, so that it can be changed meanwhile. */
  *[Symbol.iterator](): Generator<ListedPicture> {
    for (let last = 0; ; ) {
      const row = this.#scratch.get("select * from pictures where number > ? order by number limit 1", last);
      if (row === undefined) return;
      last = Number(row.number);
      const location = { file: String(row.file), line: Number(row.line) };
      yield { number: last, address: String(row.address), shown: String(row.shown), location };
    }
  }
}
