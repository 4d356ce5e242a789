import { limits } from "../../limits.ts";
import { FIELD_MAX, type PageText } from "../../readers/bookmarks/bookmark-format.ts";
import type { TemporaryDatabase } from "../../temporary-database.ts";

export const TEXTS_SCHEMA = `
  create table if not exists texts (number integer primary key, position integer not null, file text,
    marks text, html blob, refusal text);
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

  /** Adds the text of the page of a row. One in a separate file waits for {@link settle}. */
  add(position: number, page: PageText): void {
    const { file = null, marks = null } = "file" in page ? page : {};
    this.#scratch.run("insert into texts (position, file, marks) values (?, ?, ?)", position, file, marks);
    if (!("html" in page)) return;
    const { number } = this.#scratch.get("select max(number) as number from texts") ?? {};
    // One of this length is cut.
    this.settle(Number(number), page.html.length >= FIELD_MAX ? { refusal: "too_large" } : page);
  }

  /** The texts that are in separate files, with those of what is marked in them; empty for a text without one. */
  files(): (Pick<StagedText, "number" | "position"> & Readonly<Record<"file" | "marks", string>>)[] {
    const rows = this.#scratch.all(
      "select number, position, file, coalesce(marks, '') as marks from texts where file is not null order by number",
    );
    return rows.map(({ number, position, file, marks }) => ({
      ...{ number: Number(number), position: Number(position), file: String(file), marks: String(marks) },
    }));
  }

  /** Says what a text is, or why it cannot be kept. */
  settle(number: number, text: { readonly html: string } | { readonly refusal: TextRefusal }): void {
    const isTooLarge = "html" in text && Buffer.byteLength(text.html) > limits().copyBytes;
    const refusal = isTooLarge ? "too_large" : "refusal" in text ? text.refusal : null;
    const html = refusal === null && "html" in text ? Bun.zstdCompressSync(text.html) : null;
    this.#scratch.run("update texts set html = ?, refusal = ? where number = ?", html, refusal, number);
  }

  /** Removes one whose file is not there. */
  remove(number: number): void {
    this.#scratch.run("delete from texts where number = ?", number);
  }

  /** The number of the last one; those that were removed count. */
  get last(): number {
    return Number(this.#scratch.get("select coalesce(max(number), 0) as n from texts")?.n);
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
