import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";

/** A line `KEY: value` of an entry or a comment. */
export interface Field {
  /** In capital letters, such as `PRIMARY CATEGORY`. */
  readonly name: string;
  readonly value: string;
}

/** A part of an entry that has lines, such as `BODY`, or a comment. */
export interface Section {
  readonly name: string;
  readonly lines: string[];
}

/** An entry of Movable Type's format, as the file has it. */
export interface Entry {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly fields: Field[];
  readonly sections: Section[];
}

/** The line between the parts of an entry, and the one between entries. */
const SECTION_END = /^-{5}\s*$/;
const ENTRY_END = /^-{8}\s*$/;

/** The fields with which an entry may begin. */
const FIRST_FIELD =
  /^(?:AUTHOR(?: EMAIL)?|TITLE|BASENAME|STATUS|ALLOW (?:COMMENTS|PINGS)|CONVERT BREAKS|(?:PRIMARY )?CATEGORY|DATE|TAGS|UNIQUE URL|IMAGE|NO ENTRY)$/;
const FIELD = /^\s{0,20}([A-Z][A-Z0-9 _-]{0,40}?)\s{0,20}:[ \t]?(.*)$/;
/** The first line of a section, with its name alone; those of Movable Type's custom fields begin with `CF`. */
const SECTION = /^(CF[\w-]{1,60}|[A-Z][A-Z0-9 _]{1,40}):\s*$/;

/** The maximum length of an entry, in characters. */
const ENTRY_MAX = 32 * 1024 * 1024;
/** What a line counts besides its text: an empty one takes memory, too. */
const LINE_SIZE = 16;

/** Whether a text begins like an export in Movable Type's format. */
export function isMovableType(beginning: string): boolean {
  const lines = beginning.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const start = lines.findIndex((line) => line.trim() !== "" && !ENTRY_END.test(line));
  const end = lines.findIndex((line) => SECTION_END.test(line));
  if (start === -1 || end <= start) return false;
  const head = lines.slice(start, end).filter((line) => line.trim() !== "");
  const names = head.map((line) => FIELD.exec(line)?.[1]);
  const next = lines.slice(end + 1).find((line) => line.trim() !== "");
  return (
    names.every((name) => name !== undefined) &&
    names.some((name) => name === "TITLE" || name === "DATE" || name === "AUTHOR") &&
    next !== undefined &&
    /^(?:(?:EXTENDED )?BODY|EXCERPT|KEYWORDS|COMMENT|PING):/.test(next)
  );
}

/** The field that a line has; undefined for another line. */
export function fieldOf(line: string): Field | undefined {
  // Files that were joined have a mark of UTF-8 in the middle.
  const [, name, value] = FIELD.exec(line.replace(/^\ufeff/, "")) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value: value.trim() };
}

/**
 * The entries of a file in Movable Type's format, one after the other. Nothing is escaped in it, so a line of hyphens ends a part only if
 * the next part follows.
 * @throws StartError for an entry that is too long
 */
export async function* entriesOf(pieces: AsyncIterable<string>, path: string): AsyncGenerator<Entry> {
  const reader = new EntryReader(path);
  let rest = "";
  for await (const piece of pieces) {
    const hasEnd = /[\r\n]/.test(piece) || rest.endsWith("\r");
    // Whether a carriage return at the end is one of its own is not known yet.
    const lines = hasEnd ? (rest + piece).split(/\r\n|\n|\r(?!$)/) : [rest + piece];
    rest = lines.pop() ?? "";
    for (const line of lines) yield* reader.add(line);
    reader.refuseLength(rest.length);
  }
  yield* reader.add(rest.replace(/\r$/, ""));
  yield* reader.end();
}

class EntryReader {
  readonly #path: string;
  #number = 0;
  #entry: Entry | undefined;
  #length = 0;
  /** Lines of hyphens, and empty ones below: what follows says what they are. */
  #waiting: string[] = [];
  #endsEntry = false;
  /** The field with which the first entry begins. */
  #first: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  *add(line: string): Generator<Entry> {
    this.#number++;
    this.#length += line.length + LINE_SIZE;
    this.refuseLength(0);
    const isEntryEnd = ENTRY_END.test(line);
    if (isEntryEnd || SECTION_END.test(line)) {
      this.#endsEntry ||= isEntryEnd;
      this.#waiting.push(line);
      return;
    }
    if (this.#waiting.length > 0 && line.trim() === "") {
      this.#waiting.push(line);
      return;
    }
    if (this.#waiting.length > 0) {
      const section = this.#endsEntry ? undefined : SECTION.exec(line)?.[1];
      const beginsEntry = this.#endsEntry && this.#isFirst(line);
      const waiting = this.#waiting;
      [this.#waiting, this.#endsEntry] = [[], false];
      if (section !== undefined) {
        this.#entry?.sections.push({ name: section, lines: [] });
        return;
      }
      if (beginsEntry) yield* this.#take();
      else for (const each of waiting) this.#put(each);
    }
    this.#put(line);
  }

  *end(): Generator<Entry> {
    yield* this.#take();
  }

  /** @param more the length of what is not yet a line */
  refuseLength(more: number): void {
    if (this.#length + more <= ENTRY_MAX) return;
    throw new StartError(
      `${printable(this.#path)}, line ${this.#entry?.line ?? this.#number}: the entry is longer than ${ENTRY_MAX} characters. Nothing was imported.`,
      2,
    );
  }

  #isFirst(line: string): boolean {
    const name = fieldOf(line)?.name;
    return name !== undefined && (name === this.#first || FIRST_FIELD.test(name));
  }

  *#take(): Generator<Entry> {
    if (this.#entry !== undefined) yield this.#entry;
    this.#entry = undefined;
    this.#length = 0;
  }

  #put(line: string): void {
    if (this.#entry === undefined && line.trim() === "") return;
    this.#entry ??= { line: this.#number, fields: [], sections: [] };
    const section = this.#entry.sections.at(-1);
    if (section !== undefined) {
      section.lines.push(line);
      return;
    }
    const field = fieldOf(line);
    this.#first ??= field?.name;
    if (field !== undefined) this.#entry.fields.push(field);
  }
}
