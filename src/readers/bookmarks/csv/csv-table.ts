import { once } from "node:events";
import { type Info, type Parser, parse } from "csv-parse";
import { parse as parseAtOnce } from "csv-parse/sync";
import {
  type BookmarkFormat,
  type FileRow,
  type FileSummary,
  type FormatInput,
  type FormatName,
  WHOLE,
} from "../bookmark-format.ts";
import { LeftOut } from "../left-out.ts";

/** A CSV format, detected by the column names in the first line. */
export interface CsvFormat {
  readonly name: FormatName;
  /** The columns that are read, or that say nothing to people, by lower-case names. The report names the others. */
  readonly columns: readonly string[];
  /** Whether a header belongs to this format: by columns that together only it has. */
  isHeader(header: HeaderColumns): boolean;
  /** @param field returns the value of a column; empty if there is none */
  toRow(field: (column: string) => string): FileRow;
}

/** The names of the columns of a header, in lower case. */
export class HeaderColumns {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    this.names = names;
  }

  has(...columns: readonly string[]): boolean {
    return columns.every((column) => this.names.includes(column));
  }
}

/** The first line of a CSV file. */
export interface Header {
  readonly delimiter: string;
  readonly columns: HeaderColumns;
  /** The number of records before the first row: the header and possibly a spreadsheet's `sep=` line. */
  readonly records: number;
}

/** Commas; semicolons in locales with decimal commas; tabs from a clipboard. */
const DELIMITERS = [",", ";", "\t"];

/** A longer record is treated as an unclosed quote. */
const RECORD_MAX = 2 * 1024 * 1024;

/** RFC 4180 with common deviations: any line breaks, quotes inside fields, too few or too many fields. */
const LENIENT = {
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  record_delimiter: ["\r\n", "\n", "\r"],
  max_record_size: RECORD_MAX,
};

/** A spreadsheet's own first line: `sep=;`. */
const SEPARATOR_LINE = /^sep=(.)(?:\r\n|\n|\r)/i;

/**
 * Finds the header of a CSV file in one of some formats.
 * @param beginning the first characters of the text
 */
export function findHeader<T extends Pick<CsvFormat, "isHeader">>(
  beginning: string,
  formats: readonly T[],
): { readonly header: Header; readonly format: T } | undefined {
  const [line = "", named] = SEPARATOR_LINE.exec(beginning) ?? [];
  for (const delimiter of named === undefined ? DELIMITERS : [named]) {
    const columns = new HeaderColumns(firstRecord(beginning.slice(line.length), delimiter));
    const format = formats.find(({ isHeader }) => isHeader(columns));
    if (format !== undefined)
      return { header: { delimiter, columns, records: named === undefined ? 1 : 2 }, format };
  }
  return undefined;
}

function firstRecord(text: string, delimiter: string): string[] {
  try {
    const [record = []] = parseAtOnce(text, { ...LENIENT, delimiter, to: 1 });
    return record.map((name) => name.trim().toLowerCase());
  } catch {
    return [];
  }
}

/** A CSV format with the header of a file. */
export function csvFormat(format: CsvFormat, header: Header): BookmarkFormat {
  const { name } = format;
  return { name, rowUnit: "line", isUtf8: false, read: (reading) => readTable(reading, header, format) };
}

/** A record, with the parser's state at its end. */
interface RecordWithInfo {
  readonly record: string[];
  readonly info: Pick<Info, "lines">;
}

async function readTable(
  { text, onRow, onNote }: FormatInput,
  header: Header,
  { columns, toRow }: CsvFormat,
): Promise<FileSummary> {
  // If two columns have the same name, the first counts.
  const places = new Map(header.columns.names.map((column, index) => [column, index] as const).reverse());
  const lines = new RecordLines();
  const leftOut = new LeftOut(columns);
  // Without a name, an empty column is no member.
  const others = [...places].filter(([column]) => column !== "" && !columns.includes(column));
  let records = 0;
  const parser = parse({ ...LENIENT, info: true, delimiter: header.delimiter });
  let parseError: unknown;
  parser.on("error", (error) => {
    parseError = error;
  });
  parser.on("data", (found: RecordWithInfo) => {
    const line = lines.of(found);
    if (++records <= header.records) return;
    const field = (column: string) => found.record[places.get(column) ?? -1] ?? "";
    if (others.length > 0)
      leftOut.look(Object.fromEntries(others.map(([column, place]) => [column, found.record[place]])));
    onRow({ ...toRow(field), line });
  });
  // The parser counts the characters of a record, but not its fields.
  let unbroken = 0;
  for await (const piece of text.pieces()) {
    const end = Math.max(piece.lastIndexOf("\n"), piece.lastIndexOf("\r"));
    unbroken = end === -1 ? unbroken + piece.length : piece.length - end;
    if (unbroken > RECORD_MAX) break;
    if (parseError === undefined) await write(parser, piece);
  }
  if (unbroken <= RECORD_MAX) await end(parser);
  for (const note of leftOut.notes()) onNote(note);
  const isWhole = parseError === undefined && unbroken <= RECORD_MAX;
  return isWhole ? { ...WHOLE, isEmpty: records <= header.records } : cutOff(lines.next);
}

/** Tracks the lines on which records begin: the parser counts a CRLF inside a field twice. */
class RecordLines {
  /** The line after the last record. */
  next = 1;
  #countedTwice = 0;

  of({ record, info }: RecordWithInfo): number {
    const broken = record.filter((field) => field.includes("\n") || field.includes("\r"));
    const breaks = broken.reduce((sum, field) => sum + count(field, /\r\n|\n|\r/g), 0);
    this.#countedTwice += broken.reduce((sum, field) => sum + count(field, /\r\n/g), 0);
    const last = info.lines - this.#countedTwice;
    this.next = last + 1;
    return last - breaks;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

async function write(parser: Parser, piece: string): Promise<void> {
  await new Promise<void>((resolve) => {
    parser.write(piece, () => resolve());
  });
}

async function end(parser: Parser): Promise<void> {
  if (parser.destroyed) return;
  const over = Promise.race([once(parser, "end"), once(parser, "close")]).catch(() => {});
  parser.end();
  await over;
}

function cutOff(line: number): FileSummary {
  const unreadDetail = `A quoted field after line ${line - 1} is not closed, so the rest of the file was not read.`;
  return { ...WHOLE, unreadFrom: line, unreadDetail };
}
