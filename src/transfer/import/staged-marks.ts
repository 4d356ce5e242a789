import { MARK_NOTE_MAX, QUOTE_MAX } from "../../marks/mark.ts";
import { type FileMark, plainText } from "../../readers/bookmarks/bookmark-format.ts";
import { addTags } from "../../tags/retag.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import type { TemporaryDatabase } from "../../temporary-database.ts";

export const MARKS_SCHEMA = `
  create table if not exists file_marks (number integer primary key, position integer not null, quote text not null,
    note text not null, date text);
`;

/** A mark that the file has, no longer than one here. */
export interface StagedMark {
  /** Among all marks of the file, from 1. */
  readonly number: number;
  /** Of the row in whose page it is. */
  readonly position: number;
  /** Empty for a note on the page as a whole. */
  readonly quote: string;
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
    let shortened = 0;
    for (const { quote, note = "", tags = [], date = null } of marks) {
      const words = plainText(quote).trim();
      const names = tags.flatMap((tag) => makeTagName(tag) ?? []);
      const said = addTags(plainText(note).trim(), names);
      if (words === "" && said === "") continue;
      const [start, beginning] = [startOf(words, QUOTE_MAX), startOf(said, MARK_NOTE_MAX)];
      if (start !== words || beginning !== said) shortened++;
      this.#scratch.run(
        "insert into file_marks (position, quote, note, date) values (?, ?, ?, ?)",
        ...[position, start, beginning, date],
      );
    }
    return shortened;
  }

  get count(): number {
    return Number(this.#scratch.get("select count(*) as n from file_marks")?.n);
  }

  /** The next ones after a number. */
  after(number: number, limit: number): StagedMark[] {
    const query = "select * from file_marks where number > ? order by number limit ?";
    return this.#scratch.all(query, number, limit) as unknown as StagedMark[];
  }
}

/** The first characters of a text. */
export function startOf(text: string, max: number): string {
  if (text.length <= max) return text;
  // A character takes two units at most.
  return [...text.slice(0, 2 * max)].slice(0, max).join("").toWellFormed().trimEnd();
}
