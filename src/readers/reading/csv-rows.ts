import { parse } from "csv-parse/sync";
import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";

/** The maximum size of a table, in bytes. */
const TABLE_MAX = 64 * 1024 * 1024;

/** The maximum number of its rows: each takes memory, however short. */
const ROWS_MAX = 100_000;

/** A row of a table: its fields by the names of their columns. */
export interface CsvRow {
  readonly row: Readonly<Record<string, string | undefined>>;
  readonly line: number;
}

/** The rows of a table in CSV that another program has written. @throws StartError when it is not valid */
export async function csvRows(tree: FileTree, path: string): Promise<CsvRow[]> {
  const text = (await readTreeFile(tree, path, TABLE_MAX)).toString();
  try {
    const parsed: { record: Record<string, string>; info: { lines: number } }[] = parse(text, {
      ...{ columns: true, bom: true, info: true, skip_empty_lines: true },
      ...{ relax_column_count: true, relax_quotes: true },
      on_record(record, { records }) {
        if (records > ROWS_MAX) throw new Error("too many rows");
        return record;
      },
    });
    return parsed.map(({ record, info }) => ({ row: record, line: info.lines }));
  } catch (error) {
    const problem =
      error instanceof Error && error.message === "too many rows"
        ? `has more than ${ROWS_MAX.toLocaleString("en")} rows`
        : "is not valid CSV";
    throw new StartError(`${printable(path)} ${problem}. Nothing was imported.`, 2, error);
  }
}
