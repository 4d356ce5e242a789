import { CONTEXT_MAX, MARK_NOTE_MAX, QUOTE_MAX } from "../../marks/mark.ts";
import { type FileMark, plainText } from "../../readers/bookmarks/bookmark-format.ts";
import { addTags } from "../../tags/retag.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import type { TemporaryDatabase } from "../../temporary-database.ts";

export const MARKS_SCHEMA = `
  create table if not exists marks (number integer primary key, position integer not null, mark text not null);
  create table if not exists mark_files (position integer not null, file text not null);
`;

/** A mark that the file has, in the lengths of one here. */
export interface StagedMark {
  /** Among all marks of the file, from 1. */
  readonly number: number;
  /** Of the row in whose page it is. */
  readonly position: number;
  /** Empty for a note on the page as a whole. */
  readonly quote: string;
  readonly prefix: string;
  readonly suffix: string;
  /** With its tags as a line of hashtags. */
  readonly note: string;
  /** As the file has it. */
  readonly date: string | null;
}

/** The marks that a file of bookmarks brings. */
export class StagedMarks {
  readonly #scratch: TemporaryDatabase;

  constructor(scratch: TemporaryDatabase) {
    this.#scratch = scratch;
  }

  /** Adds marks of a row; those that say nothing are left out. @returns how many were shortened */
  add(position: number, marks: readonly FileMark[]): number {
    let cut = 0;
    for (const { quote, note = "", tags = [], prefix = "", suffix = "", date = null } of marks) {
      const names = tags.flatMap((tag) => makeTagName(tag) ?? []);
      const words = plainText(quote).trim();
      const said = addTags(plainText(note).trim(), names);
      if (words === "" && said === "") continue;
      const mark = {
        ...{ quote: start(words, QUOTE_MAX), note: start(said, MARK_NOTE_MAX), date },
        prefix: [...plainText(prefix).slice(-2 * CONTEXT_MAX)].slice(-CONTEXT_MAX).join(""),
        suffix: start(plainText(suffix), CONTEXT_MAX),
      };
      if (mark.quote !== words || mark.note !== said) cut++;
      this.#scratch.run("insert into marks (position, mark) values (?, ?)", position, JSON.stringify(mark));
    }
    return cut;
  }

  /** Says that the marks of a row are in a file of the archive. */
  addFile(position: number, file: string): void {
    this.#scratch.run("insert into mark_files values (?, ?)", position, file);
  }

  files(): { readonly position: number; readonly file: string }[] {
    const rows = this.#scratch.all("select position, file from mark_files order by position");
    return rows.map(({ position, file }) => ({ position: Number(position), file: String(file) }));
  }

  get count(): number {
    return Number(this.#scratch.get("select count(*) as n from marks")?.n);
  }

  /** The next ones after a number. */
  after(number: number, limit: number): StagedMark[] {
    const rows = this.#scratch.all(
      "select number, position, mark from marks where number > ? order by number limit ?",
      ...[number, limit],
    );
    return rows.map(({ number, position, mark }) => ({
      ...JSON.parse(String(mark)),
      ...{ number: Number(number), position: Number(position) },
    }));
  }
}

/** The first characters of a text. */
function start(text: string, max: number): string {
  // A character takes two units at most.
  return text.length <= max
    ? text
    : [...text.slice(0, 2 * max)].slice(0, max).join("").toWellFormed().trimEnd();
}
