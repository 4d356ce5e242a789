import { limits } from "../../limits.ts";
import { FIELD_MAX, type PageText } from "../../readers/bookmarks/bookmark-format.ts";
import type { TemporaryDatabase } from "../../temporary-database.ts";

export const TEXTS_SCHEMA = `
  create table if not exists texts (number integer primary key, position integer not null, html blob, refusal text);
`;

/** Why a text is refused, in the order of reports. */
export const TEXT_REFUSALS = [
  "too_large",
  "too_costly",
  "empty",
  "too_many",
  "storage_full",
  "damaged",
  "gone",
] as const;
export type TextRefusal = (typeof TEXT_REFUSALS)[number];

/** A text as the file has it. */
export interface StagedText {
  /** Among all texts of the file, from 1. */
  readonly number: number;
  /** Of the row whose page it is. */
  readonly position: number;
  /** Undefined when it is refused. */
  readonly html: string | undefined;
  readonly refusal: TextRefusal | undefined;
}

/** The texts of pages that a file of bookmarks brings, compressed: one at a time is in memory. */
export class StagedTexts {
  readonly #scratch: TemporaryDatabase;

  constructor(scratch: TemporaryDatabase) {
    this.#scratch = scratch;
  }

  /** Adds the text of the page of a row. */
  add(position: number, { html }: PageText): void {
    const isCut = html.length >= FIELD_MAX;
    if (isCut || Buffer.byteLength(html) > limits().copyBytes) this.refuse(position, "too_large");
    else
      this.#scratch.run(
        "insert into texts (position, html) values (?, ?)",
        ...[position, Bun.zstdCompressSync(html)],
      );
  }

  /** Adds a text that cannot be kept. */
  refuse(position: number, refusal: TextRefusal): void {
    this.#scratch.run("insert into texts (position, refusal) values (?, ?)", position, refusal);
  }

  get count(): number {
    return Number(this.#scratch.get("select count(*) as n from texts")?.n);
  }

  /** The first text after one; undefined after the last. */
  after(number: number): StagedText | undefined {
    const row = this.#scratch.get("select * from texts where number > ? order by number limit 1", number);
    if (row === undefined) return undefined;
    const { html, refusal } = row;
    return {
      ...{ number: Number(row.number), position: Number(row.position) },
      html: html === null ? undefined : Buffer.from(Bun.zstdDecompressSync(html as Uint8Array)).toString(),
      refusal: refusal === null ? undefined : (refusal as TextRefusal),
    };
  }
}
